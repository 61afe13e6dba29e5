// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Wire

/// docs/protocol.md lists what there is, in the words of the OpenRPC document.
@Suite struct ProtocolPageTests {
  private static func page(_ name: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return String(decoding: try Data(contentsOf: root.appending(path: "docs/\(name)")), as: UTF8.self)
  }

  /// The rows of the table with these columns, each cell without the blanks around it.
  private func rows(_ columns: String...) throws -> [[String]] {
    let lines = try Self.page("protocol.md").split(separator: "\n", omittingEmptySubsequences: false)
    let head = try #require(lines.firstIndex(of: "| \(columns.joined(separator: " | ")) |"))
    return lines[(head + 2)...].prefix { $0.hasPrefix("| ") }.map { line in
      line.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
    }
  }

  /// A member of an object of the document that is text.
  private func text(_ value: JSONValue, _ member: String) -> String {
    if case .object(let members) = value, case .string(let text)? = members[member] { text } else { "" }
  }

  private func entries(_ list: String) -> [JSONValue] {
    guard case .object(let document) = openRPCDocument(version: "1"), case .array(let entries)? = document[list] else {
      return []
    }
    return entries
  }

  @Test func everyMethodIsListedInTheDocumentsWords() throws {
    let listed = try rows("method", "what it does", "section")
    let methods = entries("methods")
    #expect(listed.count == methods.count && !methods.isEmpty)
    for (row, method) in zip(listed, methods) {
      #expect(Array(row.prefix(2)) == ["`\(text(method, "name"))`", text(method, "summary")])
    }
  }

  @Test func everyNotificationIsListedWithItsTopic() throws {
    let listed = try rows("topic", "notification", "what it reports", "section")
    let notifications = entries("x-notifications")
    #expect(listed.count == notifications.count)
    for (row, told) in zip(listed, notifications) {
      #expect(Array(row.prefix(3)) == ["`\(text(told, "topic"))`", "`\(text(told, "name"))`", text(told, "summary")])
    }
    #expect(Set(listed.map { $0[0] }) == Set(Topic.allCases.map { "`\($0.rawValue)`" }))
  }

  @Test func everyLimitIsListedWithWhatItIs() throws {
    let listed = try rows("limit", "value", "of what").map { Array($0.prefix(2)) }
    let limits = Mirror(reflecting: Limits()).children.map { ["`\($0.label ?? "")`", "\($0.value)"] }
    #expect(listed == limits)
  }

  @Test func everySectionThatIsNamedIsThere() throws {
    let all =
      try rows("method", "what it does", "section") + rows("topic", "notification", "what it reports", "section")
    for row in all {
      let link = try #require(row.last?.wholeMatch(of: #/\[(.+)\]\((.*)#(.+)\)/#), "\(row)")
      let file = link.2.isEmpty ? "protocol.md" : String(link.2)
      let headings = try Self.page(file).split(separator: "\n").filter { $0.hasPrefix("##") }
        .map { $0.drop { $0 == "#" }.dropFirst() }
      #expect(headings.contains(link.1), "\(row)")
      #expect(link.3 == link.1.lowercased().replacing(" ", with: "-").replacing(",", with: ""), "\(row)")
    }
  }
}
