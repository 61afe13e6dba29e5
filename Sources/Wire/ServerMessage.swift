/// A line that came from the daemon.
package enum ServerMessage {
  /// The result or the error of the request with this id.
  case reply(id: Int64?, Result<ArraySlice<UInt8>, RPCError>)
  case notification(method: String, seq: Int64, tUs: Int64, params: ArraySlice<UInt8>)

  /// Reads one line; nothing when it is neither.
  package init?(line: [UInt8]) {
    guard let shape = try? scanJSON(line[...], maximumDepth: .max), case .object(let list) = shape else { return nil }
    let members = Dictionary(list.map { ($0.name, line[$0.value]) }) { first, _ in first }
    if let error = members["error"] {
      guard let error = try? decodeJSON(RPCError.self, from: error) else { return nil }
      self = .reply(id: Self.id(members), .failure(error))
    } else if let result = members["result"] {
      self = .reply(id: Self.id(members), .success(result))
    } else {
      struct Stamp: Decodable {
        var seq: Int64
        var tUs: Int64
      }
      guard let name = members["method"], let params = members["params"],
        let method = try? decodeJSON(String.self, from: name), let stamp = try? decodeJSON(Stamp.self, from: params)
      else { return nil }
      self = .notification(method: method, seq: stamp.seq, tUs: stamp.tUs, params: params)
    }
  }

  private static func id(_ members: [String: ArraySlice<UInt8>]) -> Int64? {
    members["id"].flatMap { try? decodeJSON(Int64.self, from: $0) }
  }
}

/// The line of a request, without its line feed. `params` is an object as JSON.
package func requestLine(id: Int64, method: String, params: [UInt8]) -> [UInt8] {
  let name = (try? encodeJSON(method)) ?? []
  return Array("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":".utf8) + name + Array(",\"params\":".utf8) + params
    + Array("}".utf8)
}
