// SPDX-License-Identifier: Apache-2.0

/// Why a text is not JSON, or more than is read.
public struct JSONFault: Error, Equatable, Sendable {
  /// What kind of fault it is; raw values are stable, for machines.
  public enum Kind: String, Sendable {
    /// There is nothing but white space.
    case empty
    /// The text ends before its value does.
    case truncated
    /// Something stands where it may not.
    case syntax
    /// More than `JSONRules.depth` objects and arrays inside one another.
    case tooDeep = "too-deep"
    /// A name, a text or a number is longer than is read.
    case tooLong = "too-long"
    /// More values than are read, or more bytes.
    case tooLarge = "too-large"
    /// Bytes that are no UTF-8.
    case notUTF8 = "not-utf8"
  }

  /// What kind of fault it is.
  public var kind: Kind
  /// Where, in bytes from the text's beginning.
  public var offset: Int
  /// What is wrong there, for people.
  public var reason: String
  /// What to do about it.
  public var remedy: String
  /// Whether something else stands where a comma or the end of an object or array should be.
  var isBetweenValues = false
  /// Where the object or array begins that was not closed, as far as is known: in bytes from the text's beginning.
  var opening: Int?
  /// Where a string begins that was most likely to end before this place.
  var string: Int?
}
