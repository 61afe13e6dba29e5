// SPDX-License-Identifier: Apache-2.0

import Wire

/// Why the daemon could not be asked, or what it answered instead of a result.
public struct ClientError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What happened, for programs.
  public enum Kind: Sendable, Equatable {
    /// No socket at any of these paths.
    case notFound([String])
    /// The socket cannot be connected to: no daemon behind it, or not permitted.
    case refused
    /// The daemon closed the connection.
    case closed
    /// It was sent, and the connection ended before its answer: nobody knows whether it was done. The remedy says what tells.
    case unanswered
    /// No answer in time.
    case timedOut
    /// The daemon answered with an error.
    case rpc(RPCError)
    /// The daemon said something that is not understood.
    case protocolViolation
    /// There is no connection now: nothing was sent.
    case notConnected
    /// So much waits for the daemon already that this was not sent.
    case outboxFull
    /// The task that waited for the answer was cancelled; what was asked for may be done all the same.
    case cancelled
    /// The client asks this by itself, so that it can ask it anew; the remedy names its own way.
    case reserved
    /// The system has no thread or descriptor left for a client.
    case noResources
  }

  /// What happened, for programs.
  public var kind: Kind
  /// What happened, for people: one sentence.
  public var reason: String
  /// What to do about it, for people; nil where nothing is known to help.
  public var remedy: String?

  /// An error of a kind.
  public init(_ kind: Kind, _ reason: String, remedy: String? = nil) {
    self.kind = kind
    self.reason = reason
    self.remedy = remedy
  }

  /// The daemon's own error, its hint as the remedy.
  public init(_ error: RPCError) {
    self.init(.rpc(error), error.message, remedy: error.data.hint)
  }

  /// There was no answer in so many microseconds.
  static func timedOut(_ timeoutUs: Int64) -> ClientError {
    ClientError(.timedOut, "the daemon did not answer within \(Double(timeoutUs) / 1e6) s")
  }

  /// The reason, and behind it the remedy in parentheses.
  public var message: String { reason + (remedy.map { " (\($0))" } ?? "") }

  /// The message.
  public var description: String { message }
}
