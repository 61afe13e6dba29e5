// SPDX-License-Identifier: Apache-2.0

import Outcomes

/// Calls off something that music was asked for.
public enum MusicCancel: WireMethod {
  public static let name = "music.cancel"
  public static let summary = "Calls off a planned verb of music, by the `plan` of its reply."
  public static let refusals: [RPCError.Kind] = [.notRunning, .busy, .heldByChapter]

  public struct Params: Codable, Sendable, Equatable {
    /// The `plan` of the verb's reply.
    public var plan: Int64

    /// The plan of that number.
    public init(plan: Int64) { self.plan = plan }
  }

  /// Nothing but that it worked: `music.cancelled` reports what was called off.
  public typealias Result = Empty
}

/// A verb of music that was planned does not happen.
public struct MusicCancelled: WireNotification {
  public static let name = "music.cancelled"
  public static let topic = Topic.music
  public static let summary = "A verb of music that was planned will not happen."

  /// The `plan` of the verb's reply.
  public var plan: Int64
  /// The verb that was planned.
  public var verb: MusicVerbName
  /// Why it does not happen.
  public var reason: CancelReason
  /// The instant that it was planned for.
  public var plannedUs: Int64
  /// The cue that it was part of, by the id that `cue.fire` gave.
  public var cue: Int64?

  /// What was called off, and why.
  public init(plan: Int64, verb: MusicVerbName, reason: CancelReason, plannedUs: Int64, cue: Int64? = nil) {
    self.plan = plan
    self.verb = verb
    self.reason = reason
    self.plannedUs = plannedUs
    self.cue = cue
  }

  /// When it was to be.
  public mutating func moveInstants(_ moved: (Int64) -> Int64) { plannedUs = moved(plannedUs) }
}
