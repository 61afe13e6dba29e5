// SPDX-License-Identifier: Apache-2.0

/// Agrees on the protocol and reports what this daemon can do.
public enum SessionHello: WireMethod {
  public static let name = "session.hello"
  public static let summary =
    "Agrees on the protocol version and reports the daemon's limits, capabilities, clock and boot id."
  public static let refusals: [RPCError.Kind] = [.unsupportedProtocol]

  public struct Params: Codable, Sendable, Equatable {
    /// The protocol version the client speaks; the daemon's own when missing.
    public var `protocol`: Int?
    /// The client's name, for the log.
    public var client: String?

    public init(protocol: Int? = nil, client: String? = nil) {
      self.protocol = `protocol`
      self.client = client
    }
  }

  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// The one that is spoken.
    public let version = OptionalParam("protocol", in: protocolVersion...protocolVersion, default: protocolVersion)
  }

  public struct Result: Codable, Sendable, Equatable {
    /// The protocol version spoken.
    public var `protocol`: Int
    /// Name and version of the daemon.
    public var server: String
    /// `live`, or `stepped` when `clock.step` moves time.
    public var clock: ClockKind
    /// The daemon's clock now: CLOCK_MONOTONIC, or the stepped clock.
    public var nowUs: Int64
    /// The kernel's boot id: instants of another boot mean nothing.
    public var bootId: String
    /// An id that the daemon draws as it starts: where it is another one, no id, plan or run from before means anything.
    public var instanceId: String
    /// The limits that the daemon holds its clients to.
    public var limits: Limits
    /// What this daemon can do besides: `clock.step` where its clock is stepped.
    public var capabilities: [String]
    /// What brings sound and taps in line now.
    public var calibration: Calibration

    public init(
      protocol: Int, server: String, clock: ClockKind, nowUs: Int64, bootId: String, instanceId: String,
      limits: Limits, capabilities: [String], calibration: Calibration = Calibration()
    ) {
      self.protocol = `protocol`
      self.server = server
      self.clock = clock
      self.nowUs = nowUs
      self.bootId = bootId
      self.instanceId = instanceId
      self.limits = limits
      self.capabilities = capabilities
      self.calibration = calibration
    }
  }
}

/// What brings sound and taps in line: the lead of the device that plays, and the offset of who plays.
public struct Calibration: Codable, Sendable, Equatable {
  /// The sound device that `deviceLeadUs` is of.
  public var device: String
  /// How much later the sound device is heard than it reports by itself, negative where earlier. Instants of spawns, beats and
  /// all that is heard include it.
  public var deviceLeadUs: Int64
  /// The profile of who plays.
  public var profile: String
  /// How much later than a beat is heard this profile taps it, negative where earlier. Only judging uses it.
  public var judgingOffsetUs: Int64

  public init(
    device: String = "none", deviceLeadUs: Int64 = 0, profile: String = JudgingProfile.standard,
    judgingOffsetUs: Int64 = 0
  ) {
    self.device = device
    self.deviceLeadUs = deviceLeadUs
    self.profile = profile
    self.judgingOffsetUs = judgingOffsetUs
  }
}

/// Whether time runs by itself or is moved by `clock.step`.
public enum ClockKind: String, Codable, Sendable, CaseIterable {
  /// Time runs by itself, on CLOCK_MONOTONIC.
  case live
  /// Time stands still until `clock.step` moves it: for tests, repeatable to the sample.
  case stepped
}

/// The bounds the daemon holds its clients to.
public struct Limits: Codable, Sendable, Equatable {
  /// The longest line, in bytes, its line feed not counted.
  public var lineBytes = 262_144
  /// The longest request, in bytes, not counting the pattern, the curve or the beat map in it.
  public var requestBytes = 16_384
  /// The longest name, in bytes as it is written: of a method, a param, a sound, a client, an id.
  public var nameBytes = 128
  /// The longest text of any kind, in bytes as it is written.
  public var textBytes = 1_024
  /// The deepest nesting of arrays and objects.
  public var depth = 32
  /// The most clients at once.
  public var clients = 64
  /// The most clients at once that one user may have.
  public var clientsOfAUser = 48
  /// Places for clients that all others leave to the daemon's own user, and as many to root.
  public var clientsReserved = 4
  /// The most bytes that may wait for a client that does not read: where more wait and it takes nothing for `readWithinUs`, it
  /// is closed.
  public var queuedBytes = 262_144
  /// The most bytes that may wait for a client however it reads: where more wait, it is closed. All plans of a user report less
  /// at one instant.
  public var queuedBytesAtOnce = 2_097_152
  /// How long a client may take nothing while more than `queuedBytes` wait for it, in microseconds.
  public var readWithinUs: Int64 = 200_000
  /// The most haptic players at once, playing or planned, besides those that are each client's own.
  public var hapticPlayers = 48
  /// Haptic players that each client has to itself, whatever others play.
  public var ownHapticPlayersOfAClient = 1
  /// The most haptic players of one client, its own included.
  public var hapticPlayersOfAClient = 16
  /// The most haptic players of all clients of one user, besides each one's own; the last 8 are for clients that have fewer
  /// than 4.
  public var hapticPlayersOfAUser = 32
  /// Of `hapticPlayers`, those that clients leave to the feedback of chapters.
  public var hapticPlayersReserved = 4
  /// Of `urgentPlansOfAClient`, the steps that a client may plan for later where it has planned no others.
  public var laterPlansOfAClient = 8
  /// The most steps of plans that one client may have waiting for their instants; a cue counts each of its steps.
  public var plansOfAClient = 1_024
  /// The most steps of plans of all clients of one user, those that have left included.
  public var plansOfAUser = 2_048
  /// The most steps of plans of all clients of all users.
  public var plansOfAll = 8_192
  /// Steps of the daemon's own plans, beyond those of clients: chapters' music and feedback.
  public var plansReserved = 1_024
  /// Urgent steps that each client may have besides, whatever others have: stops within a second, and anything within a tenth
  /// of one.
  public var urgentPlansOfAClient = 64
  /// The most sounds that one client may have planned or playing.
  public var soundsOfAClient = 1_024
  /// The starts and changes of sounds that each client may have in any tenth of a second, whatever others ask.
  public var soundStepsOfAClient = 4
  /// The stops of sounds that each client may have besides, in the same time.
  public var soundStopsOfAClient = 2
  /// Starts, changes and stops of sounds beyond those, which all clients share.
  public var soundStepsShared = 384
  /// The most sounds that are heard at once, of all clients and patterns together.
  public var voices = 64
  /// Places of sounds that each client has to itself, whatever others play; sounds that fade out need theirs, too.
  public var voicePlacesOfAClient = 4
  /// The changes of music that each client may have within a tenth of a second of an instant, whatever others ask.
  public var musicChangesOfAClient = 4
  /// Changes of music beyond those, which all clients share.
  public var musicChangesShared = 256
  /// The most changes of haptic players that one client may have waiting for their instants.
  public var hapticChangesOfAClient = 512
  /// The most changes of haptic players of all clients of one user.
  public var hapticChangesOfAUser = 1_024
  /// The most changes of haptic players of all clients of all users.
  public var hapticChangesOfAll = 2_048
  /// Changes of haptic players that each client may have besides, whatever others have.
  public var urgentHapticChangesOfAClient = 32
  /// The most earlier readings of packs that are kept for what still plays or is planned of them.
  public var earlierGenerations = 16
  /// Of these, the share of one client: what it holds beyond gives way where there is no room for another.
  public var earlierGenerationsOfAClient = 4
  /// Of these, the share of all clients of one user, those that have left included.
  public var earlierGenerationsOfAUser = 12
  /// How long after the end of a beat's cell a tap that is stamped inside it still counts.
  public var graceUs: Int64 = 50_000
  /// How far ahead of now a tap's stamp may lie.
  public var futureToleranceUs: Int64 = 2_000

  /// The daemon's defaults.
  public init() {}
}

/// The protocol version spoken by this module.
public let protocolVersion = 1

/// Says which pack a client's bare names are of.
public enum SessionUse: WireMethod {
  public static let name = "session.use"
  public static let summary =
    "Sets this client's active pack, the one in which the bare names that it sends are looked up."
  public static let refusals: [RPCError.Kind] = [.unknownName]

  public struct Params: Codable, Sendable, Equatable {
    /// The pack; the daemon's own active pack again when missing.
    public var pack: String?

    public init(pack: String? = nil) { self.pack = pack }
  }

  public struct Result: Codable, Sendable, Equatable {
    /// This client's active pack from here on; missing where no pack is loaded.
    public var pack: String?
    /// The number of the pack's reading, counted over all packs; `pack.loading` reports the next one.
    public var generation: Int?

    public init(pack: String?, generation: Int? = nil) {
      self.pack = pack
      self.generation = generation
    }
  }
}

/// Subscribes to topics.
public enum EventsSubscribe: WireMethod {
  public static let name = "events.subscribe"
  public static let summary = "Subscribes to topics (all when left out) and returns a snapshot of the engine."

  public struct Params: Codable, Sendable, Equatable {
    /// The topics to subscribe to, or to leave; every topic when missing.
    public var topics: [Topic]?

    public init(topics: [Topic]? = nil) { self.topics = topics }
  }

  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// All of them.
    public let topics = DefaultedParam("topics", default: Topic.allCases)
  }

  public struct Result: Codable, Sendable, Equatable {
    /// The topics subscribed to now.
    public var topics: [Topic]
    /// The state that the notifications to come start from.
    public var snapshot: EngineStatus.Result

    public init(topics: [Topic], snapshot: EngineStatus.Result) {
      self.topics = topics
      self.snapshot = snapshot
    }
  }
}

/// Ends subscriptions.
public enum EventsUnsubscribe: WireMethod {
  public static let name = "events.unsubscribe"
  public static let summary = "Ends the subscription to topics (all when left out)."

  public typealias Params = EventsSubscribe.Params
  public static let ranges = EventsSubscribe.ranges

  public struct Result: Codable, Sendable, Equatable {
    /// The topics still subscribed to.
    public var topics: [Topic]

    public init(topics: [Topic]) { self.topics = topics }
  }
}

/// The OpenRPC document of the socket.
public enum RPCDiscover: WireMethod {
  public static let name = "rpc.discover"
  public static let summary = "Returns the OpenRPC document, which describes every method and notification."
  public typealias Params = Empty
  public typealias Result = JSONValue
}
