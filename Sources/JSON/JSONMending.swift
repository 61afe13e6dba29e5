// SPDX-License-Identifier: Apache-2.0

extension JSONTape {
  /// A text as it could be read, and all that is no JSON in it.
  public struct Mended: Sendable {
    /// Nil where the text could not be read to its end.
    public var tape: JSONTape?
    /// Ascending.
    public var faults: [JSONFault]
  }

  /// Scans `bytes`, and reads on behind slips whose meaning is plain: a comment, a comma left out or doubled, quotes of the
  /// wrong kind, a zero too many, a word of another language, a quote or a bracket that is missing. What is put in their place has as many bytes, so that offsets
  /// are those of the text as it is; its lines are not. At most `most` slips are read on behind; each costs another scan.
  public static func read(_ bytes: [UInt8], _ rules: JSONRules, mendingAtMost most: Int) -> Mended {
    var (text, faults): ([UInt8], [JSONFault]) = (bytes, [])
    var mended = 0
    while true {
      let tape: JSONTape?
      do throws(JSONFault) {
        tape = try JSONTape(scanning: text, rules)
      } catch {
        var fault = error
        let isMended =
          close(&text, of: bytes, &fault, &faults) ?? (fault.kind == .syntax && mend(&text, &fault))
        faults.append(fault)
        mended += 1
        if isMended, mended <= most { continue }
        tape = nil
      }
      // What was left open is told where it begins.
      faults.sort { $0.offset < $1.offset }
      return Mended(tape: tape, faults: faults)
    }
  }

  /// Overwrites what is at fault by what was meant, as far as that is plain; the fault's remedy says it.
  private static func mend(_ text: inout [UInt8], _ fault: inout JSONFault) -> Bool {
    let at = fault.offset
    guard at < text.count else { return false }
    let next = at + 1 < text.count ? text[at + 1] : 0
    switch text[at] {
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
      return blank(&text, at, through: Array("*/".utf8))
    case UInt8(ascii: "#"):
      return blank(&text, at, through: [])
    case UInt8(ascii: "/") where next == UInt8(ascii: "/"):
      return blank(&text, at, through: [])
    case UInt8(ascii: ","):
      text[at] = UInt8(ascii: " ")
      fault.remedy = "remove the comma"
      return true
    case UInt8(ascii: "'"):
      return requote(&text, at)
    case UInt8(ascii: "0"), UInt8(ascii: "+"):
      guard isDigit(next) else { return separate(&text, at, &fault) }
      text[at] = UInt8(ascii: " ")
      return true
    default: return translate(&text, at, &fault) || separate(&text, at, &fault)
    }
  }

  /// A comment becomes space: to `end`, or to the end of its line.
  private static func blank(_ text: inout [UInt8], _ start: Int, through end: [UInt8]) -> Bool {
    var at = start
    while at < text.count {
      if end.isEmpty ? isNewline(text[at]) : at > start + 1 && text[at...].starts(with: end) { break }
      at += 1
    }
    if at == text.count, !end.isEmpty { return false }
    for place in start..<(at + end.count) { text[place] = UInt8(ascii: " ") }
    return true
  }

  /// 'this' becomes "this", where it is on one line and has no quotes in it.
  private static func requote(_ text: inout [UInt8], _ start: Int) -> Bool {
    var at = start + 1
    while at < text.count, !isNewline(text[at]), text[at] != UInt8(ascii: "\""), text[at] != UInt8(ascii: "\\") {
      if text[at] == UInt8(ascii: "'") {
        text[start] = UInt8(ascii: "\"")
        text[at] = UInt8(ascii: "\"")
        return true
      }
      at += 1
    }
    return false
  }

  /// True, TRUE and None of other languages.
  private static func translate(_ text: inout [UInt8], _ start: Int, _ fault: inout JSONFault) -> Bool {
    for (word, meant) in [("True", "true"), ("TRUE", "true"), ("False", "false"), ("FALSE", "false"), ("None", "null")]
    where text[start...].starts(with: word.utf8) {
      text.replaceSubrange(start..<(start + meant.utf8.count), with: meant.utf8)
      fault.remedy = "write \(meant)"
      return true
    }
    return false
  }

  /// A comma put into the space before what begins another value.
  private static func separate(_ text: inout [UInt8], _ at: Int, _ fault: inout JSONFault) -> Bool {
    guard fault.isBetweenValues, at > 0, "\"{[-0123456789tfn".utf8.contains(text[at]) else { return false }
    // Without space it would be part of what is before it.
    guard [0x20, 0x09, 0x0A, 0x0D].contains(text[at - 1]) else { return false }
    text[at - 1] = UInt8(ascii: ",")
    fault.remedy = "put a comma before it"
    return true
  }

  private static func isNewline(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
}
