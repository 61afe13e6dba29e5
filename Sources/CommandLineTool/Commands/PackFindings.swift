// SPDX-License-Identifier: Apache-2.0

import CommandTable
import GamePacks
import Haptics
import Problems

/// Whether these bytes are JSON of what every game pack's manifest has, and of no pattern.
func isManifest(_ bytes: [UInt8]) -> Bool {
  guard case .object(let members)? = jsonValue(bytes), members["Pattern"] == nil else { return false }
  return ["name", "title", "version"].allSatisfy { key in if case .string? = members[key] { true } else { false } }
}

/// Whether a file is a beat map rather than a pattern: also one that is no JSON yet.
func isBeatMap(_ path: String, _ bytes: [UInt8]) -> Bool {
  !path.hasSuffix(".ahap") && bytes.contains(Array("\"beats\"".utf8)) && !bytes.contains(Array("\"Pattern\"".utf8))
    && !bytes.contains(Array("\"chapters\"".utf8))
}

/// What is wrong with a beat map by itself. Its chapter's lanes and length `pack check` knows.
func beatMapFindings(_ path: String, _ bytes: [UInt8]) -> [AHAPDiagnostic] {
  (BeatMapFile.faults(in: bytes, path: path)?.cures ?? []).map { packFinding($0) }
}

/// A problem of a pack as lint tells its findings.
func packFinding(_ problem: Problem, _ severity: AHAPDiagnostic.Severity = .error) -> AHAPDiagnostic {
  var said = problem
  if problem.where.line != nil { (said.where.file, said.where.line, said.where.column) = (nil, nil, nil) }
  return AHAPDiagnostic(
    line: problem.where.line ?? 1, column: problem.where.column ?? 1, severity: severity, code: problem.kind.rawValue,
    message: said.cause, appleBehaviour: "", fix: problem.withoutDaemon.remedy ?? "", isFixable: false)
}

/// What lint says of a manifest in place of all that it lacks to be a pattern.
func manifestFinding(at place: AHAPDiagnostic, path: String) -> AHAPDiagnostic {
  let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]) : "."
  let cure =
    path == "-"
    ? "lint the folder it is in" : "lint its folder: `starlight lint \(quotedForShell(folder.isEmpty ? "/" : folder))`"
  return AHAPDiagnostic(
    line: place.line, column: place.column, severity: .error, code: "pack-manifest",
    message: "this looks like a game pack's manifest, not a pattern", appleBehaviour: "", fix: cure, isFixable: false)
}
