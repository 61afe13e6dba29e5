// SPDX-License-Identifier: Apache-2.0

import JSON

/// From a method's name to its typed handler: a line in, a line out.
///
/// JSON-RPC 2.0, one request a line. `jsonrpc` may be left out, so that requests can be typed by hand, but must be
/// `"2.0"` where it stands. Params are objects; batches are refused, because requests can be pipelined instead. A line is
/// scanned once: envelope, check and params are all read from the same tape.
///
/// A router is not copied, or the server would copy its own for each line.
public struct Router<Context>: ~Copyable {
  /// Writes the result of the params behind what is written; of none where a line has none and all may be left out.
  @usableFromInline typealias Answer = (JSONDecoding?, Context, inout JSONWriter) throws -> Void

  /// By the number that the reader gives a method.
  @usableFromInline private(set) var answers: [Answer] = []
  /// All that hangs on no `Context`: of what does, the compiler knows the type only where a line is served, and elsewhere has
  /// it looked up for each line.
  @usableFromInline let methods: MethodTable

  /// A router that knows no method. Without `suggest`, unknown names are reported without candidates.
  public init(limits: Limits = Limits(), suggest: @escaping Suggest = { _, _ in ([], "") }) {
    methods = MethodTable(limits: limits, suggest: suggest)
  }

  /// What reads its lines; any thread may.
  public var reader: RequestReader { methods.reader }

  /// What is in a line, for `reply(to:context:)`.
  @inlinable public func read(_ line: [UInt8]) -> ReadLine { methods.reader.read(line) }

  /// The names that are answered, in alphabetical order.
  public var methodNames: [String] { methods.names }

  /// Answers `method` with `handler`.
  public mutating func on<Method: WireMethod>(
    _ method: Method.Type,
    _ handler: @escaping (Method.Params, Context) throws(RPCError) -> Method.Result
  ) {
    add(method) { params, context, writer in
      let result = try handler(params, context)
      do {
        try Method.write(result, to: &writer)
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
    // Many lines have no params: what they come to is worked out once. Here and not where a line is served: an optional of what is
    // generic has its type looked up there, each time.
    let none = try? JSONDecoding(JSONTape.emptyObject).decode(Method.Params.self)
    let number = methods.add(method, takesNone: none != nil)
    let read: Answer =
      if let none {
        { json, context, writer in
          guard let json else { return try answer(none, context, &writer) }
          try answer(json.decode(Method.Params.self), context, &writer)
        }
      } else {
        { json, context, writer in
          guard let json else { throw undecodable(method: Method.name) }
          try answer(json.decode(Method.Params.self), context, &writer)
        }
      }
    if number < answers.count { answers[number] = read } else { answers.append(read) }
  }

  /// The reply to one line, without its line feed; nothing for a notification or a blank line.
  @inlinable public func reply(to line: [UInt8], context: Context) -> [UInt8]? {
    switch read(line) {
    case .request(let reading): reply(to: reading, context: context)
    case .refused(let reply): reply
    }
  }

  /// The reply to a line that was read; nothing for a notification.
  @inlinable public func reply(to reading: ReadRequest, context: Context) -> [UInt8]? {
    methods.reply(to: reading) { number, params, writer in try answers[number](params, context, &writer) }
  }

  /// An error in reply to what bears no id that could be read, such as a line that is too long.
  public static func errorLine(_ error: RPCError) -> [UInt8] { Wire.errorLine(error, id: nil) }
}

private func unwritable(_ method: String) -> RPCError {
  RPCError(
    .internal, "the result of \(method) cannot be written as JSON", hint: "report what was asked, and the daemon's log")
}
