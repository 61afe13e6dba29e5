// SPDX-License-Identifier: Apache-2.0

/// Who pauses the engine, and since when.
public struct PauseState: Codable, Sendable, Equatable {
  /// The instant from which nothing is heard or felt; what was reported for it or later moves.
  public var atUs: Int64
  /// How many clients hold the pause, each by `engine.pause`.
  public var clients: Int
  /// Whether the daemon holds it, too, for the system's sleep.
  public var sleep: Bool

  /// Held by so many clients, and for the system's sleep or not.
  public init(atUs: Int64, clients: Int, sleep: Bool) {
    self.atUs = atUs
    self.clients = clients
    self.sleep = sleep
  }
}

/// Pauses everything that has a time.
public enum EnginePause: WireMethod {
  public static let name = "engine.pause"
  public static let summary =
    "Pauses music, sounds, haptics, chapters and all that is planned, until this client resumes or leaves."
  public static let refusals: [RPCError.Kind] = [.busy]
  public typealias Params = Empty
  /// Who holds it now.
  public typealias Result = PauseState
}

/// Lets go of a client's pause.
public enum EngineResume: WireMethod {
  public static let name = "engine.resume"
  public static let summary =
    "Ends this client's pause, or the one for a sleep that is over; all goes on in place when nobody holds it."
  public static let refusals: [RPCError.Kind] = [.notRunning]
  public typealias Params = Empty

  public struct Result: Codable, Sendable, Equatable {
    /// Who still holds the pause; missing where all goes on.
    public var paused: PauseState?
    /// The instant at which all goes on, where it does.
    public var resumedUs: Int64?
    /// How much later everything comes that was reported for the pause's `atUs` or later, where all goes on.
    public var movedUs: Int64?

    /// It stays paused, or goes on.
    public init(paused: PauseState? = nil, resumedUs: Int64? = nil, movedUs: Int64? = nil) {
      self.paused = paused
      self.resumedUs = resumedUs
      self.movedUs = movedUs
    }
  }
}

/// From `tUs` on nothing is heard or felt, until `engine.resumed`.
public struct EnginePaused: WireNotification {
  public static let name = "engine.paused"
  public static let topic = Topic.engine
  public static let summary =
    "The engine pauses: from `tUs` on nothing is heard or felt, and what was reported for later does not come yet."

  /// Whether this is for the system's sleep: after it, the client that welcomes the player back calls `engine.resume`.
  public var sleep: Bool

  public init(sleep: Bool) { self.sleep = sleep }
}

/// The engine goes on.
public struct EngineResumed: WireNotification {
  public static let name = "engine.resumed"
  public static let topic = Topic.engine
  public static let summary =
    "The engine goes on in place from `tUs` on: what was reported for the pause or later comes `movedUs` later."

  /// How much later everything comes that was reported for the pause or later.
  public var movedUs: Int64

  public init(movedUs: Int64) { self.movedUs = movedUs }
}
