/// Any JSON value: what is passed through without being understood, such as an AHAP document inside a request.
public enum JSONValue: Codable, Sendable, Equatable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number that fits 64 bits, also one written as `1.0`.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A text, its escapes resolved.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Members by name; their order is not kept.
  case object([String: JSONValue])

  /// Reads whatever stands there; straight from the text where the decoder carries it. Throws `DecodingError`.
  public init(from decoder: any Decoder) throws {
    if let key = jsonText, let text = decoder.userInfo[key] as? ArraySlice<UInt8>,
      let value = JSONValue(at: decoder.codingPath, in: text)
    {
      self = value
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
