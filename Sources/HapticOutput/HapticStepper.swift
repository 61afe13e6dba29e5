import Haptics
import Timing

/// One change of what is to be felt.
public struct HapticChange: Hashable, Sendable {
  /// When it is felt.
  public var instant: Instant
  /// What is felt from then on, until the next change.
  public var level: HapticLevel
  /// The names of what is felt from here on, joined by "+"; nil in silence.
  public var source: String?

  /// A change to `level` at `instant`.
  public init(instant: Instant, level: HapticLevel, source: String?) {
    self.instant = instant
    self.level = level
    self.source = source
  }
}

/// Walks a mixer from change to change: the pure part of every device, driven by a clock or by steps. In how many steps
/// the time is walked makes no difference to what comes out.
public struct HapticStepper: Sendable {
  private var mixer: HapticMixer
  private var level = HapticLevel.silence
  /// The last instant looked at: what was put out up to here stays put out.
  private var position: Instant

  /// A stepper that has put out nothing but silence.
  public init(now: Instant = .distantPast) {
    mixer = HapticMixer(now: now)
    position = now
  }

  /// Takes commands in at `now`. Each takes effect at its own instant, also one that has passed since the last look, so
  /// that a late wake-up shifts nothing; those without an instant take effect at `now`.
  public mutating func apply(_ commands: [HapticCommand], at now: Instant, _ body: (HapticChange) -> Void) {
    for command in commands {
      let isImmediate = command.instant == nil
      if isImmediate { advance(to: now, body) }
      mixer.apply(command)
      if isImmediate { look(at: max(now, position), body) }
    }
    look(at: position, body)
  }

  /// When there is something to do next; nil when nothing will change unless told.
  public var nextDue: Instant? { mixer.nextChange(after: position) }

  /// Walks up to and including `instant` and tells every change on the way at its own instant.
  public mutating func advance(to instant: Instant, _ body: (HapticChange) -> Void) {
    while let next = mixer.nextChange(after: position), next <= instant { look(at: max(next, position), body) }
  }

  /// Ends everything at `now`.
  public mutating func silence(at now: Instant, _ body: (HapticChange) -> Void) {
    advance(to: now, body)
    mixer.apply(.stopAll(at: .distantPast))
    look(at: max(now, position), body)
  }

  private mutating func look(at instant: Instant, _ body: (HapticChange) -> Void) {
    _ = mixer.advance(to: instant)
    position = instant
    let now = mixer.level(at: instant)
    if now == level { return }
    level = now
    let sources = mixer.activeSources(at: instant)
    body(HapticChange(instant: instant, level: now, source: sources.isEmpty ? nil : sources.joined(separator: "+")))
  }
}
