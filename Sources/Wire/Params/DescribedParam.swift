// SPDX-License-Identifier: Apache-2.0

/// What is known of one of a method's params besides its type.
public protocol DescribedParam: Sendable {
  /// The field's name; `points[].value` for one of an array's elements.
  var path: String { get }
  /// Members of its JSON Schema, such as `minimum` and `default`.
  var facts: [String: JSONValue] { get }
}

extension WireMethod {
  /// What is known of the params besides their types: whatever `Ranges` holds, so that there is no second list.
  public static var describedParams: [any DescribedParam] {
    Mirror(reflecting: ranges).children.compactMap { $0.value as? any DescribedParam }
  }

  /// Those of them that are arrays of so many elements.
  static var countedParams: [CountedParam] { describedParams.compactMap { $0 as? CountedParam } }
}

extension WireMethod where Ranges == Empty {
  /// Nothing.
  public static var ranges: Empty { Empty() }
}
