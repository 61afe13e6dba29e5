// SPDX-License-Identifier: Apache-2.0

/// Strings, objects and lists that were left open: where they begin is told, and they are closed where it is plain that they
/// were to end.
extension JSONTape {
  /// Closes what is open at a fault; the fault then tells what that is. `told` are the faults before it: one that follows from
  /// this is taken back. `bytes` are the text as it is written. Nil where nothing is left open, false where its end is not plain.
  static func close(
    _ text: inout [UInt8], of bytes: [UInt8], _ fault: inout JSONFault, _ told: inout [JSONFault]
  ) -> Bool? {
    if let string = fault.string { return split(&text, string, &fault) }
    let at = fault.offset
    guard let opening = fault.opening else {
      return fault.kind == .syntax && at < text.count && text[at] == quote ? closeString(&text, at) : nil
    }
    let closer = Self.closer(of: text[opening])
    if fault.kind == .truncated { return closeAtTheEnd(&text, of: bytes, &fault, opening, closer, &told) }
    guard at < text.count else { return nil }
    var place = at
    switch text[at] {
    case UInt8(ascii: "}"), UInt8(ascii: "]"): break
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      // Where a comma is missing it may be all that is.
      if fault.isBetweenValues { return nil }
    case UInt8(ascii: ":"):
      guard closer == UInt8(ascii: "]"), let key = stringEnding(before: at, text) else { return nil }
      (place, fault.offset) = (key, key)
      fault.reason = "a key stands in a list"
    default: return nil
    }
    fault.reason += ": the \(character(text[opening])) of \(position(of: opening, bytes)) is not closed"
    fault.remedy = "write \(character(closer)) before it"
    guard put(closer, into: &text, before: place) else { return false }
    told.removeAll { $0.isBetweenValues && $0.offset == place }
    return true
  }

  private static let quote = UInt8(ascii: "\"")

  /// A string that does not end on its line: what closes the line is not of it.
  private static func closeString(_ text: inout [UInt8], _ start: Int) -> Bool {
    guard let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) else { return false }
    let after = text[start..<end].lastIndex { !" \t\r,}]".utf8.contains($0) } ?? start
    // The line's end makes room for the quote.
    for place in stride(from: end, to: after + 1, by: -1) { text[place] = text[place - 1] }
    text[after + 1] = quote
    return true
  }

  /// A string whose end was meant to begin another: "one, "two" and "key: "value".
  private static func split(_ text: inout [UInt8], _ start: Int, _ fault: inout JSONFault) -> Bool {
    let end = fault.offset - 1
    let word = text[fault.offset...].prefix(32).prefix { !" \t\r\n,:]}\"".utf8.contains($0) }
    fault.offset = start
    fault.reason = "the string that begins here ends before \(String(decoding: word, as: UTF8.self))"
    fault.remedy = "close it where it was to end; a quote inside a text is written \\\""
    let isBetween = end - start > 3 && text[end - 1] == UInt8(ascii: " ") && ",:".utf8.contains(text[end - 2])
    guard isBetween else { return false }
    (text[end - 2], text[end - 1]) = (quote, text[end - 2])
    return true
  }

  /// The text ends inside an object or list: which one was left open the lines' indentation tells, where they have any.
  private static func closeAtTheEnd(
    _ text: inout [UInt8], of bytes: [UInt8], _ fault: inout JSONFault, _ innermost: Int, _ closer: UInt8,
    _ told: inout [JSONFault]
  ) -> Bool {
    if let (opening, before) = leftOpen(text, upTo: bytes.count) {
      let closer = Self.closer(of: text[opening])
      fault.offset = opening
      fault.reason = "the \(character(text[opening])) that begins here is not closed"
      let line = TextPosition.positions(of: [bytes[before...].firstIndex { !isSpace($0) } ?? before], in: bytes)[0].line
      fault.remedy = "write \(character(closer)) before line \(line)"
      guard put(closer, into: &text, before: before) else { return false }
      told.removeAll { $0.isBetweenValues && (before...(before + 1)).contains($0.offset) }
      return true
    }
    fault.offset = innermost
    fault.reason = "the \(character(text[innermost])) that begins here is not closed"
    fault.remedy = "write \(character(closer)) where it was to end"
    text.append(closer)
    return true
  }

  /// The first object or list that the lines behind it leave, being indented less than what it holds, and the place of the
  /// line that does so. What was put behind `end` is on no line.
  private static func leftOpen(_ text: [UInt8], upTo end: Int) -> (opening: Int, before: Int)? {
    struct Open {
      var at: Int
      var line: Int
      var indent: Int
      /// Whether its own lines are indented; nil before the first of them.
      var isIndented: Bool?
    }
    var open: [Open] = []
    var (line, indent, isLineStart) = (0, 0, true)
    var at = text.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    while at < end {
      let byte = text[at]
      switch byte {
      case UInt8(ascii: "\n"): (line, indent, isLineStart) = (line + 1, 0, true)
      case 0x20, 0x09: if isLineStart { indent += 1 }
      case 0x0D: break
      default:
        let isCloser = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
        if isLineStart {
          isLineStart = false
          for index in open.indices.reversed() {
            if open[index].isIndented != nil || open[index].line == line { break }
            open[index].isIndented = indent > open[index].indent
          }
          if let last = open.last, last.isIndented == true, isCloser ? indent < last.indent : indent <= last.indent {
            return (last.at, at)
          }
        }
        if isCloser { _ = open.popLast() }
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
          open.append(Open(at: at, line: line, indent: indent))
        }
        if byte == quote { at = endOfString(at, text) }
      }
      at += 1
    }
    return nil
  }

  private static func endOfString(_ start: Int, _ text: [UInt8]) -> Int {
    var at = start + 1
    while at < text.count, text[at] != quote { at += text[at] == UInt8(ascii: "\\") ? 2 : 1 }
    return at
  }

  /// Where the string begins behind which, but for space, `place` is.
  private static func stringEnding(before place: Int, _ text: [UInt8]) -> Int? {
    guard let end = text[..<place].lastIndex(where: { !isSpace($0) }), text[end] == quote else { return nil }
    return text[..<end].indices.last { text[$0] == quote && ($0 == 0 || text[$0 - 1] != UInt8(ascii: "\\")) }
  }

  /// Puts a bracket into the space before `place`, and before a comma there.
  private static func put(_ closer: UInt8, into text: inout [UInt8], before place: Int) -> Bool {
    let comma = UInt8(ascii: ",")
    guard let last = text[..<place].lastIndex(where: { !isSpace($0) }) else { return false }
    if text[last] == comma, last + 1 < place {
      (text[last], text[last + 1]) = (closer, comma)
    } else if text[last] == comma, isSpace(text[last - 1]) {
      text[last - 1] = closer
    } else if text[last] != comma, last + 1 < place {
      text[last + 1] = closer
    } else {
      return false
    }
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func closer(of bracket: UInt8) -> UInt8 {
    bracket == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
  }

  private static func character(_ byte: UInt8) -> Character { Character(UnicodeScalar(byte)) }

  /// "line 6, column 12".
  private static func position(of offset: Int, _ text: [UInt8]) -> String {
    let place = TextPosition.positions(of: [offset], in: text)[0]
    return "line \(place.line), column \(place.column)"
  }
}
