// SPDX-License-Identifier: Apache-2.0

import Problems

/// The text of a file, which knows where each of its bytes is.
struct BeatText {
  /// What problems call the file.
  let path: String
  /// Without a byte order mark.
  let bytes: [UInt8]

  init(_ bytes: [UInt8], path: String) {
    self.path = path
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
  }

  /// Its lines without their ends, as parts of its bytes.
  var lines: [ArraySlice<UInt8>] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0.last == 0x0D ? $0.dropLast() : $0 }
  }

  /// What is wrong at the byte `offset`, with its line and its column in Unicode scalars.
  func fault(at offset: Int, _ reason: String, remedy: String? = nil, _ kind: Problem.Kind = .syntax) -> Problem {
    let before = bytes[..<min(offset, bytes.count)]
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let line = before.count { $0 == 0x0A } + 1
    let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    return Problem(kind, reason, remedy: remedy, where: .init(file: path, line: line, column: column))
  }

  /// The decimal number that `part` is, spaces around it aside.
  func number(_ part: ArraySlice<UInt8>, _ what: String) throws(Problem) -> Double {
    let word = trimmed(part)
    guard let value = decimal(word) else {
      throw fault(at: word.startIndex, "\(what) must be a number, and is \(shown(word))")
    }
    return value
  }

  /// A text for a message, in quotes.
  func shown(_ part: ArraySlice<UInt8>) -> String {
    part.isEmpty ? "empty" : "\"\(String(decoding: part.prefix(40), as: UTF8.self))\(part.count > 40 ? "..." : "")\""
  }
}

/// Without the spaces around it.
func trimmed(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  var part = part
  while let byte = part.first, isSpace(byte) { part.removeFirst() }
  while let byte = part.last, isSpace(byte) { part.removeLast() }
  return part
}

func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

/// A finite decimal number as people write it; nil for anything else, `nan` and `0x1p3` too.
func decimal(_ word: ArraySlice<UInt8>) -> Double? {
  let isDecimal = word.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
  guard isDecimal, (1...64).contains(word.count), let value = Double(String(decoding: word, as: UTF8.self)),
    value.isFinite
  else { return nil }
  return value
}

/// The farthest from the beginning of its audio that a beat may be written, in microseconds: a day.
let farthestBeat: Double = 86_400e6
