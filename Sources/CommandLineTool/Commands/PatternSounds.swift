// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Glibc
import Haptics
import JSON

/// Where the sound files that a pattern names are looked for.
struct PatternSounds {
  /// The pack's folder, for a pattern inside one; else the pattern's own.
  private let folder: String
  private let isPack: Bool
  private let own: String

  /// Of the pattern file at `path`.
  init(of path: String) {
    own = Self.parent(of: path)
    let pack = Self.pack(around: own)
    folder = pack ?? own
    isPack = pack != nil
  }

  /// What there is to say of the sound files that are named and not there, or not where a pack may have them.
  func findings(_ bytes: [UInt8]) -> [AHAPDiagnostic] {
    AHAPDocument.waveforms(in: bytes).compactMap { path, position in
      if isPack, let refusal = refusalOfFileName(path) {
        return AHAPDiagnostic(
          line: position.line, column: position.column, severity: .error, code: "sound-file-refused",
          message: "EventWaveformPath \(refusal)", appleBehaviour: "looks for it in the app",
          fix: "put the file into the pack \(folder) and name it from there", isFixable: false)
      }
      return Self.isFile(folder + "/" + path) ? nil : missing(path, position)
    }
  }

  private func missing(_ path: String, _ position: TextPosition) -> AHAPDiagnostic {
    let isBeside = isPack && Self.isFile(own + "/" + path)
    return AHAPDiagnostic(
      line: position.line, column: position.column, severity: .error, code: "no-sound-file",
      message: isPack
        ? "there is no sound file \(path) in the pack \(folder)"
        : "there is no sound file \(path) beside the pattern",
      appleBehaviour: "does not load the pattern, unless the app has a file of that path",
      fix: isBeside
        ? "name it from the pack's folder, where pack.json is: it is beside the pattern"
        : "put the file there, mend EventWaveformPath, or remove the event", isFixable: false)
  }

  /// The nearest folder that holds a pack, from `folder` up.
  private static func pack(around folder: String) -> String? {
    var place = folder
    while !isFile(place + "/pack.json") {
      let next = parent(of: place)
      if next == place { return nil }
      place = next
    }
    return place
  }

  /// The folder that `path` is in, links resolved.
  private static func parent(of path: String) -> String {
    guard let resolved = resolvedPath(path) else { return "." }
    return "/" + resolved.split(separator: "/").dropLast().joined(separator: "/")
  }

  private static func isFile(_ path: String) -> Bool { fileStatus(path)?.kind == S_IFREG }
}
