// SPDX-License-Identifier: Apache-2.0

import JSON

/// A line that came from the daemon.
package enum ServerMessage {
  /// The result or the error of the request with this id.
  case reply(id: Int64?, Result<ArraySlice<UInt8>, RPCError>)
  case notification(method: String, seq: Int64, tUs: Int64, params: ArraySlice<UInt8>)

  /// Reads one line; nothing when it is neither.
  package init?(line: [UInt8]) {
    guard let tape = try? JSONTape(scanning: line, .ofTheDaemon), tape.nodes[0].kind == .object else { return nil }
    func member<Value: Decodable>(_ name: String, as type: Value.Type) -> Value? {
      tape.member(name, of: 0).flatMap { try? JSONDecoding(tape, at: $0).decode(type) }
    }
    if tape.member("error", of: 0) != nil {
      guard let error = member("error", as: RPCError.self) else { return nil }
      self = .reply(id: member("id", as: Int64.self), .failure(error))
    } else if let result = tape.member("result", of: 0) {
      self = .reply(id: member("id", as: Int64.self), .success(tape.slice(at: result)))
    } else {
      struct Stamp: Decodable {
        var seq: Int64
        var tUs: Int64
      }
      guard let method = member("method", as: String.self), let stamp = member("params", as: Stamp.self),
        let params = tape.member("params", of: 0)
      else { return nil }
      self = .notification(method: method, seq: stamp.seq, tUs: stamp.tUs, params: tape.slice(at: params))
    }
  }
}

/// The line of a request, without its line feed. `params` is an object as JSON.
package func requestLine(id: Int64, method: String, params: [UInt8]) -> [UInt8] {
  let name = (try? encodeJSON(method)) ?? []
  return Array("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":".utf8) + name + Array(",\"params\":".utf8) + params
    + Array("}".utf8)
}
