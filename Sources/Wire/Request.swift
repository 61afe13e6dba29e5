/// The envelope of one request line: who is called, and where the rest stands in it.
struct Request {
  var method: String
  /// The id's bytes just as they came, to be echoed exactly; nothing for a notification.
  var id: ArraySlice<UInt8>?
  /// The bytes of the params, if there are any.
  var params: ArraySlice<UInt8>?

  /// What cannot be read as a request, and the id where that much could be read.
  struct Refusal: Error {
    var error: RPCError
    var id: ArraySlice<UInt8>?
  }

  /// Reads the envelope.
  init(line: [UInt8], limits: Limits) throws(Refusal) {
    var found: [String: ArraySlice<UInt8>] = [:]
    do throws(RPCError) {
      for member in try Self.members(of: line, limits) {
        guard found.updateValue(line[member.value], forKey: member.name) == nil else {
          throw RPCError(
            .invalidRequest, "the request names the same member twice", hint: "id, method and params once each")
        }
      }
      id = try Self.checkedID(found["id"])
    } catch {
      throw Refusal(error: error)
    }
    do throws(RPCError) {
      // Before it is looked for: it may be the one that is mistyped.
      try Self.refuseUnknown(found)
      method = try Self.method(found)
    } catch {
      throw Refusal(error: error, id: id)
    }
    params = found["params"]
  }

  private static func refuseUnknown(_ found: [String: ArraySlice<UInt8>]) throws(RPCError) {
    guard let name = found.keys.sorted().first(where: { !["jsonrpc", "id", "method", "params"].contains($0) }) else {
      return
    }
    throw RPCError(
      .invalidRequest, "a request has no member \(quoted(name))",
      hint: "it has id, method and params; what a method takes goes into params")
  }

  private static func checkedID(_ id: ArraySlice<UInt8>?) throws(RPCError) -> ArraySlice<UInt8>? {
    switch id?.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "t"), UInt8(ascii: "f"):
      throw RPCError(
        .invalidRequest, "id must be a string, a number or null", hint: "number the requests, to tell replies apart")
    default: return id
    }
  }

  private static func method(_ found: [String: ArraySlice<UInt8>]) throws(RPCError) -> String {
    if let version = found["jsonrpc"], (try? decodeJSON(String.self, from: version)) != "2.0" {
      throw RPCError(.invalidRequest, "jsonrpc must be \"2.0\"", hint: "or leave it out")
    }
    guard let name = found["method"] else {
      throw RPCError(
        .invalidRequest, "the request has no method", hint: "for example {\"id\":1,\"method\":\"engine.status\"}")
    }
    guard let method = try? decodeJSON(String.self, from: name) else {
      throw RPCError(
        .invalidRequest, "method must be a string", hint: "for example {\"id\":1,\"method\":\"engine.status\"}")
    }
    return method
  }

  private static func members(of line: [UInt8], _ limits: Limits) throws(RPCError) -> [JSONMember] {
    let shape: JSONShape
    do {
      _ = try UTF8Span(validating: line.span)
    } catch {
      throw RPCError(.parse, "the line is not UTF-8", hint: "write every text as UTF-8, or escape it as \\u00e9")
    }
    do throws(JSONSyntaxError) {
      shape = try scanJSON(line[...], maximumDepth: limits.depth)
    } catch {
      if error.reason == .tooDeep {
        throw RPCError(
          .tooDeep, "the request nests more than \(limits.depth) arrays and objects, at byte \(error.offset)",
          hint: "the deepest that is of use, a pattern given inline, nests 8")
      }
      throw RPCError(.parse, "the line is not JSON: \(error)", hint: "one JSON object a line, ended by a line feed")
    }
    switch shape {
    case .object(let members): return members
    case .array:
      throw RPCError(
        .invalidRequest, "batches are not taken", hint: "send one request a line; they can be pipelined")
    case .scalar:
      throw RPCError(
        .invalidRequest, "a request is an object", hint: "for example {\"id\":1,\"method\":\"engine.status\"}")
    }
  }
}
