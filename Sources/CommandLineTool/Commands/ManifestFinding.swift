// SPDX-License-Identifier: Apache-2.0

import Haptics
import Wire

/// Whether these bytes are JSON of what every game pack's manifest has, and of no pattern.
func isManifest(_ bytes: [UInt8]) -> Bool {
  guard case .object(let members)? = jsonValue(bytes), members["Pattern"] == nil else { return false }
  return ["name", "title", "version"].allSatisfy { key in if case .string? = members[key] { true } else { false } }
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
