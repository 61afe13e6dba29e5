/// From a method's name to its typed handler: a line in, a line out.
///
/// JSON-RPC 2.0, one request a line. `jsonrpc` may be left out, so that requests can be typed by hand, but must be
/// `"2.0"` where it stands. Params are objects; batches are refused, because requests can be pipelined instead.
public struct Router<Context> {
  private let suggest: Suggest
  private var handlers: [String: Handler] = [:]
  private let limits: Limits

  private struct Handler {
    var params: Schema
    var answer: (ArraySlice<UInt8>, Context) throws -> [UInt8]
  }

  /// A router that knows no method. Without `suggest`, unknown names are reported without candidates.
  public init(limits: Limits = Limits(), suggest: @escaping Suggest = { _, _ in ([], "") }) {
    self.limits = limits
    self.suggest = suggest
  }

  /// The names that are answered, in alphabetical order.
  public var methodNames: [String] { handlers.keys.sorted() }

  /// Answers `method` with `handler`.
  public mutating func on<Method: WireMethod>(
    _ method: Method.Type,
    _ handler: @escaping (Method.Params, Context) throws(RPCError) -> Method.Result
  ) {
    handlers[Method.name] = Handler(params: Schema(of: Method.Params.self)) { bytes, context in
      let params = try decodeJSON(Method.Params.self, from: bytes)
      do {
        return try encodeJSON(try handler(params, context))
      } catch let error as RPCError {
        throw error
      } catch {
        throw unwritable(Method.name)
      }
    }
  }

  /// Answers `method` always with `result`, which is written as JSON only once.
  public mutating func on<Method: WireMethod>(_ method: Method.Type, always result: Method.Result) {
    let written = try? encodeJSON(result)
    handlers[Method.name] = Handler(params: Schema(of: Method.Params.self)) { params, _ in
      _ = try decodeJSON(Method.Params.self, from: params)
      guard let written else { throw unwritable(Method.name) }
      return written
    }
  }

  /// The reply to one line, without its line feed; nothing for a notification or a blank line.
  public func reply(to line: [UInt8], context: Context) -> [UInt8]? {
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
    let request: Request
    do throws(Request.Refusal) {
      request = try Request(line: line, limits: limits)
    } catch {
      return Self.errorLine(error.error, id: error.id)
    }
    let reply: [UInt8]
    do throws(RPCError) {
      reply =
        Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8) + (request.id ?? []) + Array(",\"result\":".utf8)
        + (try result(of: request, context)) + Array("}".utf8)
    } catch {
      reply = Self.errorLine(error, id: request.id)
    }
    return request.id == nil ? nil : reply
  }

  /// An error in reply to what bears no id that could be read, such as a line that is too long.
  public static func errorLine(_ error: RPCError) -> [UInt8] { errorLine(error, id: nil) }

  private static func errorLine(_ error: RPCError, id: ArraySlice<UInt8>?) -> [UInt8] {
    let object = (try? encodeJSON(error)) ?? Array("{\"code\":-32603,\"message\":\"internal error\"}".utf8)
    return Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8) + (id ?? ArraySlice("null".utf8))
      + Array(",\"error\":".utf8) + object + Array("}".utf8)
  }

  private func result(of request: Request, _ context: Context) throws(RPCError) -> [UInt8] {
    guard let handler = handlers[request.method] else {
      let (nearest, question) = suggest(request.method, methodNames)
      throw RPCError(
        .unknownMethod, "no method \(quoted(request.method))\(question)", hint: "rpc.discover lists every method",
        candidates: nearest.isEmpty ? nil : nearest)
    }
    let params = request.params ?? ArraySlice("{}".utf8)
    guard params.first == UInt8(ascii: "{") else {
      throw RPCError(
        .invalidParams, "\(request.method): params must be an object",
        hint: "params go by name, for example {\"track\":\"main\"}; leave them out where there are none")
    }
    try refuseUnknownFields(params, handler.params, method: request.method, suggest)
    do {
      return try handler.answer(params, context)
    } catch let error as RPCError {
      throw error
    } catch {
      throw invalidParams(error, params, handler.params, method: request.method, suggest)
    }
  }
}

private func unwritable(_ method: String) -> RPCError {
  RPCError(
    .internal, "the result of \(method) cannot be written as JSON", hint: "report what was asked, and the daemon's log")
}

/// Names come from clients: shown in quotes, and cut where they are absurdly long.
func quoted(_ name: String) -> String {
  "\"" + name.prefix(64) + (name.count > 64 ? "..." : "") + "\""
}
