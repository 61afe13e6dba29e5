// SPDX-License-Identifier: Apache-2.0

import JSON

extension AHAPDocument {
  /// Reads an AHAP file as Core Haptics would: missing entries take their defaults, values out of range are clamped,
  /// what is unknown is ignored. Each of these is a diagnostic. `name` is used in errors only.
  ///
  /// Throws when there is nothing to play: no JSON, no Pattern, or a file beyond `AHAPLimits`. Takes time and memory in
  /// proportion to the bytes, whatever they are.
  public static func parse(
    _ bytes: [UInt8], name: String
  ) throws(AHAPError) -> (document: AHAPDocument, diagnostics: [AHAPDiagnostic]) {
    let reader = try AHAPReader.reading(bytes, name: name)
    return (reader.document, reader.findings.diagnostics(in: bytes))
  }

  /// The sound files that an AHAP file names, where each is named first, in that order; none when it cannot be read.
  public static func waveforms(in bytes: [UInt8]) -> [(path: String, position: TextPosition)] {
    guard let reader = try? AHAPReader.reading(bytes, name: "") else { return [] }
    let named = reader.waveformOffsets.sorted { $0.value < $1.value }
    return Array(zip(named.map(\.key), TextPosition.positions(of: named.map(\.value), in: bytes)))
  }
}

extension AHAPReader {
  /// A reader that has read `bytes`.
  static func reading(_ bytes: [UInt8], name: String) throws(AHAPError) -> AHAPReader {
    if bytes.count > AHAPLimits.bytes {
      throw AHAPError(
        name: name, line: 1, column: 1, code: "too-large",
        reason: "the file has more than \(AHAPLimits.bytes) bytes, as many as are read",
        remedy: "split it into several patterns")
    }
    do throws(AHAPFailure) {
      let tape: JSONTape
      do throws(JSONFault) {
        tape = try JSONTape(scanning: bytes, .ofAHAP)
      } catch {
        throw AHAPFailure(error, in: bytes)
      }
      var reader = AHAPReader(tape)
      if bytes.starts(with: byteOrderMark) {
        reader.findings.add(
          .note, "byte-order-mark", at: 0, "the file begins with a byte order mark", apple: "skips it",
          fix: "save it as UTF-8 without a mark", isFixable: true)
      }
      try reader.read()
      return reader
    } catch {
      let position = TextPosition.positions(of: [error.offset], in: bytes)[0]
      throw AHAPError(
        name: name, line: position.line, column: position.column, code: error.code, reason: error.reason,
        remedy: error.remedy)
    }
  }
}

extension JSONRules {
  /// Core Haptics lets a comma before a closing bracket pass, and Apple's own files have some.
  fileprivate static var ofAHAP: JSONRules {
    JSONRules(
      depth: AHAPLimits.depth, nameBytes: AHAPLimits.nameBytes, textBytes: AHAPLimits.textBytes,
      allowsTrailingCommas: true)
  }
}

/// Why nothing of a file can be played, at a byte of its text.
struct AHAPFailure: Error {
  var offset: Int
  var code: String
  var reason: String
  var remedy: String
}

extension AHAPFailure {
  /// A text that is not JSON.
  fileprivate init(_ fault: JSONFault, in bytes: [UInt8]) {
    self.init(offset: fault.offset, code: fault.kind.rawValue, reason: fault.reason, remedy: fault.remedy)
    switch fault.kind {
    case .empty: (reason, remedy) = ("the file is empty", "write a Pattern in it")
    case .tooDeep: remedy = "AHAP needs six; flatten the file"
    case .notUTF8:
      guard let kind = soundFileKind(bytes) else { break }
      offset = 0
      code = "sound-file"
      reason = "this is a sound file (\(kind)), not a pattern"
      remedy = "make a pattern of it first: `starlight convert SOUND OUT.ahap`"
    default: break
    }
  }
}
