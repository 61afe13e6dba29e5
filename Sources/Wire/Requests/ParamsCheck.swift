// SPDX-License-Identifier: Apache-2.0

import JSON
import Problems

/// For a name that is not known and those that are: the nearest, and a question to put behind the message.
public typealias Suggest = (_ name: String, _ known: [String]) -> (nearest: [String], question: String)

/// Holds params against their schema while they are still text: what passes can be decoded, but for a number that no
/// `Double` holds and half of a surrogate pair.
///
/// A mistyped optional field, or the first of two, would be ignored in silence: it is refused, naming the nearest. So is a
/// text longer than a name may be, before anything looks for it.
struct ParamsCheck {
  let tape: JSONTape
  let method: String
  /// The fields whose texts may be longer than names.
  let longTexts: [String]
  /// How many elements arrays may have, where that is said: held against it before any of them is looked at.
  let counted: [CountedParam]
  let nameBytes: Int
  let suggest: Suggest

  /// Where the params are on the tape.
  let params: Int

  /// Checks all of the params.
  func check(_ schema: Schema) throws(RPCError) {
    guard tape.nodes[params].kind == .object else {
      throw RPCError(
        .invalidParams, "\(method): params must be an object",
        hint: "params go by name, for example {\"track\":\"main\"}; leave them out where there are none")
    }
    try check(params, schema, of: [])
  }

  /// Checks a value; `fields` are those of the object that it is in.
  private func check(_ index: Int, _ schema: Schema, of fields: [Schema.Field]) throws(RPCError) {
    switch (schema, tape.nodes[index].kind) {
    case (.any, _), (.boolean, .true), (.boolean, .false), (.number, .number): return
    case (.integer, .number) where tape.integer(at: index) != nil: return
    case (.string, .string): try checkLength(index)
    case (.choice(let names), .string):
      try checkLength(index, among: names)
      if !names.contains(where: { tape.isString(index, $0) }) { throw mismatch(index, schema, of: fields) }
    case (.array(let element), .array):
      try checkCount(index)
      for value in tape.elements(of: index) { try check(value, element, of: fields) }
    case (.object(let fields), .object): try check(index, fields)
    default: throw mismatch(index, schema, of: fields)
    }
  }

  private func check(_ index: Int, _ fields: [Schema.Field]) throws(RPCError) {
    var seen: UInt64 = 0
    try tape.forEachMember(of: index) { (name, value) throws(RPCError) in
      if !tape.repeatedNames.isEmpty, tape.repeatedNames.contains(name) {
        throw RPCError(
          .invalidParams, "\(method) is given \(quoted(path(to: value))) twice", hint: "give each field once")
      }
      guard let place = fields.firstIndex(where: { tape.isString(name, $0.name) }) else {
        throw unknown(name, value, fields)
      }
      let field = fields[place]
      seen |= 1 << UInt64(place & 63)
      try check(value, field.schema, of: fields)
    }
    for (place, field) in fields.enumerated() where field.isRequired && seen & 1 << UInt64(place & 63) == 0 {
      let holder = path(to: index)
      throw RPCError(
        .invalidParams,
        "\(method) needs \(holder.isEmpty ? "" : holder + ".")\(field.name), \(field.schema.expectation)",
        hint: hint(of: fields))
    }
  }

  private func unknown(_ name: Int, _ value: Int, _ fields: [Schema.Field]) -> RPCError {
    let (given, known) = (tape.string(at: name), fields.map(\.name))
    // "at" has too few letters to be like "atUs".
    let timed = given + "Us"
    let (nearest, question) = suggest(known.contains(timed) ? timed : given, known)
    return RPCError(
      .invalidParams, "\(method) has no field \(quoted(path(to: value)))\(question)",
      hint: hint(of: fields),
      candidates: nearest.isEmpty ? nil : nearest)
  }

  private func checkLength(_ index: Int, among names: [String]? = nil) throws(RPCError) {
    let length = Int(tape.nodes[index].end - tape.nodes[index].start)
    if length <= nameBytes { return }
    let path = path(to: index)
    if longTexts.contains(path) { return }
    throw RPCError(
      .invalidParams, Wording("\(method): \(path) has \(length) bytes; a name has \(nameBytes) at most"),
      hint: names.map { Wording("it is one of " + $0.joined(separator: ", ")) }
        ?? hint(ofOverlong: field(index), of: method))
  }

  private func checkCount(_ index: Int) throws(RPCError) {
    let count = Int(tape.nodes[index].count)
    guard counted.contains(where: { count > $0.range.upperBound }) else { return }
    let path = path(to: index)
    guard let param = counted.first(where: { $0.path == path }), count > param.range.upperBound else { return }
    throw RPCError(
      .invalidParams,
      "\(method): \(path) has \(count) elements; it takes \(param.range.lowerBound) to \(param.range.upperBound)",
      hint: "give fewer at once")
  }

  private func mismatch(_ index: Int, _ schema: Schema, of fields: [Schema.Field]) -> RPCError {
    let path = path(to: index)
    let message =
      "\(method): \(path.isEmpty ? "params" : path) must be \(schema.expectation), not \(summary(index))"
    // Taken for a field that is left out it would have `sound.stop` stop all where no sound came to be that had an id.
    if tape.nodes[index].kind == .null {
      return RPCError(.invalidParams, message, hint: "leave out what is not meant; \(hint(of: fields))")
    }
    if case .array(.choice(let names)) = schema, tape.nodes[index].kind == .string {
      let given = tape.string(at: index)
      let (nearest, question) = names.contains(given) ? ([given], "") : suggest(given, names)
      return RPCError(
        .invalidParams, message + question,
        hint: "one is written [\(quoted(nearest.first ?? names[0]))]; they are " + names.joined(separator: ", "),
        candidates: nearest.isEmpty ? nil : nearest)
    }
    if case .integer = schema, tape.nodes[index].kind == .number {
      let unit = field(index).hasSuffix("Us") ? " of microseconds" : ""
      return RPCError(.invalidParams, message, hint: "give a whole number\(unit), of 64 bits and without a fraction")
    }
    guard case .choice(let names) = schema, tape.nodes[index].kind == .string else {
      return RPCError(.invalidParams, message, hint: hint(of: fields))
    }
    let (nearest, question) = suggest(tape.string(at: index), names)
    return RPCError(
      .invalidParams, message + question, hint: "it is one of " + names.joined(separator: ", "),
      candidates: nearest.isEmpty ? nil : nearest)
  }

  /// Where a value is within the params, as people write it: found only when something is wrong with it.
  private func path(to index: Int) -> String {
    dotted(Array(tape.path(to: index).dropFirst(tape.path(to: params).count)))
  }

  /// The name of the member that a value is, or that it is an element of.
  private func field(_ index: Int) -> String {
    tape.path(to: index).last { $0.intValue == nil }?.stringValue ?? ""
  }

  private func summary(_ index: Int) -> String {
    switch tape.nodes[index].kind {
    case .array, .object: tape.noun(at: index)
    default: tape.excerpt(at: index)
    }
  }
}

/// What is said of params that pass their check and cannot be decoded.
func undecodable(method: String) -> RPCError {
  RPCError(
    .invalidParams, "\(method): the params hold a number that is out of range, or half a surrogate pair",
    hint: "instants are whole microseconds within 64 bits, other numbers are doubles, and text is Unicode")
}

/// The fields there are: those that must be given first.
private func hint(of fields: [Schema.Field]) -> String {
  if fields.isEmpty { return "it takes no params" }
  let names = fields.filter(\.isRequired) + fields.filter { !$0.isRequired }
  return "it takes " + names.map(\.name).joined(separator: ", ")
}

/// Names come from clients: shown in quotes, and cut where they are absurdly long.
func quoted(_ name: String) -> String { "\"" + excerpt(name) + "\"" }
