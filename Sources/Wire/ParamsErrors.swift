/// For a name that is not known and those that are: the nearest, and a question to put behind the message.
public typealias Suggest = (_ name: String, _ known: [String]) -> (nearest: [String], question: String)

/// A mistyped optional field, or the first of two, would be ignored in silence: it is refused, naming the nearest.
func refuseUnknownFields(
  _ bytes: ArraySlice<UInt8>, _ schema: Schema, path: String = "", method: String, _ suggest: Suggest
) throws(RPCError) {
  guard case .object(let fields) = schema, let shape = try? scanJSON(bytes, maximumDepth: .max),
    case .object(let members) = shape
  else { return }
  var names: Set<String> = []
  for member in members {
    guard names.insert(member.name).inserted else {
      throw RPCError(
        .invalidParams, "\(method) is given \(quoted(path + member.name)) twice", hint: "give each field once")
    }
    guard let field = fields.first(where: { $0.name == member.name }) else {
      let (nearest, question) = suggest(member.name, fields.map(\.name))
      throw RPCError(
        .invalidParams, "\(method) has no field \(quoted(path + member.name))\(question)",
        hint: fields.isEmpty ? "it takes no params" : "it takes " + fields.map(\.name).joined(separator: ", "),
        candidates: nearest.isEmpty ? nil : nearest)
    }
    try refuseUnknownFields(
      bytes[member.value], field.schema, path: path + member.name + ".", method: method, suggest)
  }
}

/// Why params could not be decoded: the field's path, what is expected there, and what was found.
func invalidParams(
  _ error: any Error, _ params: ArraySlice<UInt8>, _ schema: Schema, method: String, _ suggest: Suggest
) -> RPCError {
  if case DecodingError.keyNotFound(let key, let context)? = error as? DecodingError {
    let missing = context.codingPath + [key]
    return RPCError(
      .invalidParams, "\(method) needs \(dotted(missing)), \(schema.at(missing).expectation)", hint: fieldsHint)
  }
  // The decoder does not always tell the path: the first value that the schema does not allow is the one.
  guard let value = try? decodeJSON(JSONValue.self, from: params), let mismatch = mismatch(value, schema) else {
    return RPCError(
      .invalidParams, "\(method): the params hold a number that is out of range, or half a surrogate pair",
      hint: "instants are whole microseconds within 64 bits, other numbers are doubles, and text is Unicode")
  }
  let place = mismatch.path.isEmpty ? "params" : mismatch.path
  let message = "\(method): \(place) must be \(mismatch.expected.expectation), not \(mismatch.found.summary)"
  guard case .choice(let names) = mismatch.expected, case .string(let name) = mismatch.found else {
    return RPCError(.invalidParams, message, hint: fieldsHint)
  }
  let (nearest, question) = suggest(name, names)
  return RPCError(
    .invalidParams, message + question, hint: "it is one of " + names.joined(separator: ", "),
    candidates: nearest.isEmpty ? nil : nearest)
}

private let fieldsHint = "rpc.discover describes every field of every method"

private struct Mismatch {
  var path: String
  var expected: Schema
  var found: JSONValue
}

/// The first value that `schema` does not allow.
private func mismatch(_ value: JSONValue, _ schema: Schema, path: String = "") -> Mismatch? {
  switch (schema, value) {
  case (.any, _), (.boolean, .bool), (.integer, .integer), (.number, .integer), (.number, .number),
    (.string, .string):
    return nil
  case (.choice(let names), .string(let name)) where names.contains(name): return nil
  case (.array(let element), .array(let values)):
    for (index, value) in values.enumerated() {
      if let found = mismatch(value, element, path: "\(path)[\(index)]") { return found }
    }
    return nil
  case (.object(let fields), .object(let members)):
    for field in fields {
      guard let member = members[field.name], field.isRequired || member != .null else { continue }
      let place = (path.isEmpty ? "" : path + ".") + field.name
      if let found = mismatch(member, field.schema, path: place) { return found }
    }
    return nil
  default: return Mismatch(path: path, expected: schema, found: value)
  }
}

/// `steps[2].atUs`
private func dotted(_ path: [any CodingKey]) -> String {
  path.reduce(into: "") { text, key in
    text += key.intValue.map { "[\($0)]" } ?? (text.isEmpty ? "" : ".") + key.stringValue
  }
}

extension JSONValue {
  fileprivate var summary: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): quoted(value)
    case .array: "an array"
    case .object: "an object"
    }
  }
}
