// SPDX-License-Identifier: Apache-2.0

/// Why the daemon cannot serve: the thing, the reason and the remedy.
public struct ServerError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The thing and what is wrong with it, for people.
  public let message: String
  /// What to do about it, for people, where the message does not say.
  public let remedy: String?

  /// An error that says this.
  public init(_ message: String, remedy: String? = nil) {
    self.message = message
    self.remedy = remedy
  }

  /// The message, and behind it the remedy in parentheses.
  public var description: String { message + (remedy.map { " (\($0))" } ?? "") }
}
