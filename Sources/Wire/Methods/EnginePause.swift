// SPDX-License-Identifier: Apache-2.0

/// Who pauses the engine, and since when.
public struct PauseState: Codable, Sendable, Equatable {
  /// From this instant on nothing is heard or felt; what was told for it or later moves.
  public var atUs: Int64
  /// How many clients hold it, each by `engine.pause`.
  public var clients: Int
  /// Whether the daemon holds it itself, for the system's sleep.
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
    /// Who holds it still; nothing where it goes on.
    public var paused: PauseState?
    /// When it goes on, where it does.
    public var resumedUs: Int64?
    /// How much later than told all comes that was told for the pause's `atUs` or later, where it goes on.
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

  /// Whether that is for the system's sleep: the client that welcomes the player back calls `engine.resume` then.
  public var sleep: Bool

  public init(sleep: Bool) { self.sleep = sleep }
}

/// The engine goes on.
public struct EngineResumed: WireNotification {
  public static let name = "engine.resumed"
  public static let topic = Topic.engine
  public static let summary =
    "The engine goes on in place from `tUs` on: what was reported for the pause or later comes `movedUs` later."

  /// How much later.
  public var movedUs: Int64

  public init(movedUs: Int64) { self.movedUs = movedUs }
}
