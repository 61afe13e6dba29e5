// SPDX-License-Identifier: Apache-2.0

import JSON

/// An entry for a manifest: something new, as it is to be written there.
public struct ManifestAddition: Equatable, Sendable {
  /// The part of a manifest that it belongs into.
  public enum Section: String, CaseIterable, Sendable {
    case tracks, sounds, patterns, chapters
  }

  public var section: Section
  /// A name as packs have them.
  public var name: String
  /// Its fields: an object, as JSON.
  public var text: String

  /// The entry `name` of a section.
  public init(_ section: Section, _ name: String, _ text: String) {
    self.section = section
    self.name = name
    self.text = text
  }

  /// The manifest with these entries at the ends of their sections, all else of it byte for byte as it was; throws where it
  /// is no JSON.
  public static func manifest(
    _ bytes: [UInt8], adding additions: [ManifestAddition], path: String
  ) throws(PackFaults) -> [UInt8] {
    let tape = try PackFile(bytes, path: path).tape
    var insertions: [(offset: Int, text: String)] = []
    var newSections: [String] = []
    for section in Section.allCases {
      let entries = additions.filter { $0.section == section }.map { "    \(jsonString($0.name)): \($0.text)" }
      if entries.isEmpty { continue }
      let lines = entries.joined(separator: ",\n")
      if let index = tape.member(section.rawValue, of: 0), tape.nodes[index].kind == .object {
        insertions.append(insertion(lines, endOf: index, indent: "  ", tape))
      } else {
        newSections.append("  \(jsonString(section.rawValue)): {\n\(lines)\n  }")
      }
    }
    if !newSections.isEmpty {
      insertions.append(insertion(newSections.joined(separator: ",\n"), endOf: 0, indent: "", tape))
    }
    var text = bytes
    for (offset, addition) in insertions.sorted(by: { $0.offset > $1.offset }) {
      text.insert(contentsOf: addition.utf8, at: offset)
    }
    return text
  }

  /// Behind the last member of the object at `index`.
  private static func insertion(
    _ lines: String, endOf index: Int, indent: String, _ tape: JSONTape
  ) -> (offset: Int, text: String) {
    var last: Int?
    tape.forEachMember(of: index) { _, value in last = value }
    guard let last else { return (Int(tape.nodes[index].end) - 1, "\n\(lines)\n\(indent)") }
    let node = tape.nodes[last]
    return (Int(node.end) + (node.kind == .string ? 1 : 0), ",\n\(lines)")
  }
}
