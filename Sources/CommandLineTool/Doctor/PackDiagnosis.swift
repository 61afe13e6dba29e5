// SPDX-License-Identifier: Apache-2.0

import Problems

/// Whether there is anything to play by name.
func packFindings(_ facts: MachineFacts) -> [Finding] {
  let topic = "packs"
  if facts.packs.packs.isEmpty { return [noPackFinding(facts)] }
  var findings: [Finding] = []
  let sound = facts.packs.packs.filter(\.faults.isEmpty).map { $0.name ?? $0.path }
  if !sound.isEmpty { findings.append(.ok(topic, "packs", "\(sound.joined(separator: ", ")) can be played whole")) }
  for pack in facts.packs.packs {
    let missing = pack.faults.filter { $0.where.asset != nil && $0.kind == .missing }
    let patterns = pack.faults.filter { $0.where.asset?.type == .pattern && $0.kind != .missing }
    let others = pack.faults.filter { $0.where.asset != nil && $0.kind != .missing && $0.where.asset?.type != .pattern }
    findings += gathered(
      pack, "packFileMissing", missing, cure: "make packs",
      then: "in Starlight's source, for its own packs; for others put the file there")
    findings += gathered(
      pack, "packProblem", others, cure: "starlight list",
      then: "lists them all; Starlight's own packs are made anew by `make packs` in its source, then restart starlightd"
    )
    for fault in pack.faults where fault.where.asset == nil {
      findings.append(
        .problem(
          topic, "packUnreadable", fault.description, why: "the whole pack is left out",
          cure: "${EDITOR:-nano} \(quotedForShell(pack.path + "/pack.json"))"))
    }
    for fault in patterns {
      findings.append(
        .problem(
          topic, "packPattern", "\(pack.name ?? pack.path): \(fault.ofAsset.cause)", why: "that pattern is left out",
          cure: "starlight lint \(quotedForShell(fault.where.file ?? pack.path))"))
    }
  }
  return findings
}

/// One finding for all problems of a kind: the first in full, the others counted.
private func gathered(
  _ pack: PackFacts.Pack, _ code: String, _ problems: [Problem], cure: String, then: String
) -> [Finding] {
  guard let first = problems.first?.inPack.cause else { return [] }
  let more = problems.count == 1 ? "" : ", and \(count(problems.count - 1, "like it", plural: "like it"))"
  return [
    .problem(
      "packs", code, "\(pack.name ?? pack.path): \(first)\(more)", why: "what it names is left out", cure: cure,
      then: then)
  ]
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
