// SPDX-License-Identifier: Apache-2.0

/// One connection, for as long as it lasts. Never reused while the daemon lives.
public struct ClientID: Hashable, Sendable, BitwiseCopyable {
  /// Counts connections from 1; 0 is the daemon itself.
  public var rawValue: UInt64

  /// The connection of that number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The daemon itself: owner of what no client asked for.
  public static let daemon = ClientID(rawValue: 0)
}

/// Whose line something goes back to: it travels with a request to its plan, its voice or player, and what is told of it.
public struct Cause: Hashable, Sendable, BitwiseCopyable {
  /// Who asked.
  public var client: ClientID
  /// Whose share pays for it, also after the client has gone: the user id of the client's process.
  public var user: UInt32
  /// The number of the line among its client's, from 1; 0 where no line asked.
  public var line: UInt64
  /// Whether what it asked for is paid out of what is kept for the urgent (`Shares`).
  var paysUrgently = false

  /// Line number `line` of `client`, which runs as `user`.
  public init(client: ClientID, user: UInt32 = 0, line: UInt64 = 0) {
    self.client = client
    self.user = user
    self.line = line
  }

  /// Equal whoever is to pay.
  public static func == (one: Cause, other: Cause) -> Bool {
    one.client == other.client && one.user == other.user && one.line == other.line
  }

  /// Equal ones come to the same.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(client)
    hasher.combine(user)
    hasher.combine(line)
  }

  /// What the daemon does by itself, such as a chapter's feedback.
  public static let daemon = Cause(client: .daemon)
}
