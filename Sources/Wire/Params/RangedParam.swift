// SPDX-License-Identifier: Apache-2.0

import Problems

/// A number among a method's params: the daemon checks by its range, `rpc.discover` tells it, and the tool's help shows it.
public struct RangedParam<Value: ParamNumber>: DescribedParam {
  /// The field's name; `points[].value` for one of an array's elements.
  public let path: String
  /// The values that are accepted, both ends included; `ParamNumber.unbounded` stands for no upper end.
  public let range: ClosedRange<Value>
  private let hint: String

  /// A field that takes what lies in `range`; `hint` is what to do about anything else.
  public init(_ path: String, in range: ClosedRange<Value>, hint: String = "give a number in the range") {
    self.path = path
    self.range = range
    self.hint = hint
  }

  /// `value`, which must lie in the range, else it is invalid params; `name` is what the message calls the field.
  public func checked(_ value: Value, as name: String? = nil) throws(RPCError) -> Value {
    guard range.contains(value) else {
      let (field, given, ends) = (name ?? path, said(value), said(range))
      throw RPCError(.invalidParams, "\(field: field) \(given) is outside \(ends)", hint: "\(hint)")
    }
    return value
  }

  /// The same for a field that may be missing.
  public func checked(_ value: Value?) throws(RPCError) -> Value? {
    try value.map { (value) throws(RPCError) in try checked(value) }
  }

  /// The range for people: "0 to 4", or "0 and more".
  public var span: String {
    range.upperBound == .unbounded
      ? "\(range.lowerBound.paramText) and more"
      : "\(range.lowerBound.paramText) to \(range.upperBound.paramText)"
  }

  /// A value for people; microseconds are marked.
  private func said(_ value: Value) -> Wording {
    if path.hasSuffix("Us"), let microseconds = value as? Int64 { return "\(microseconds: microseconds)" }
    return Wording(value.paramText)
  }

  private func said(_ range: ClosedRange<Value>) -> Wording {
    range.upperBound == .unbounded
      ? "\(said(range.lowerBound)) and more" : "\(said(range.lowerBound)) to \(said(range.upperBound))"
  }

  /// `minimum` and `maximum`.
  public var facts: [String: JSONValue] {
    var facts = ["minimum": range.lowerBound.paramValue]
    if range.upperBound != .unbounded { facts["maximum"] = range.upperBound.paramValue }
    return facts
  }
}

extension RangedParam where Value == Int64 {
  /// The range of a length in microseconds, in seconds.
  public var seconds: ClosedRange<Double> {
    let upper = range.upperBound == .unbounded ? .infinity : Double(range.upperBound) / 1e6
    return Double(range.lowerBound) / 1e6...upper
  }
}

/// What a ranged param can be: `Double`, `Int64` or `Int`.
public protocol ParamNumber: Comparable, Sendable {
  /// As an upper end: there is none.
  static var unbounded: Self { get }
  /// As people write it: 4, not 4.0.
  var paramText: String { get }
  /// As it is sent.
  var paramValue: JSONValue { get }
}

extension Double: ParamNumber {
  /// Infinity, which JSON cannot say.
  public static var unbounded: Double { .infinity }
  /// 4, not 4.0.
  public var paramText: String { Int(exactly: self).map(String.init) ?? "\(self)" }
  /// A whole number where it is one.
  public var paramValue: JSONValue { Int64(exactly: self).map(JSONValue.integer) ?? .number(self) }
}

extension ParamNumber where Self: FixedWidthInteger {
  /// The largest there is.
  public static var unbounded: Self { .max }
  /// Its digits.
  public var paramText: String { String(self) }
  /// A whole number.
  public var paramValue: JSONValue { .integer(Int64(self)) }
}

extension Int64: ParamNumber {}
extension Int: ParamNumber {}
