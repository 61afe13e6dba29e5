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
    /// No answer in time.
    case timedOut
    /// The daemon answered with an error.
    case rpc(RPCError)
    /// The daemon said something that is not understood.
    case protocolViolation
  }

  /// What happened.
  public var kind: Kind
  /// What happened and what to do about it, for people.
  public var message: String

  /// An error of a kind.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The daemon's own error, its hint behind its message.
  public init(_ error: RPCError) {
    self.init(.rpc(error), error.message + (error.data.hint.map { " (\($0))" } ?? ""))
  }

  /// The message.
  public var description: String { message }
}
