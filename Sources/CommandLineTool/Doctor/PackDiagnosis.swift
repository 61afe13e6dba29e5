// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Problems
import Wire

/// Whether there is anything to play by name.
func packFindings(_ facts: MachineFacts) -> [Finding] {
  let topic = "packs"
  let packs = facts.packs
  if packs.packs.isEmpty, packs.leftOut.isEmpty { return [noPackFinding(facts)] }
  var findings: [Finding] = []
  let sound = packs.packs.filter(\.faults.isEmpty).map(\.name)
  if !sound.isEmpty { findings.append(.ok(topic, "packs", "\(sound.joined(separator: ", ")) can be played whole")) }
  for pack in packs.packs where !pack.hides.isEmpty {
    findings.append(
      .ok(
        topic, "packInPlace", "\(pack.name) of \(pack.path) counts, in place of \(pack.hides.joined(separator: ", "))"))
  }
  for reading in packs.untaken {
    let more = reading.problemCount > 1 ? ", and \(count(reading.problemCount - 1, "problem")) more" : ""
    findings.append(
      .problem(
        topic, "packNotTaken", "\(untakenOutcome(reading, nowUs: packs.nowUs)): \(reading.problem.inPack.cause)\(more)",
        why: "what was read of it before plays on", cure: "starlight lint \(quotedForShell(reading.path))",
        then: (reading.problem.remedy.map { $0 + ", and " } ?? "mend it, and ") + "have it read again by "
          + "`starlight pack load \(quotedForShell(reading.path))`"))
  }
  for problem in packs.leftOut {
    if problem.tellsOfStandIn {
      findings.append(
        .problem(
          topic, "packStandsIn", problem.cause, why: "names without a pack before them are of that one",
          then: problem.remedy))
      continue
    }
    let isNone = problem.kind == .noPack
    let whyNone = packs.packs.isEmpty ? "nothing can be played by name" : "only packs of other folders can be played"
    findings.append(
      .problem(
        topic, isNone ? "noPack" : "packLeftOut", problem.cause,
        why: isNone ? whyNone : "nothing of it can be played by name",
        cure: problem.kind == .nameTaken ? nil : problem.where.file.flatMap(lintOfPack), then: problem.remedy))
  }
  for pack in packs.packs {
    let patterns = pack.faults.filter { fault in
      fault.where.asset?.type == .pattern && fault.where.file?.hasSuffix("/pack.json") == false
    }
    let others = pack.faults.filter { !patterns.contains($0) }
    findings += [
      gathered(
        pack, "packFileMissing", others.filter { $0.kind == .missing }, why: "what it names is left out"),
      gathered(
        pack, "packProblem", others.filter { $0.kind != .missing },
        why: "what is at fault is not played as it is written"),
    ].compactMap(\.self)
    for fault in patterns {
      findings.append(
        .problem(
          topic, "packPattern", "\(pack.name): \(fault.ofAsset.cause)", why: "that pattern is left out",
          cure: "starlight lint \(quotedForShell(fault.where.file ?? pack.path))", then: fault.remedy))
    }
  }
  return findings
}

/// The line that tells all that is wrong with the pack of a manifest.
private func lintOfPack(_ manifest: String) -> String? {
  guard manifest.hasSuffix("/pack.json") else { return nil }
  return "starlight lint \(quotedForShell(String(manifest.dropLast("/pack.json".count))))"
}

/// One finding for all problems of a kind: the first in full with its remedy, the others counted.
private func gathered(_ pack: PackFacts.Pack, _ code: String, _ problems: [Problem], why: String) -> Finding? {
  guard let first = problems.first else { return nil }
  let more = problems.count == 1 ? "" : ", and \(count(problems.count - 1, "like it", plural: "like it"))"
  return .problem(
    "packs", code, "\(pack.name): \(first.inPack.cause)\(more)", why: why,
    cure: "starlight lint \(quotedForShell(pack.path))", then: first.remedy)
}

private func noPackFinding(_ facts: MachineFacts) -> Finding {
  let why = "nothing can be played by name"
  if case .running = facts.daemon {
    return .problem(
      "packs", "noPack", "starlightd has loaded no game pack", why: why, cure: "starlightd --packs FOLDER",
      then: "in place of the one that runs; `make packs` in Starlight's source makes its own")
  }
  let isBuilt = facts.packs.folders.contains { $0.contains("/.build/") }
  return .problem(
    "packs", "noPack", "no game pack in \(facts.packs.folders.joined(separator: ", "))", why: why,
    cure: isBuilt ? "make packs" : "sudo make install",
    then: "in Starlight's source; or name a folder of packs in $STARLIGHT_PACKS")
}
