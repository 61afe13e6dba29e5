// SPDX-License-Identifier: Apache-2.0

import Wire

/// What a game hears of the daemon, in order.
public enum Event: Sendable {
  /// The daemon is there and set up: requests can be sent. Comes again each time it is there again. Whoever begins to listen is
  /// told first which of this and `disconnected` it is now.
  case connected(Session)
  /// The daemon is not there, and why; told again where the reason is another. It is looked for from then on, at intervals of
  /// 50 ms rising to 2 s.
  case disconnected(ClientError)
  /// The pack that bare names are of was read anew: what is asked for from here on is of that reading, what began keeps its own.
  /// Follows `connected` where that happened while there was no connection.
  case packRead(generation: Int)
  /// The daemon tells something; `tUs` is the instant it tells of, on the daemon's clock.
  case told(Notification, tUs: Int64)
  /// What `Starlight.ask` asked was done: the answer, in its place among what is told.
  case answered(Answer)
  /// What was sent without waiting for its answer was not done.
  case refused(Refusal)
  /// Between the last event and the next some were dropped, for they were not read in time.
  case lost(Lost)
}

/// What the daemon is at when a connection to it begins.
public struct Session: Sendable, Equatable {
  /// Limits, capabilities, version, the clock's kind and the boot id.
  public var hello: SessionHello.Result
  /// The pack that bare names are of; none where none is loaded.
  public var pack: String?
  /// Which reading of the pack; counted over all packs, from each start of the daemon.
  public var generation: Int?
  /// Outputs, music, chapter, settings and problems as the connection began.
  public var snapshot: EngineStatus.Result
  /// What of an earlier connection still holds.
  public var continuity: Continuity

  /// A connection that begins so: for the tests of a game, which has to be right whatever the daemon is at.
  public init(
    hello: SessionHello.Result, pack: String?, generation: Int? = nil, snapshot: EngineStatus.Result,
    continuity: Continuity
  ) {
    self.hello = hello
    self.pack = pack
    self.generation = generation
    self.snapshot = snapshot
    self.continuity = continuity
  }

  /// What of an earlier connection still holds. The pack, the subscriptions, the clock's mapping and the game's own hold the
  /// client has asked for anew; beats that were told ahead it has recalled; the rest is the game's.
  public enum Continuity: Sendable, Equatable {
    /// There was none.
    case first
    /// The daemon is the same. Music, its plans, parameters and settings are as they were, and a chapter goes on for its
    /// lease: `rhythm.takeOver` makes it this client's. What was felt, what looped, cues to come, `haptics.gain` and a
    /// pause ended with the connection.
    case sameDaemon
    /// The daemon was started anew: but for the player's settings nothing is left, and no id, plan or run means anything.
    case newDaemon
  }
}

/// Why a request that was sent without waiting was not done.
public struct Refusal: Sendable, Equatable {
  /// What `send` gave for it.
  public var ticket: Int64
  /// The method's name.
  public var method: String
  /// The daemon's error, or why it was not heard of: where the connection ended before its answer, `notConnected` if it was not
  /// sent by then, `unanswered` if nobody knows whether it was done.
  public var error: ClientError

  /// A refusal of what was sent as `ticket`: for the tests of a game, which has to be right whatever is refused.
  public init(ticket: Int64, method: String, error: ClientError) {
    self.ticket = ticket
    self.method = method
    self.error = error
  }
}

/// What a reader was too slow for.
public struct Lost: Sendable, Equatable {
  /// Notifications by their topics. `rhythm.status` and `music.status` tell what stands now.
  public var notifications: [Topic: Int] = [:]
  /// Refusals of what was sent.
  public var refusals = 0
  /// Answers to what was asked.
  public var answers = 0
  /// How often the pack was read anew; `Starlight.generation` has the reading of now.
  public var readings = 0
  /// How often the connection began or ended; `Starlight.session` has the one of now.
  public var connections = 0

  /// Nothing.
  public init() {}

  mutating func add(_ event: Event, _ topic: Topic?) {
    switch event {
    case .told: if let topic { notifications[topic, default: 0] += 1 }
    case .refused: refusals += 1
    case .answered: answers += 1
    case .connected, .disconnected: connections += 1
    case .packRead: readings += 1
    case .lost: break
    }
  }
}
