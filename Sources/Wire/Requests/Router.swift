// SPDX-License-Identifier: Apache-2.0

import JSON

/// From a method's name to its typed handler: a line in, a line out.
///
/// JSON-RPC 2.0, one request a line. `jsonrpc` may be left out, so that requests can be typed by hand, but must be
/// `"2.0"` where it stands. Params are objects; batches are refused, because requests can be pipelined instead. A line is
/// scanned once: envelope, check and params are all read from the same tape.
public struct Router<Context> {
  private let suggest: Suggest
  /// By the number that the reader gives a method.
  private var handlers: [Handler] = []
  private let limits: Limits
  /// What reads its lines; any thread may.
  public private(set) var reader: RequestReader

  private struct Handler {
    var params: Schema
    var longTexts: [String]
    var counted: [CountedParam]
    var mayBeLeft: Bool
    /// Writes the result of the params behind what is written.
    var answer: (JSONDecoding, Context, inout JSONWriter) throws -> Void
  }

  /// A router that knows no method. Without `suggest`, unknown names are reported without candidates.
  public init(limits: Limits = Limits(), suggest: @escaping Suggest = { _, _ in ([], "") }) {
    self.limits = limits
    self.suggest = suggest
    reader = RequestReader(limits: limits)
  }

  /// The names that are answered, in alphabetical order.
  public var methodNames: [String] { reader.numbers.keys.sorted() }

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

  /// Whether what is dear of what is asked may be left to another thread (`WireMethod.mayBeLeft`).
  public func mayBeLeft(_ reading: ReadRequest) -> Bool { reading.number.map { handlers[$0].mayBeLeft } ?? false }

  private mutating func add<Method: WireMethod>(
    _ method: Method.Type, _ answer: @escaping (Method.Params, Context, inout JSONWriter) throws -> Void
  ) {
    let handler = Handler(
      params: Schema(of: Method.Params.self), longTexts: Method.longTexts, counted: Method.countedParams,
      mayBeLeft: Method.mayBeLeft
    ) { json, context, writer in
      try answer(try json.decode(Method.Params.self), context, &writer)
    }
    let number = reader.add(Method.name, longParams: Method.longParams)
    if number < handlers.count { handlers[number] = handler } else { handlers.append(handler) }
  }

  /// The reply to one line, without its line feed; nothing for a notification or a blank line.
  public func reply(to line: [UInt8], context: Context) -> [UInt8]? {
    switch reader.read(line) {
    case .request(let reading): reply(to: reading, context: context)
    case .refused(let reply): reply
    }
  }

  /// The reply to a line that was read; nothing for a notification.
  public func reply(to reading: ReadRequest, context: Context) -> [UInt8]? {
    let request = reading.request
    let id = request.id.map { request.tape.slice(at: $0) }
    do throws(RPCError) {
      var writer = JSONWriter(reserving: 512)
      writer.copy("{\"jsonrpc\":\"2.0\",\"id\":")
      writer.copy(id ?? [])
      writer.copy(",\"result\":")
      try writeResult(of: reading, context, &writer)
      writer.copy("}")
      return id == nil ? nil : writer.bytes
    } catch {
      return id == nil ? nil : Wire.errorLine(error, id: id)
    }
  }

  /// An error in reply to what bears no id that could be read, such as a line that is too long.
  public static func errorLine(_ error: RPCError) -> [UInt8] { Wire.errorLine(error, id: nil) }

  private func writeResult(
    of reading: ReadRequest, _ context: Context, _ writer: inout JSONWriter
  ) throws(RPCError) {
    let request = reading.request
    guard let handler = reading.number.map({ handlers[$0] }) else {
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
      tape: tape, method: request.method, longTexts: handler.longTexts, counted: handler.counted,
      nameBytes: limits.nameBytes, suggest: suggest, params: params)
    try check.check(handler.params)
    do {
      try handler.answer(JSONDecoding(tape, at: params), context, &writer)
    } catch let error as RPCError {
      throw error
    } catch {
      throw undecodable(method: request.method)
    }
  }
}

private func unwritable(_ method: String) -> RPCError {
  RPCError(
    .internal, "the result of \(method) cannot be written as JSON", hint: "report what was asked, and the daemon's log")
}
