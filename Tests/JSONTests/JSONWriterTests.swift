// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import JSON

@Suite struct JSONWriterTests {
  private func text(_ value: some Encodable) throws -> String {
    var writer = JSONWriter()
    try writer.write(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Members of every kind, out of order, around an object that is out of order as well.
  private struct Outer: Encodable {
    struct Inner: Encodable {
      var b = "y"
      var ab = Int32(-3)
      var a = [2, 1]
    }

    var z = true
    var inner = Inner()
    var half = 0.5
    var count = 12
    var large = Int64.min
    var aa: String? = "\"quoted\"\n"
    var none: Int?
    var a = "plain"
  }

  @Test func theMembersOfEachObjectAreInAlphabeticalOrder() throws {
    let whole = #""a":"plain","aa":"\"quoted\"\n","count":12,"half":0.5,"inner":{"a":[2,1],"ab":-3,"b":"y"}"#
    #expect(try text(Outer()) == "{\(whole),\"large\":-9223372036854775808,\"z\":true}")
  }

  @Test(arguments: [0, 1, 2, 33, 500]) func soAreThoseOfADictionaryOfAnySize(count: Int) throws {
    let members = Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0 * 7919 % 1_000)", $0) })
    let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    #expect(try text(members) == "{" + sorted.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}")
  }

  @Test(
    arguments: [
      (["b": 1, "a": 2], #"{"n":18446744073709551615,"a":2,"b":1}"#), ([:], #"{"n":18446744073709551615}"#),
      (["a": .nan], #"{"n":18446744073709551615}"#),
    ] as [([String: Double], String)])
  func membersAreCopiedBehindOthersOrNotAtAll(object: [String: Double], whole: String) {
    var writer = JSONWriter(reserving: 8)
    writer.copy("{\"n\":")
    writer.write(UInt64.max)
    try? writer.copyMembers { (writer) throws in try writer.write(object) }
    writer.copy("}")
    #expect(String(decoding: writer.bytes, as: UTF8.self) == whole)
    #expect(writer.openMembers == 0)
  }
}
