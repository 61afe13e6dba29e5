// SPDX-License-Identifier: Apache-2.0

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
///
/// Up to 1,000 changes in a second are told one by one. Of more, one a millisecond (`denseSpan`): the strongest, at its own
/// instant, or, where that is put out already, the last. Where as much quiet follows the last is told as well: it stands.
/// What is told and what it takes stay bounded, whatever is played.
public struct HapticStepper: Sendable {
  private var mixer: HapticMixer
  /// What was told last; nil where that is not known.
  private(set) var level: HapticLevel? = .silence
  /// The last instant looked at: what was put out up to here stays put out.
  private var position: Instant
  private var allowance = ChangeAllowance()
  /// From when on one change is told of all until then, when that is over.
  private(set) var gathering: (from: Instant, until: Instant)?
  /// Whether something else may be felt at `position` than was told, for reasons that the mixer does not foresee.
  private var isStale = false
  /// Commands without an instant that came while changes are gathered, and all behind them: they are for when that is over.
  private var waiting: [HapticCommand] = []

  /// A stepper that has put out nothing but silence.
  public init(now: Instant = .distantPast) {
    mixer = HapticMixer(now: now)
    position = now
  }

  /// Takes commands in at `now`. Each takes effect at its own instant, also one that has passed since the last look, so
  /// that a late wake-up shifts nothing; those without an instant take effect at `now` together, or, where changes are dense, with
  /// the next that is told.
  public mutating func apply(_ commands: [HapticCommand], at now: Instant, _ body: (HapticChange) -> Void) {
    var isUpToNow = false
    for command in commands {
      if !waiting.isEmpty {
        waiting.append(command)
        continue
      }
      if let instant = command.instant {
        if instant <= position { isStale = true }
      } else {
        if !isUpToNow { advance(to: now, body) }
        isUpToNow = true
        if gathering != nil {
          waiting.append(command)
          continue
        }
        (position, isStale) = (max(position, now), true)
        // What is for this very instant and comes behind it finds it there.
        _ = mixer.advance(to: position)
      }
      mixer.apply(command)
    }
    advance(to: now, body)
  }

  /// What is felt is `playing` from here on, whatever was told before.
  mutating func rejoin(_ playing: HapticMixer) {
    mixer = playing
    position = max(position, playing.now)
    _ = mixer.advance(to: position)
    (gathering, waiting, level, isStale) = (nil, [], nil, true)
  }

  /// When there is something to do next; nil when nothing will change unless told.
  public var nextDue: Instant? {
    gathering?.until ?? (isStale ? position : mixer.nextChange(after: position))
  }

  /// Walks up to and including `instant` and tells every change on the way at its own instant.
  public mutating func advance(to instant: Instant, _ body: (HapticChange) -> Void) {
    while let due = nextDue, due <= instant {
      if gathering != nil {
        gather(to: due, body)
      } else if allowance.takes(at: due, price: mixer.lookPrice) {
        look(at: max(due, position), body)
      } else {
        let start = max(due, position)
        gathering = (start, start + mixer.denseSpan)
      }
    }
  }

  /// Walks up to and including `instant`, behind which nothing is known yet, and tells what is gathered by then.
  mutating func settle(at instant: Instant, _ body: (HapticChange) -> Void) {
    advance(to: instant, body)
    if gathering != nil { gather(to: instant + Interval(nanoseconds: 1), body) }
  }

  /// What is felt at `instant`, from which on the engine goes on. What a millisecond before had left to the next change is of
  /// now: nothing is told for before it any more.
  mutating func goOn(at instant: Instant) -> HapticChange {
    advance(to: instant) { _ in }
    if gathering == nil, mixer.level(at: position) != level { look(at: max(instant, position)) { _ in } }
    return current(at: max(instant, position))
  }

  /// What was told last, and whose it is at `instant`.
  private func current(at instant: Instant) -> HapticChange {
    let level = level ?? .silence
    let sources = level == .silence ? [] : mixer.activeSources(at: instant)
    return HapticChange(
      instant: instant, level: level, source: sources.isEmpty ? nil : sources.joined(separator: "+"))
  }

  /// Ends everything at `now`.
  public mutating func silence(at now: Instant, _ body: (HapticChange) -> Void) {
    advance(to: now, body)
    if gathering != nil { gather(to: now, body) }
    mixer.apply(.stopAll(at: .distantPast))
    look(at: max(now, position), body)
  }

  private mutating func look(at instant: Instant, _ body: (HapticChange) -> Void) {
    _ = mixer.advance(to: instant)
    (position, isStale) = (instant, false)
    tell(mixer.level(at: instant), at: instant, mixer, body)
  }

  /// Ends what has been gathering at `end`, not including it: one change of it is told, and what waited for that comes.
  private mutating func gather(to end: Instant, _ body: (HapticChange) -> Void) {
    guard let start = gathering.take()?.from else { return }
    if start < end { tellOne(from: start, to: end, body) }
    for command in waiting { mixer.apply(command) }
    isStale = start >= end || !waiting.isEmpty
    waiting = []
  }

  private mutating func tellOne(from start: Instant, to end: Instant, _ body: (HapticChange) -> Void) {
    let before = mixer
    var peak = (at: start, level: HapticLevel.silence)
    var last = (at: start, level: level ?? .silence)
    let changes = mixer.look(from: start, to: end, most: mixer.looks(atMost: 128)) { at, level in
      if level.intensity > peak.level.intensity || at == start { peak = (at, level) }
      if level != last.level { last = (at, level) }
    }
    allowance.spend(changes, at: start)
    position = end - Interval(nanoseconds: 1)
    _ = mixer.advance(to: position)
    let told = peak.level == level ? last : peak
    tell(told.level, at: told.at, before, body)
    if last.level != level, mixer.nextChange(after: position).map({ $0 >= end + mixer.denseSpan }) ?? true {
      tell(last.level, at: last.at, before, body)
    }
  }

  private mutating func tell(
    _ new: HapticLevel, at instant: Instant, _ mixer: HapticMixer, _ body: (HapticChange) -> Void
  ) {
    if new == level { return }
    level = new
    let sources = mixer.activeSources(at: instant)
    body(HapticChange(instant: instant, level: new, source: sources.isEmpty ? nil : sources.joined(separator: "+")))
  }
}
