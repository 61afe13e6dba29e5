// SPDX-License-Identifier: Apache-2.0

import JSON

/// From a method's name to its typed handler: a line in, a line out.
///
/// JSON-RPC 2.0, one request a line. `jsonrpc` may be left out, so that requests can be typed by hand, but must be
/// `"2.0"` where it stands. Params are objects; batches are refused, because requests can be pipelined instead. A line is
/// scanned once: envelope, check and params are all read from the same tape.
public struct Router<Context> {
  private let suggest: Suggest
  private var handlers: [String: Handler] = [:]
  private let limits: Limits

  private struct Handler {
    var params: Schema
    var longParams: [String]
    var longTexts: [String]
    /// Writes the result of the params behind what is written.
    var answer: (JSONDecoding, Context, inout JSONWriter) throws -> Void
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
    add(method) { params, context, writer in
      let result = try handler(params, context)
      do {
        try writer.write(result)
      } catch {
        throw unwritable(Method.name)
      }
    }
  }

  /// Answers `method` always with `result`, which is written as JSON only once.
  public mutating func on<Method: WireMethod>(_ method: Method.Type, always result: Method.Result) {
    let written = try? encodeJSON(result)
    add(method) { _, _, writer in
      guard let written else { throw unwritable(Method.name) }
      writer.copy(written)
    }
  }

  private mutating func add<Method: WireMethod>(
    _ method: Method.Type, _ answer: @escaping (Method.Params, Context, inout JSONWriter) throws -> Void
  ) {
    handlers[Method.name] = Handler(
      params: Schema(of: Method.Params.self), longParams: Method.longParams, longTexts: Method.longTexts
    ) { json, context, writer in
      try answer(try json.decode(Method.Params.self), context, &writer)
    }
  }

  /// A line that was read: it is served once, or again with what was worked out for it elsewhere.
  public struct Reading {
    fileprivate let request: Request
  }

  /// What comes of reading a line.
  public enum ReadLine {
    /// A request that is within bounds.
    case request(Reading)
    /// No request: what it is answered; nothing for a blank line, and for a notification that is out of bounds.
    case refused([UInt8]?)
  }

  /// Reads one line, without its line feed.
  public func read(_ line: [UInt8]) -> ReadLine {
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return .refused(nil) }
    if line.count > limits.requestBytes, let refusal = overlong(line) {
      return .refused(refusal.isNotification ? nil : Self.errorLine(refusal.error, id: refusal.id))
    }
    do throws(Request.Refusal) {
      return .request(Reading(request: try Request(line: line, limits: limits)))
    } catch {
      return .refused(Self.errorLine(error.error, id: error.id))
    }
  }

  /// The reply to one line, without its line feed; nothing for a notification or a blank line.
  public func reply(to line: [UInt8], context: Context) -> [UInt8]? {
    switch read(line) {
    case .request(let reading): reply(to: reading, context: context)
    case .refused(let reply): reply
    }
  }

  /// The reply to a line that was read; nothing for a notification.
  public func reply(to reading: Reading, context: Context) -> [UInt8]? {
    let request = reading.request
    let id = request.id.map { request.tape.slice(at: $0) }
    do throws(RPCError) {
      var writer = JSONWriter()
      writer.copy("{\"jsonrpc\":\"2.0\",\"id\":")
      writer.copy(id ?? [])
      writer.copy(",\"result\":")
      try writeResult(of: request, context, &writer)
      writer.copy("}")
      return id == nil ? nil : writer.bytes
    } catch {
      return id == nil ? nil : Self.errorLine(error, id: id)
    }
  }

  /// An error in reply to what bears no id that could be read, such as a line that is too long.
  public static func errorLine(_ error: RPCError) -> [UInt8] { errorLine(error, id: nil) }

  private static func errorLine(_ error: RPCError, id: ArraySlice<UInt8>?) -> [UInt8] {
    let object = (try? encodeJSON(error)) ?? Array("{\"code\":-32603,\"message\":\"internal error\"}".utf8)
    return Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8) + (id ?? ArraySlice("null".utf8))
      + Array(",\"error\":".utf8) + object + Array("}".utf8)
  }

  private func writeResult(
    of request: Request, _ context: Context, _ writer: inout JSONWriter
  ) throws(RPCError) {
    guard let handler = handlers[request.method] else {
      let (nearest, question) = suggest(request.method, methodNames)
      throw RPCError(
        .unknownMethod, "no method \(quoted(request.method))\(question)",
        hint: "\(method: "rpc.discover") lists every method",
        candidates: nearest.isEmpty ? nil : nearest)
    }
    // Without params there is nothing on the line to read: an object without members stands for them.
    let tape = request.params == nil ? JSONTape.emptyObject : request.tape
    let params = request.params ?? 0
    let check = ParamsCheck(
      tape: tape, method: request.method, longTexts: handler.longTexts, nameBytes: limits.nameBytes,
      suggest: suggest, params: params)
    try check.check(handler.params)
    do {
      try handler.answer(JSONDecoding(tape, at: params), context, &writer)
    } catch let error as RPCError {
      throw error
    } catch {
      throw undecodable(method: request.method)
    }
  }

  /// Why a line is not to be read for its length: only what a method takes that is long by nature makes a line long. Told
  /// before any of it is read as JSON.
  private func overlong(_ line: [UInt8]) -> (error: RPCError, id: ArraySlice<UInt8>?, isNotification: Bool)? {
    switch line.first(where: { $0 > 0x20 }) {
    case UInt8(ascii: "{"): break
    case UInt8(ascii: "["): return (Request.batches, nil, false)
    // Refused for its first bytes.
    default: return nil
    }
    let outline = RequestOutline(line) { outline in
      outline.id != nil && outline.methodName.map { longParams(of: $0).isEmpty } ?? false
    }
    let method = outline.methodName ?? ""
    let long = longParams(of: method)
    // Where in a pattern something is wrong is told by whoever reads it.
    if !long.isEmpty && !outline.isWhole { return nil }
    let rest = line.count - outline.bytes(of: long)
    guard rest > limits.requestBytes else { return nil }
    let besides = long.isEmpty ? "" : " besides " + long.joined(separator: " and ")
    let name = handlers[method] == nil ? "the request" : method
    return (
      RPCError(
        .lineTooLong, "\(name) has \(rest) bytes\(besides), more than \(limits.requestBytes)",
        hint: "only patterns, curves and beat maps may be longer; session.hello tells the limits"),
      outline.idBytes(atMost: limits.nameBytes), outline.isWhole && outline.id == nil && outline.method != nil
    )
  }

  private func longParams(of method: String) -> [String] { handlers[method]?.longParams ?? [] }
}

private func unwritable(_ method: String) -> RPCError {
  RPCError(
    .internal, "the result of \(method) cannot be written as JSON", hint: "report what was asked, and the daemon's log")
}
