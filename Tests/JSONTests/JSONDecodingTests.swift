// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import JSON

@Suite struct JSONDecodingTests {
  private struct Holder: Decodable {
    struct Inner: Decodable {
      var whole: Int64?
      var number: Double?
      var small: Int32?
      var text: String?
      var missing: [Bool]?
    }
    var list: [Inner]
  }

  private func error(_ inner: String) -> DecodingError? {
    #expect(throws: DecodingError.self) {
      let tape = try JSONTape(scanning: Array("{\"list\":[{},\(inner)]}".utf8))
      _ = try JSONDecoding(tape).decode(Holder.self)
    }
  }

  @Test(arguments: [
    (#"{"whole":1.5}"#, "list[1].whole"), (#"{"whole":"1"}"#, "list[1].whole"), (#"{"whole":1e-400}"#, "list[1].whole"),
    (#"{"number":1e400}"#, "list[1].number"), (#"{"small":2147483648}"#, "list[1].small"),
    (#"{"text":"\ud800"}"#, "list[1].text"), (#"{"text":true}"#, "list[1].text"), ("[]", "list[1]"),
    (#"{"missing":[true,null]}"#, "list[1].missing[1]"), ("null", "list[1]"),
  ])
  func whatCannotBeReadIsToldByItsPath(inner: String, path: String) {
    switch error(inner) {
    case .dataCorrupted(let context)?, .typeMismatch(_, let context)?, .valueNotFound(_, let context)?:
      #expect(dotted(context.codingPath) == path)
    default: Issue.record("another error")
    }
  }

  @Test func aFieldThatMustBeThereIsNamed() throws {
    let tape = try JSONTape(scanning: Array("{}".utf8))
    #expect {
      _ = try JSONDecoding(tape).decode(Holder.self)
    } throws: { error in
      guard case DecodingError.keyNotFound(let key, _) = error else { return false }
      return key.stringValue == "list"
    }
  }

  @Test func nullIsNoValueOfAnOptionalField() throws {
    let tape = try JSONTape(scanning: Array(#"{"list":[{"whole":null,"number":2.0,"text":"\u00e9"}]}"#.utf8))
    let inner = try JSONDecoding(tape).decode(Holder.self).list[0]
    #expect(inner.whole == nil && inner.number == 2 && inner.text == "é")
  }

  @Test func numbersThatAreNotFiniteAreNotWritten() {
    var writer = JSONWriter()
    #expect(throws: EncodingError.self) { try writer.write(["a": Double.nan]) }
  }

  @Test func aTypeWithoutMembersIsAnEmptyObject() throws {
    struct Nothing: Codable {}
    var writer = JSONWriter()
    try writer.write([Nothing()])
    #expect(writer.bytes == Array("[{}]".utf8))
  }
}
