// SPDX-License-Identifier: Apache-2.0

/// What is read as JSON (RFC 8259) and how much of it: every bound is in bytes as they stand in the text, and is held while
/// they are scanned, before a `String` is made of any.
public struct JSONRules: Sendable {
  /// Objects and arrays inside one another; 512 at most.
  public var depth: Int
  /// The longest name of a member, its quotes not counted.
  public var nameBytes: Int
  /// The longest text, its quotes not counted.
  public var textBytes: Int
  /// Values and names in all.
  public var values: Int
  /// Whether a comma before a closing bracket passes; where it stands is noted.
  public var allowsTrailingCommas: Bool

  /// Bounds for what others wrote; a text or a number of values without a bound is bounded by the bytes there are.
  public init(
    depth: Int = 32, nameBytes: Int = 128, textBytes: Int = .max, values: Int = .max, allowsTrailingCommas: Bool = false
  ) {
    self.depth = min(depth, 512)
    self.nameBytes = nameBytes
    self.textBytes = textBytes
    self.values = values
    self.allowsTrailingCommas = allowsTrailingCommas
  }

  /// The longest number: more digits than any that a `Double` can tell apart.
  static let numberBytes = 1_024
}
