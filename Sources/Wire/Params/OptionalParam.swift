// SPDX-License-Identifier: Apache-2.0

/// A number among a method's params that may be missing, and what counts then.
public struct OptionalParam<Value: ParamNumber>: DescribedParam {
  /// What it may be.
  public let given: RangedParam<Value>
  /// What counts when it is missing; within the range.
  public let fallback: Value

  /// A field that takes what lies in `range`; `hint` is what to do about anything else.
  public init(
    _ path: String, in range: ClosedRange<Value>, default fallback: Value, hint: String = "give a number in the range"
  ) {
    given = RangedParam(path, in: range, hint: hint)
    self.fallback = fallback
  }

  /// The field's name.
  public var path: String { given.path }
  /// The values that are accepted, both ends included.
  public var range: ClosedRange<Value> { given.range }

  /// `value`, which must lie in the range, else it is invalid params; the default when it is missing.
  public func checked(_ value: Value?) throws(RPCError) -> Value { try given.checked(value ?? fallback) }

  /// `minimum`, `maximum` and `default`.
  public var facts: [String: JSONValue] {
    given.facts.merging(["default": fallback.paramValue]) { first, _ in first }
  }
}

extension OptionalParam where Value == Int64 {
  /// The range of a length in microseconds, in seconds.
  public var seconds: ClosedRange<Double> { given.seconds }
}

/// A switch, a choice or a text among a method's params that may be missing, and what counts then.
public struct DefaultedParam<Value: Encodable & Sendable>: DescribedParam {
  /// The field's name.
  public let path: String
  /// What counts when it is missing.
  public let fallback: Value

  /// A field that takes whatever its type does.
  public init(_ path: String, default fallback: Value) {
    self.path = path
    self.fallback = fallback
  }

  /// `default`.
  public var facts: [String: JSONValue] {
    guard let bytes = try? encodeJSON(fallback), let value = try? decodeJSON(JSONValue.self, from: bytes[...]) else {
      return [:]
    }
    return ["default": value]
  }
}

/// The length of an array among a method's params.
public struct CountedParam: DescribedParam {
  /// The field's name.
  public let path: String
  /// How many elements are accepted.
  public let range: ClosedRange<Int>

  /// A field that takes that many elements.
  public init(_ path: String, count range: ClosedRange<Int>) {
    self.path = path
    self.range = range
  }

  /// `minItems` and `maxItems`.
  public var facts: [String: JSONValue] {
    ["minItems": range.lowerBound.paramValue, "maxItems": range.upperBound.paramValue]
  }
}
