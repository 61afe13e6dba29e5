/// One connection, for as long as it lasts. Never reused while the daemon lives.
public struct ClientID: Hashable, Sendable, BitwiseCopyable {
  /// Counts connections from 1; 0 is the daemon itself.
  public var rawValue: UInt64

  /// The connection of that number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The daemon itself: owner of what no client asked for.
  public static let daemon = ClientID(rawValue: 0)
}
