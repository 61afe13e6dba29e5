// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

/// A field of a method's params, as `rpc.discover` tells it to a client.
struct Described: CustomTestStringConvertible {
  var method: String
  /// Through objects and the first elements of arrays.
  var path: [String]
  var schema: [String: JSONValue]
  var testDescription: String { method + " " + path.joined(separator: ".") }

  /// Those of all methods, those inside others as well.
  static let all: [Described] = array(object(openRPCDocument(version: "1"))["methods"]).flatMap { method in
    let name = text(object(method)["name"])
    return array(object(method)["params"]).flatMap { param in
      described(object(param)["schema"], method: name, path: [text(object(param)["name"])])
    }
  }

  private static func described(_ schema: JSONValue?, method: String, path: [String]) -> [Described] {
    let members = object(schema)
    let inner =
      members["items"].map { described($0, method: method, path: path + ["0"]) }
      ?? object(members["properties"]).flatMap { described($0.value, method: method, path: path + [$0.key]) }
    return [Described(method: method, path: path, schema: members)] + inner
  }
}

/// `place` with what stands at `path` replaced.
func setting(_ place: JSONValue, _ path: ArraySlice<String>, _ value: JSONValue) -> JSONValue {
  guard let key = path.first else { return value }
  switch place {
  case .array(var elements):
    elements[0] = setting(elements[0], path.dropFirst(), value)
    return .array(elements)
  case .object(var members):
    members[key] = setting(members[key] ?? .null, path.dropFirst(), value)
    return .object(members)
  default: return value
  }
}

func object(_ value: JSONValue?) -> [String: JSONValue] {
  if case .object(let members)? = value { members } else { [:] }
}

func array(_ value: JSONValue?) -> [JSONValue] {
  if case .array(let elements)? = value { elements } else { [] }
}

func text(_ value: JSONValue?) -> String {
  if case .string(let text)? = value { text } else { "" }
}
