// SPDX-License-Identifier: Apache-2.0

import Haptics
import JSON

/// Writes JSON as people who care write it: two spaces a level, each entry of the two outermost levels on lines of its
/// own, and inside those every object or array on one line that fits there.
/// Numbers and strings stay as they were written.
struct CanonicalJSON {
  private static let width = 100

  private let tape: JSONTape
  private let edits: AHAPEdits
  /// How long each value is on one line, by its index.
  private var lengths: [Int]
  private var text: [UInt8] = []

  /// The whole tape as text, `edits` made, with a newline at its end.
  static func text(of tape: JSONTape, _ edits: AHAPEdits) -> String {
    var writer = CanonicalJSON(tape, edits)
    writer.write(0, level: 0, room: width)
    writer.text.append(UInt8(ascii: "\n"))
    return String(decoding: writer.text, as: UTF8.self)
  }

  private init(_ tape: JSONTape, _ edits: AHAPEdits) {
    self.tape = tape
    self.edits = edits
    lengths = Array(repeating: 0, count: tape.nodes.count)
    text.reserveCapacity(tape.bytes.count)
    // Values come after what holds them, so backwards all that is inside is known.
    for index in tape.nodes.indices.reversed() { lengths[index] = measure(index) }
  }

  private func measure(_ index: Int) -> Int {
    let node = tape.nodes[index]
    var length = 4
    switch node.kind {
    case .object:
      tape.forEachMember(of: index) { key, value in
        if !edits.removed.contains(key) { length += lengths[key] + lengths[value] + 4 }
      }
    case .array: for element in tape.elements(of: index) { length += lengths[element] + 2 }
    default: length = Int(node.end - node.start) + 2
    }
    return length
  }

  private mutating func write(_ index: Int, level: Int, room: Int) {
    let node = tape.nodes[index]
    switch node.kind {
    case .object where node.count == 0 && !addsVersion(to: index): append("{}")
    case .array where node.count == 0: append("[]")
    case .object, .array:
      let isSpread = level < 2 || lengths[index] > room
      append(node.kind == .object ? "{" : "[")
      if node.kind == .object {
        writeMembers(of: index, level, isSpread)
      } else {
        writeElements(of: index, level, isSpread)
      }
      if isSpread { newLine(level) } else if node.kind == .object { append(" ") }
      append(node.kind == .object ? "}" : "]")
    case .number:
      if let edited = edits.numbers[index] { append(decimal(edited)) } else { copy(index) }
    case .true, .false:
      if let edited = edits.numbers[index] { append(decimal(edited)) } else { copy(index) }
    case .string, .null: copy(index)
    }
  }

  private mutating func writeMembers(of index: Int, _ level: Int, _ isSpread: Bool) {
    var isFirst = true
    if addsVersion(to: index), let version = edits.version {
      newLine(level + 1)
      append("\"Version\": \(version)")
      isFirst = false
    }
    tape.forEachMember(of: index) { key, value in
      if edits.removed.contains(key) { return }
      // A null Version makes way for the one that is added.
      if index == 0 && edits.version != nil && tape.isString(key, "Version") { return }
      if !isFirst { append(",") }
      isFirst = false
      if isSpread { newLine(level + 1) } else { append(" ") }
      copy(key)
      append(": ")
      write(value, level: level + 1, room: Self.width - 2 * (level + 1) - lengths[key] - 2)
    }
  }

  private mutating func writeElements(of index: Int, _ level: Int, _ isSpread: Bool) {
    for (place, element) in (edits.order[index] ?? tape.elements(of: index)).enumerated() {
      if place > 0 { append(",") }
      if isSpread { newLine(level + 1) } else if place > 0 { append(" ") }
      write(element, level: level + 1, room: Self.width - 2 * (level + 1))
    }
  }

  private func addsVersion(to index: Int) -> Bool { index == 0 && edits.version != nil }

  private mutating func newLine(_ level: Int) {
    text.append(UInt8(ascii: "\n"))
    text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
  }

  private mutating func append(_ string: String) { text.append(contentsOf: string.utf8) }

  private mutating func copy(_ index: Int) {
    let node = tape.nodes[index]
    let quote = node.kind == .string ? 1 : 0
    text.append(contentsOf: tape.bytes[(Int(node.start) - quote)..<(Int(node.end) + quote)])
  }
}
