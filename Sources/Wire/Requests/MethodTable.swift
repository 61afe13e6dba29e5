// SPDX-License-Identifier: Apache-2.0

import JSON

/// What a router knows of its methods besides their handlers, and how a reply comes about.
///
/// A class: a struct as large as this is copied for each call of whoever keeps it in a class.
@usableFromInline final class MethodTable {
  /// What reads lines.
  @usableFromInline private(set) var reader: RequestReader
  private let limits: Limits
  private let suggest: Suggest
  /// By the number that the reader gives a method.
  private var facts: [Facts] = []

  private struct Facts {
    var params: Schema
    var longTexts: [String]
    var counted: [CountedParam]
    /// Whether all of its params may be left out.
    var takesNone: Bool
  }

  init(limits: Limits, suggest: @escaping Suggest) {
    self.limits = limits
    self.suggest = suggest
    reader = RequestReader(limits: limits)
  }

  /// The names that are known, in alphabetical order.
  var names: [String] { reader.methods.keys.sorted() }

  /// Knows another method; its number, which is that of the one before where there was one of that name.
  func add<Method: WireMethod>(_ method: Method.Type, takesNone: Bool) -> Int {
    let known = Facts(
      params: Schema(of: Method.Params.self), longTexts: Method.longTexts, counted: Method.countedParams,
      takesNone: takesNone)
    let number = reader.add(method)
    if number < facts.count { facts[number] = known } else { facts.append(known) }
    return number
  }

  /// The reply to a line that was read, its result written by `answer`, which is given the method's number and its params where
  /// there are any; nothing for a notification.
  @usableFromInline func reply(
    to reading: ReadRequest, _ answer: (Int, JSONDecoding?, inout JSONWriter) throws -> Void
  ) -> [UInt8]? {
    let request = reading.request
    let id = request.id.map { request.tape.slice(at: $0) }
    do throws(RPCError) {
      let number = try number(of: reading)
      let params = try checkedParams(of: request, number)
      var writer = JSONWriter(reserving: 512)
      writer.copy("{\"jsonrpc\":\"2.0\",\"id\":")
      writer.copy(id ?? [])
      writer.copy(",\"result\":")
      do {
        try answer(number, params, &writer)
      } catch let error as RPCError {
        throw error
      } catch {
        throw undecodable(method: request.method)
      }
      writer.copy("}")
      return id == nil ? nil : writer.bytes
    } catch {
      return id == nil ? nil : errorLine(error, id: id)
    }
  }

  private func number(of reading: ReadRequest) throws(RPCError) -> Int {
    if let known = reading.known { return known.number }
    let (nearest, question) = suggest(reading.method, names)
    throw RPCError(
      .unknownMethod, "no method \(quoted(reading.method))\(question)",
      hint: "\(method: "rpc.discover") lists every method",
      candidates: nearest.isEmpty ? nil : nearest)
  }

  /// The params on the line, held against the method's; nothing where it has none, and needs none.
  private func checkedParams(of request: Request, _ number: Int) throws(RPCError) -> JSONDecoding? {
    let facts = facts[number]
    if request.params == nil, facts.takesNone { return nil }
    // Without params there is nothing on the line to read: an object without members stands for them.
    let tape = request.params == nil ? JSONTape.emptyObject : request.tape
    let params = request.params ?? 0
    let check = ParamsCheck(
      tape: tape, method: request.method, longTexts: facts.longTexts, counted: facts.counted,
      nameBytes: limits.nameBytes, suggest: suggest, params: params)
    try check.check(facts.params)
    return JSONDecoding(tape, at: params)
  }
}
