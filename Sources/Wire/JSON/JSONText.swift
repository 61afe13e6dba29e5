// SPDX-License-Identifier: Apache-2.0

import JSON

/// JSON that is handed on as it was written, such as an AHAP document inside a request: it is read by whoever understands
/// it, once.
public struct JSONText: Codable, Sendable, Equatable {
  /// One JSON value, in UTF-8.
  public let bytes: [UInt8]

  /// The text of `value`; `null` where it holds a number that JSON cannot say.
  public init(_ value: JSONValue) { self.init(bytes: (try? encodeJSON(value)) ?? Array("null".utf8)) }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Takes the text that stands there, straight from the line where it is read by `JSONDecoding`. Throws `DecodingError`.
  public init(from decoder: any Decoder) throws {
    if let json = decoder as? JSONDecoding {
      self.init(bytes: Array(json.tape.slice(at: json.index)))
    } else {
      self.init(try JSONValue(from: decoder))
    }
  }

  /// Writes the plain JSON value. Throws what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try decodeJSON(JSONValue.self, from: bytes[...]).encode(to: encoder)
  }

  /// Bytes, white space between values not counted.
  public var weight: Int {
    var (count, isInText, isEscaped) = (0, false, false)
    for byte in bytes {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
      } else if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
        continue
      } else if byte == UInt8(ascii: "\"") {
        isInText = true
      }
      count += 1
    }
    return count
  }
}
