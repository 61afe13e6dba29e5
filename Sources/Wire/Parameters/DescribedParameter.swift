// SPDX-License-Identifier: Apache-2.0

/// What is known of one of a method's params besides its type.
public protocol DescribedParameter: Sendable {
  /// The field's name; `points[].value` for one of an array's elements.
  var path: String { get }
  /// Members of its JSON Schema, such as `minimum` and `default`.
  var facts: [String: JSONValue] { get }
}

extension WireMethod {
  /// What is known of the params besides their types: whatever `Parameters` holds, so that there is no second list.
  public static var describedParameters: [any DescribedParameter] {
    Mirror(reflecting: parameters).children.compactMap { $0.value as? any DescribedParameter }
  }
}

extension WireMethod where Parameters == Empty {
  /// Nothing.
  public static var parameters: Empty { Empty() }
}
