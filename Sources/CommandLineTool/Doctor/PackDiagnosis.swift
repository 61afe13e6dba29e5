// SPDX-License-Identifier: Apache-2.0

/// Whether there is anything to play by name.
func packFindings(_ facts: MachineFacts) -> [Finding] {
  let topic = "packs"
  if facts.packs.packs.isEmpty { return [noPackFinding(facts)] }
  var findings: [Finding] = []
  let sound = facts.packs.packs.filter(\.faults.isEmpty).map { $0.name ?? $0.path }
  if !sound.isEmpty { findings.append(.ok(topic, "packs", "\(sound.joined(separator: ", ")) can be played whole")) }
  for pack in facts.packs.packs {
    let name = pack.name ?? pack.path
    findings += gathered(pack, "packFileMissing", cure: "make packs") { fault in
      if case .missingFile(let path) = fault { "\(name): \(path) cannot be read" } else { nil }
    }
    findings += gathered(pack, "packProblem", cure: "starlight list") { fault in
      if case .told(let text) = fault { "\(name): \(text)" } else { nil }
    }
    for fault in pack.faults {
      switch fault {
      case .missingFile, .told: break
      case .manifest(let text):
        findings.append(
          .problem(
            topic, "packUnreadable", text, why: "the whole pack is left out",
            cure: "${EDITOR:-nano} \(quotedForShell(pack.path + "/pack.json"))"))
      case .pattern(let file, let text):
        findings.append(
          .problem(
            topic, "packPattern", "\(name): \(text)", why: "that pattern is left out",
            cure: "starlight lint \(quotedForShell(file))"))
      }
    }
  }
  return findings
}

/// One finding for all faults of a kind: the first in full, the others counted.
private func gathered(
  _ pack: PackFacts.Pack, _ code: String, cure: String, _ text: (PackFacts.Fault) -> String?
) -> [Finding] {
  let told = pack.faults.compactMap(text)
  guard let first = told.first else { return [] }
  let what = told.count == 1 ? first : first + ", and \(count(told.count - 1, "like it", plural: "like it"))"
  let then =
    code == "packProblem"
    ? "lists them all; Starlight's own packs are made anew by `make packs` in its source, then restart starlightd"
    : "in Starlight's source, for its own packs; for others put the file there"
  return [.problem("packs", code, what, why: "what it names is left out", cure: cure, then: then)]
}

private func noPackFinding(_ facts: MachineFacts) -> Finding {
  let why = "nothing can be played by name"
  if case .running = facts.daemon {
    return .problem(
      "packs", "noPack", "starlightd has loaded no game pack", why: why,
      cure: "starlightd --packs FOLDER",
      then: "in place of the one that runs; `make packs` in Starlight's source makes its own")
  }
  let isBuilt = facts.packs.folders.contains { $0.contains("/.build/") }
  return .problem(
    "packs", "noPack", "no game pack in \(facts.packs.folders.joined(separator: ", "))", why: why,
    cure: isBuilt ? "make packs" : "sudo make install",
    then: "in Starlight's source; or name a folder of packs in $STARLIGHT_PACKS")
}
