// SPDX-License-Identifier: Apache-2.0

import JSON

/// Any JSON value: what is passed through without being understood, such as an AHAP document inside a request.
public enum JSONValue: Codable, Sendable, Equatable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number that fits 64 bits, also one written as `1.0`, or one whose nearest `Double` is: as that it would be
  /// written again.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A text, its escapes resolved.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Members by name; their order is not kept.
  case object([String: JSONValue])

  /// Reads whatever stands there; straight from the text where it is read by `JSONDecoding`. Throws `DecodingError`.
  public init(from decoder: any Decoder) throws {
    if let json = decoder as? JSONDecoding {
      self = try JSONValue(json.tape, at: json.index)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  private init(_ tape: JSONTape, at index: Int) throws {
    switch tape.nodes[index].kind {
    case .null: self = .null
    case .true: self = .bool(true)
    case .false: self = .bool(false)
    case .number:
      if let whole = tape.integer(at: index) {
        self = .integer(whole)
      } else {
        let nearest = try JSONDecoding(tape, at: index).decode(Double.self)
        self = Int64(exactly: nearest).map { .integer($0) } ?? .number(nearest)
      }
    case .string:
      if tape.hasHalfSurrogate(at: index) { _ = try JSONDecoding(tape, at: index).decode(String.self) }
      self = .string(tape.string(at: index))
    case .array:
      var values: [JSONValue] = []
      values.reserveCapacity(Int(tape.nodes[index].count))
      for element in tape.elements(of: index) { values.append(try JSONValue(tape, at: element)) }
      self = .array(values)
    case .object:
      var members: [String: JSONValue] = [:]
      try tape.forEachMember(of: index) { name, value in members[tape.string(at: name)] = try JSONValue(tape, at: value)
      }
      self = .object(members)
    }
  }

  /// Writes the plain JSON value. Throws what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}
