// SPDX-License-Identifier: Apache-2.0

import JSON

/// What can be said of a line without reading it as JSON: where its id and method stand, and how long each of its params is.
/// One look at each byte and no more, so that a line that is too long, or that cannot be read, is refused cheaply and still
/// under its id.
struct RequestOutline {
  /// Where the id stands; nothing where there is none, or more than one.
  private(set) var id: Range<Int>?
  /// Where the method's name stands, without its quotes.
  private(set) var method: Range<Int>?
  /// The members of the params.
  private(set) var params: [(name: Range<Int>, value: Range<Int>)] = []
  /// Whether the line was understood to its end.
  private(set) var isWhole = false
  private let line: [UInt8]
  private var at = 0
  private var hasSeveralIDs = false

  /// Looks at `line` until `isEnough` or its end.
  init(_ line: [UInt8], until isEnough: (RequestOutline) -> Bool = { _ in false }) {
    self.line = line
    isWhole = members { outline, name, value in
      if outline.isName(name, "id") {
        outline.hasSeveralIDs = outline.hasSeveralIDs || outline.id != nil
        outline.id = outline.hasSeveralIDs ? nil : value
      } else if outline.isName(name, "method") {
        let isText = line[value.lowerBound] == UInt8(ascii: "\"") && value.count >= 2
        outline.method = isText ? value.lowerBound + 1..<value.upperBound - 1 : nil
      } else if outline.isName(name, "params") {
        outline.noteParams(value)
      }
      return !isEnough(outline)
    }
  }

  /// The method's name; nothing for one of more than `limit` bytes, which is no method's.
  func methodName(atMost limit: Int) -> String? {
    guard let method, method.count <= limit else { return nil }
    return String(decoding: line[method], as: UTF8.self)
  }

  /// The bytes of the id, where it is one: a text, a number or `null` of at most `limit` bytes.
  func idBytes(atMost limit: Int) -> ArraySlice<UInt8>? {
    guard let id, id.count <= limit + 2, let tape = try? JSONTape(scanning: Array(line[id])) else { return nil }
    switch tape.nodes[0].kind {
    case .string, .number, .null: return line[id]
    default: return nil
    }
  }

  /// The bytes of those params that bear one of `names`.
  func bytes(of names: [String]) -> Int {
    params.reduce(0) { sum, param in sum + (names.contains { isName(param.name, $0) } ? param.value.count : 0) }
  }

  private func isName(_ range: Range<Int>, _ name: String) -> Bool { line[range].elementsEqual(name.utf8) }

  private mutating func noteParams(_ value: Range<Int>) {
    guard line[value.lowerBound] == UInt8(ascii: "{") else { return }
    let end = at
    at = value.lowerBound
    _ = members { outline, name, value in
      outline.params.append((name, value))
      return true
    }
    at = end
  }

  /// Calls `body` with each member of the object that begins here, until it answers false; whether all were understood.
  private mutating func members(
    _ body: (inout RequestOutline, _ name: Range<Int>, _ value: Range<Int>) -> Bool
  ) -> Bool {
    skipSpace()
    guard take(UInt8(ascii: "{")) else { return false }
    skipSpace()
    if take(UInt8(ascii: "}")) { return true }
    while true {
      skipSpace()
      let start = at + 1
      guard skipText() else { return false }
      let name = start..<at - 1
      skipSpace()
      guard take(UInt8(ascii: ":")) else { return false }
      skipSpace()
      let value = at
      guard skipValue() else { return false }
      guard body(&self, name, value..<at) else { return false }
      skipSpace()
      if take(UInt8(ascii: "}")) { return true }
      guard take(UInt8(ascii: ",")) else { return false }
    }
  }

  private mutating func skipValue() -> Bool {
    guard at < line.count else { return false }
    switch line[at] {
    case UInt8(ascii: "\""): return skipText()
    case UInt8(ascii: "{"), UInt8(ascii: "["): return skipNested()
    default:
      let start = at
      while at < line.count, !Self.endsWord(line[at]) { at += 1 }
      return at > start
    }
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
  }

  private mutating func skipNested() -> Bool {
    var depth = 0
    while at < line.count {
      switch line[at] {
      case UInt8(ascii: "\""):
        guard skipText() else { return false }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      at += 1
      if depth == 0 { return true }
    }
    return false
  }

  private mutating func skipText() -> Bool {
    guard take(UInt8(ascii: "\"")) else { return false }
    while at < line.count {
      let byte = line[at]
      at += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return true }
    }
    return false
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard at < line.count, line[at] == byte else { return false }
    at += 1
    return true
  }

  private mutating func skipSpace() {
    while at < line.count, line[at] == 0x20 || line[at] == 0x09 || line[at] == 0x0D || line[at] == 0x0A { at += 1 }
  }
}
