// SPDX-License-Identifier: Apache-2.0

/// Why the daemon cannot serve: the thing, the reason and the remedy.
public struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// For people.
  public let message: String

  /// An error that says this.
  public init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}
