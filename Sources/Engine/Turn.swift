// SPDX-License-Identifier: Apache-2.0

import Timing

/// What the outputs are at and can still meet, read once for each request or advance.
public struct Turn: Sendable, BitwiseCopyable {
  /// The engine's time now: the clock's, less what was paused.
  public var now: Instant
  /// The same by the clock itself, with what was paused.
  public var clockNow: Instant
  /// Which frame is heard when.
  public var timeline: AudioTimeline
  /// The first output frame that a command submitted now still reaches.
  public var reachableFrame: Int64
  /// How far ahead of its instant a haptic command must be sent to be felt in time (the slowest device's lead).
  public var hapticLead: Interval

  /// As much of the haptic lead as the engine stands through: a haptic command sent now reaches so much more of the engine's time.
  public var hapticStood = Interval.zero
  /// How much later the first frame that is reached is heard, by the clock: where the engine stands that is more than in its time.
  public var soundLead = Interval.zero

  /// Whether there is a device that what is mixed is heard on; what is felt waits for no other.
  public var isHeard: Bool

  /// How much later than it tells the sound device is heard, by calibration: the timeline has it in it.
  public var deviceLead = Interval.zero

  /// How much longer that is than what is rendered is in time by as yet: so many frames are about to be passed over, which the mixer
  /// must be told of before, and what is asked for now is heard behind them.
  public var leadToCome = Interval.zero

  /// Whether there is a pad that is felt.
  public var isFelt = true

  /// One reading of the outputs.
  public init(
    now: Instant, timeline: AudioTimeline, reachableFrame: Int64, hapticLead: Interval, isHeard: Bool = true,
    clockNow: Instant? = nil
  ) {
    self.clockNow = clockNow ?? now
    self.isHeard = isHeard
    self.now = now
    self.timeline = timeline
    self.reachableFrame = reachableFrame
    self.hapticLead = hapticLead
  }

  /// One reading of an output that runs by itself, whose mixer has reached `mixedFrame`, in periods of `period` frames, and
  /// takes commands again at `nextWake` of the clock at the earliest.
  ///
  /// What it takes up to `serving` from now on, as long as a command takes until it is there, is not reached: a period at that
  /// wake, and one more for each period since, for it may come late and then takes all at once; a period where that wake is not known,
  /// for the one being rendered may have taken its commands already. A mixer that stands still, as while its device hangs, will pass over
  /// what is due meanwhile.
  public init(
    now: Instant, timeline: AudioTimeline, mixedFrame: Int64, period: Int, nextWake: Instant = .distantPast,
    serving: Interval = .zero, hapticLead: Interval, isHeard: Bool = true, clockNow: Instant? = nil
  ) {
    let length = Double(period) * timeline.nanosecondsPerFrame
    let taken = Self.periodsTaken(from: nextWake, to: (clockNow ?? now) + serving, nanosecondsEach: length)
    let missed = taken * Int64(period)
    self.init(
      now: now, timeline: timeline, reachableFrame: max(mixedFrame + missed, timeline.frame(at: now) + Int64(period)),
      hapticLead: hapticLead, isHeard: isHeard, clockNow: clockNow)
  }

  /// How many periods may be taken up to `ready` from a wake on, which is the distant past where it is not known.
  private static func periodsTaken(from wake: Instant, to ready: Instant, nanosecondsEach: Double) -> Int64 {
    if wake > ready { return 0 }
    if wake == .distantPast { return 1 }
    return 1 + (ready - wake).nanoseconds / max(Int64(nanosecondsEach), 1)
  }

  /// The earliest instant at which a command submitted now can be heard.
  public var earliestSound: Instant { timeline.instant(ofFrame: reachableFrame) + leadToCome }

  /// The earliest instant at which a command submitted now can be felt.
  public var earliestHaptic: Instant { now + (hapticLead - hapticStood) }

  /// How far behind the clock's whole microsecond, as clients are told it, an earliest instant of the engine's is: what is asked
  /// for that much later is not late.
  public func leadUs(to earliest: Instant) -> Int64 {
    let promised = (earliest.roundedUpToMicrosecond + (clockNow - now)).roundedUpToMicrosecond
    return promised.microseconds - clockNow.microseconds
  }
}
