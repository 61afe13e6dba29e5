// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing

/// How a pad wants to be written to.
public struct RumbleTiming: Hashable, Sendable {
  /// The least time between two updates: some pads lose or crash on more (Bluetooth), all are slow to follow.
  public var interval: Interval
  /// How long an effect lasts unless renewed. Finite, so that a crash goes silent by itself.
  public var length: Interval

  /// The interval is held within 4 and 200 ms; the effect lasts three of them, and at least 150 ms.
  public init(interval: Interval) {
    self.interval = min(max(interval, .milliseconds(4)), .milliseconds(200))
    length = max(.milliseconds(150), Interval(nanoseconds: self.interval.nanoseconds * 3))
  }
}

/// One thing to be written to a pad.
public enum RumbleAction: Hashable, Sendable {
  /// The effect becomes this: it may be playing, and goes on as it was until played anew.
  case upload(MotorLevels)
  /// The effect begins from its start.
  case play
  case stop
}

/// Decides what to write to a pad, and when: the pure part of force feedback.
///
/// - There is one effect of constant strength and finite length, changed in place, renewed at half its life.
/// - Updates, renewals included, are at least an interval apart, and made when something changes, not on a grid.
/// - Each is as strong, for each motor, as the strongest that falls in the interval it begins: a tap shorter than the
///   interval is felt, if need be a little early.
/// - A silence longer than an interval stays a silence, also where updates fall badly; a tap that must wait for its
///   update is made up for then.
public struct RumbleSchedule: Sendable {
  private var mixer: HapticMixer
  private let motors: MotorProfile
  private let timing: RumbleTiming
  private var position: Instant
  private var lastUpdate = Instant.distantPast
  /// Peaks before this instant are part of what has been written.
  private var coveredUntil = Instant.distantPast
  /// Nil when a write has failed, so that nobody knows what the pad does.
  private var written: MotorLevels? = .still
  /// The strongest level since `coveredUntil` that was never written, as writes must keep their interval: it is written late.
  private var owed = MotorLevels.still
  private var silentSince: Instant?
  private var isDirty = false
  private var isStanding = false
  private var renewal: Instant?
  private var allowance = ChangeAllowance()
  /// Where changes are dense, how long they are left alone: what they come to is made up for then.
  private var sparedUntil = Instant.distantPast
  /// Whether commands came that nobody has looked at.
  private var isStale = false
  /// How many changes of an interval are looked at one by one: fewer for many players where changes are dense.
  private var mostLooks: Int { allowance.isSpent ? mixer.looks(atMost: 64) : 64 }

  /// A pad at rest.
  public init(motors: MotorProfile, timing: RumbleTiming, now: Instant = .distantPast) {
    self.init(motors: motors, timing: timing, playing: HapticMixer(now: now))
  }

  /// A pad that has been told nothing yet of what `playing` plays.
  public init(motors: MotorProfile, timing: RumbleTiming, playing: HapticMixer) {
    mixer = playing
    self.motors = motors
    self.timing = timing
    position = playing.now
    silentSince = playing.now
  }

  /// Takes commands in at `now`; see `HapticStepper.apply`.
  public mutating func apply(
    _ commands: [HapticCommand], at now: Instant, _ body: (_ at: Instant, RumbleAction) -> Void
  ) {
    if commands.isEmpty { return }
    advance(to: now, body)
    for command in commands { mixer.apply(command) }
    if isStanding { return }
    isStale = true
    if now >= sparedUntil { visit(max(now, position), body) }
  }

  /// When there is something to look at next; nil when only a command can bring something.
  public var nextDue: Instant? {
    if isStanding { return nil }
    var due = isStale ? max(position, sparedUntil) : mixer.nextChange(after: position).map { max($0, sparedUntil) }
    if isDirty { due = earliest(due, max(lastUpdate + timing.interval, position)) }
    return earliest(due, renewal)
  }

  /// Walks up to and including `instant`, and tells every write at its instant.
  public mutating func advance(to instant: Instant, _ body: (_ at: Instant, RumbleAction) -> Void) {
    while let due = nextDue, due <= instant { visit(max(due, position), body) }
  }

  /// Stops whatever plays.
  public mutating func silence(at now: Instant, _ body: (_ at: Instant, RumbleAction) -> Void) {
    advance(to: now, body)
    mixer.apply(.stopAll(at: .distantPast))
    _ = mixer.advance(to: max(now, position))
    if written != .still { body(max(now, position), .stop) }
    written = .still
    (renewal, isDirty, owed) = (nil, false, .still)
  }

  /// The engine stands after `now`: the pad is stopped, whatever plays, and told nothing more until `goOn`.
  public mutating func stand(at now: Instant, _ body: (_ at: Instant, RumbleAction) -> Void) {
    advance(to: now, body)
    if written != .still {
      body(max(now, position), .stop)
      lastUpdate = max(now, position)
    }
    (written, renewal, isDirty, owed, isStanding) = (.still, nil, false, .still, true)
    // What was to be felt early is felt when it goes on.
    coveredUntil = .distantPast
  }

  /// The engine goes on with `now`, having stood for so long: what is felt then is written.
  public mutating func goOn(at now: Instant, after length: Interval, _ body: (_ at: Instant, RumbleAction) -> Void) {
    isStanding = false
    lastUpdate = lastUpdate - length
    visit(max(now, position), body)
  }

  /// The pad has lost all it was told (it was unplugged, and is back): writes what is felt at `now`.
  public mutating func restart(at now: Instant, _ body: (_ at: Instant, RumbleAction) -> Void) {
    advance(to: now) { _, _ in }
    written = .still
    renewal = nil
    lastUpdate = .distantPast
    if !isStanding { visit(max(now, position), body) }
  }

  /// What is felt is `playing` from here on, whatever was told before; the engine stands, or not.
  mutating func rejoin(_ playing: HapticMixer, isStanding: Bool) {
    mixer = playing
    position = max(position, playing.now)
    _ = mixer.advance(to: position)
    (owed, isDirty, self.isStanding) = (.still, true, isStanding)
  }

  /// The last write was done only at `instant`, as threads wake late and pads are slow to answer: what follows keeps its
  /// interval from there.
  public mutating func wrote(at instant: Instant) { lastUpdate = max(lastUpdate, instant) }

  /// The last write was refused: what is felt is written whole when something changes, at the renewal at the latest.
  public mutating func failed() { written = nil }

  private mutating func visit(_ now: Instant, _ body: (Instant, RumbleAction) -> Void) {
    if allowance.isSpent { makeUp(until: now) }
    _ = mixer.advance(to: now)
    (position, isStale) = (now, false)
    if !allowance.takes(at: now, price: mixer.lookPrice) { sparedUntil = now + mixer.denseSpan }
    let felt = levels(at: now)
    silentSince = felt == .still ? (silentSince ?? now) : nil
    if now >= coveredUntil { owed = owed.union(felt) }

    let isRenewing = mustRenew(at: now)
    let free = lastUpdate + timing.interval
    if now >= free {
      update(felt, at: now, isRenewing: isRenewing, body)
    } else {
      isDirty = true
      if isRenewing { renewal = free }
    }
  }

  /// Looks at what was left alone from `position` on.
  private mutating func makeUp(until now: Instant) {
    guard position < now else { return }
    var missed = MotorLevels.still
    var wasFelt = false
    var ahead = mixer
    let changes = ahead.look(from: position, to: now, most: 4) { at, level in
      let felt = levels(level)
      wasFelt = wasFelt || felt != .still
      if at >= coveredUntil { missed = missed.union(felt) }
    }
    if wasFelt { silentSince = nil }
    owed = owed.union(missed)
    allowance.spend(changes, at: position)
  }

  /// Whether the effect must be renewed at `now`. A change soon to come does it too, and would have to wait for an interval
  /// after a renewal, so that is given some time.
  private mutating func mustRenew(at now: Instant) -> Bool {
    guard let due = renewal, due <= now else { return false }
    let latest = lastUpdate + timing.length - timing.interval
    if let change = mixer.nextChange(after: now).map({ max($0, sparedUntil) }), change < now + timing.interval,
      change <= latest
    {
      renewal = change
      return false
    }
    return true
  }

  private mutating func update(
    _ felt: MotorLevels, at now: Instant, isRenewing: Bool, _ body: (Instant, RumbleAction) -> Void
  ) {
    let end = now + timing.interval
    let wasOwed = owed
    var wanted = peak(from: now, to: end).union(owed)
    coveredUntil = end
    if felt == .still, owed == .still, !isMoving(at: now), let since = silentSince,
      let onset = onset(after: now, before: end), onset - since > timing.interval
    {
      wanted = .still
      coveredUntil = onset
    }
    owed = .still
    // The pad is now given, late, a stronger level that could not be written in time and is over: the level of now follows with
    // the next write that the interval allows.
    isDirty = wasOwed != .still && felt != wasOwed
    if wanted == written && !isRenewing { return }
    lastUpdate = now
    if wanted == .still {
      body(now, .stop)
      renewal = nil
    } else {
      if wanted != written { body(now, .upload(wanted)) }
      body(now, .play)
      renewal = now + timing.length / 2
    }
    written = wanted
  }

  /// What the motors are asked for, in steps of 1/255, upwards: pads know no finer ones, and every step is a write.
  private func levels(at instant: Instant) -> MotorLevels {
    levels(mixer.level(at: instant))
  }

  private func levels(_ level: HapticLevel) -> MotorLevels {
    let exact = motors.motors(for: level)
    return MotorLevels(strong: stepped(exact.strong), weak: stepped(exact.weak))
  }

  private func stepped(_ share: Double) -> Double { (share * 255 - 0.01).rounded(.up) / 255 }

  /// For each motor the strongest in `start..<end`.
  private func peak(from start: Instant, to end: Instant) -> MotorLevels {
    var ahead = mixer
    var peak = levels(at: end - Interval(nanoseconds: 1))
    // A ramp is strongest at one of its ends: just before the change, or at it.
    ahead.look(from: start, to: end, most: mostLooks, beforeChanges: true) { peak = peak.union(levels($1)) }
    return peak
  }

  /// Whether a fade begins at `instant`: it is silent, but not for long.
  private func isMoving(at instant: Instant) -> Bool {
    let moment = Interval(nanoseconds: 1)
    return mixer.nextChange(after: instant, step: moment) == instant + moment
  }

  /// When, in a silence, something begins to be felt before `end`; nil when nothing does.
  private func onset(after start: Instant, before end: Instant) -> Instant? {
    var ahead = mixer
    var onset: Instant?
    ahead.look(from: start, to: end, most: mostLooks) { at, level in
      if onset == nil, at > start, levels(level) != .still { onset = at }
    }
    return onset
  }
}

extension Interval {
  fileprivate static func / (interval: Interval, divisor: Int64) -> Interval {
    Interval(nanoseconds: interval.nanoseconds / divisor)
  }
}
