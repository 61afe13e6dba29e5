// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

/// A method that gives back what it was given.
enum Echo: WireMethod {
  static let name = "test.echo"
  static let summary = "Gives back its params."
  typealias Result = Params

  struct Params: Codable, Sendable {
    var name: String
    var atUs: Int64?
    var gain: Double?
    var loop: Bool?
    var quantise: Grid?
    var topics: [Topic]?
    var inner: Inner?
  }

  enum Grid: String, Codable, CaseIterable {
    case beat, bar
  }

  struct Inner: Codable, Sendable {
    var depth: Int
  }
}

/// A method that always fails.
enum Fail: WireMethod {
  static let name = "test.fail"
  static let summary = "Fails."
  typealias Params = Empty
  typealias Result = Empty
}

/// A router of both methods that suggests every known name.
func testRouter() -> Router<Int> {
  var router = Router<Int> { _, known in (known, "; did you mean \(known[0])?") }
  router.on(Echo.self) { params, _ throws(RPCError) in params }
  router.on(Fail.self) { _, context throws(RPCError) in
    throw RPCError(.unavailable, "refused for \(context)", hint: "wait")
  }
  return router
}

/// The reply as text.
func reply(_ line: String) -> String? {
  testRouter().reply(to: Array(line.utf8), context: 7).map { String(decoding: $0, as: UTF8.self) }
}

/// The reply's error, and the id beside it.
func refusal(_ line: String) throws -> (id: JSONValue, error: RPCError) {
  struct Reply: Decodable {
    var id: JSONValue
    var error: RPCError
  }
  let answered = testRouter().reply(to: Array(line.utf8), context: 7)
  let bytes = try #require(answered)
  let reply = try decodeJSON(Reply.self, from: bytes[...])
  return (reply.id, reply.error)
}
