import GamePacks
import Haptics
import Mixing
import Rhythm
import Timing
import Wire

/// Plans, music, sounds, haptics and chapters: time and requests in, actions out.
///
/// Knows no clock, no device and no socket. Every request is answered at once with the instant at which it will be heard
/// or felt; what is to be done is kept by instant and handed out shortly before, because an instant turned into a frame
/// early would drift from the device's clock.
public struct Engine {
  /// What the engine is told once.
  public struct Configuration: Sendable {
    /// Frames a second, for the engine's whole life.
    public var rate = 48_000
    /// How far ahead plans are turned into frames.
    public var horizon = Interval.milliseconds(100)
    /// How far ahead notifications of known instants are handed out, to be sent on time; zero on a stepped clock.
    public var announceLead = Interval.milliseconds(250)

    /// The defaults: 48 kHz, 100 ms, 250 ms.
    public init() {}
  }

  /// The most sounds of one client that are planned or playing.
  static let mostSoundsOfAClient = 1_024

  /// The most steps that wait for their instant: a client that plans without end must not eat the memory.
  static let mostPlans = 8_192

  /// Everything that can be named.
  public let catalog: Catalog
  let configuration: Configuration
  var settings = Settings()
  var plans = PlanQueue<PlannedStep>()
  var music = MusicPlayer()
  var sounds = SoundBoard()
  var haptics = HapticBoard()
  var chapter: Chapter?
  /// How the last chapter ended.
  var lastScore: Score?
  var lastChapter: String?
  /// Whether it was the music switch that paused the music.
  var pausedBySwitch = false
  /// How often the device ran out of frames.
  var xruns = 0
  private var nextVoice: UInt64 = 1
  private var actions: [EngineAction] = []
  private var batch: [AudioStep] = []

  /// An engine at rest.
  public init(catalog: Catalog, configuration: Configuration) {
    self.catalog = catalog
    self.configuration = configuration
  }

  /// What is to be done since the last call, in order. The audio steps of one call are one batch.
  public mutating func takeActions() -> [EngineAction] {
    if !batch.isEmpty { actions.append(.audio(batch)) }
    defer {
      actions = []
      batch = []
    }
    return actions
  }

  /// Does everything that is due by `output.now`.
  public mutating func advance(_ output: OutputState) {
    dispatchPlans(output)
    planHapticAudio(output)
    advanceHaptics(output)
    advanceChapter(output)
  }

  /// When `advance` must be called next at the latest.
  public func nextDeadline(_ output: OutputState) -> Instant? {
    [plans.next.map { $0 - horizon(output) }, haptics.nextDeadline, chapterDeadline].compactMap { $0 }.min()
  }

  // MARK: - For the parts

  mutating func makeVoice() -> VoiceID {
    defer { nextVoice += 1 }
    return VoiceID(rawValue: nextVoice)
  }

  mutating func perform(_ steps: [AudioStep]) { batch += steps }
  mutating func perform(_ command: HapticCommand) { actions.append(.haptics(command)) }

  mutating func notify<Payload: WireNotification>(
    _ payload: Payload, at instant: Instant, sendAt: Instant? = nil, coalescingKey: String? = nil,
    group: String? = nil, recalls: String? = nil
  ) {
    let notification = OutgoingNotification(
      payload, tUs: instant.microseconds, sendAtUs: sendAt?.microseconds, coalescingKey: coalescingKey, group: group,
      recalls: recalls)
    actions.append(.notify(notification))
  }

  /// The shortest fade without a click: 5 ms.
  var declick: Fade { .declick(rate: configuration.rate) }

  func spelled(_ key: AssetKey) -> String { key.spelled(activePack: catalog.active) }

  /// When something asked for `requestedUs` can be heard, and how late that is. Without a request: as soon as possible.
  /// What ends something soon is never refused for want of room.
  func schedule(
    _ requestedUs: Int64?, earliest: Instant, isEnding: Bool = false
  ) throws(RPCError) -> (at: Instant, late: Interval) {
    let isUrgent = isEnding && isSoon(requestedUs, after: earliest)
    guard isUrgent || plans.count < Self.mostPlans else {
      throw RPCError(
        .busy, "\(plans.count) things are planned already, which is the most",
        hint: "plan less far ahead, or wait until some of it has happened")
    }
    guard let requestedUs else { return (earliest, .zero) }
    let requested = Instant(microseconds: requestedUs)
    guard requested - earliest <= .microseconds(farthestPlanUs) else {
      throw RPCError(
        .invalidParams, "atUs \(requestedUs) is more than an hour ahead",
        hint: "instants are microseconds of the daemon's clock, which clock.now tells; plan at most an hour ahead")
    }
    return requested >= earliest ? (requested, .zero) : (earliest, earliest - requested)
  }

  /// Whether what is asked for leaves the queues again within moments.
  func isSoon(_ requestedUs: Int64?, after earliest: Instant) -> Bool {
    requestedUs.map { Instant(microseconds: $0) - earliest <= .milliseconds(1_000) } ?? true
  }

  /// A device with a large buffer is reached later than the usual horizon.
  func horizon(_ output: OutputState) -> Interval {
    max(configuration.horizon, output.earliestSound - output.now + .milliseconds(20))
  }
}
