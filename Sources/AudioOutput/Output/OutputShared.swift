// SPDX-License-Identifier: Apache-2.0

import CRealTime
import RealTime
import Synchronization
import Timing
import Tracing

/// What the audio thread and the control side both touch: atomics and rings only, in an allocation of its own.
struct OutputShared: ~Copyable {
  let timeline: SequenceLock<AudioTimeline>
  let notices = SPSCRing<AudioOutputNotice>(capacity: 256, zero: .unpaced)
  /// What the audio thread did, for control: room for 5 s of the shortest usual periods.
  let trace = TraceRing(capacity: 4_096)
  let stopRequested = Atomic<Bool>(false)

  /// A device for the audio thread to take up; control stores, audio takes.
  let offered = Atomic<UnsafeMutablePointer<OpenDevice>?>(nil)
  /// A device the audio thread let go; audio stores, control takes and closes.
  let released = Atomic<UnsafeMutablePointer<OpenDevice>?>(nil)
  /// Whether it let one go, from before that is told until control has taken note.
  let hasReleased = Atomic<Bool>(false)

  /// The call of its device that the audio thread is in.
  let call = DeviceCall()
  /// Whether an audio thread that was replaced has come back from its device, and ends.
  let hasReturned = Atomic<Bool>(false)
  /// As of that call: the first frame lost if it hangs, and how many of those are not in `framesLost`.
  let firstHeld = Atomic<Int64>(0)
  let framesHeld = Atomic<Int64>(0)

  /// Not before this instant of CLOCK_MONOTONIC, in nanoseconds, the mixer takes commands again; in the past where that is
  /// not known. Stored when all that is due is rendered.
  let nextWake = Atomic<Int64>(.min)
  /// What the audio thread sleeps in while it rests; who has something for it ends that.
  let nap = Nap()
  /// Whether it rests, and where it would be. Told otherwise only when all else is up to date again.
  let rest: SequenceLock<OutputRest>
  /// The frame up to which frames may pass at rest, by who woke it first: where it would have been then.
  let restGoal = Atomic<Int64>(.max)

  /// Frames rendered at a time.
  let period = Atomic<Int>(0)
  /// Whether a device plays.
  let isOnDevice = Atomic<Bool>(false)
  /// Frames that are kept ahead of the device; 0 before the first is taken up.
  let fill = Atomic<Int>(0)

  /// Whether the device that is open was to be woken for by the clock, and wakes by itself now. Behind `fill`.
  let wakesByItself = Atomic<Bool>(false)

  /// How much later than it tells the device is heard, in nanoseconds, by calibration. Control stores; the audio thread goes by
  /// it as soon as it sees it.
  let lead = Atomic<Int64>(0)
  /// By which of them what is rendered is in time, in nanoseconds; the audio thread stores it.
  let leadInForce = Atomic<Int64>(0)

  /// Whether a device is wanted: where not, the audio thread lets it go, and the keeper leaves it closed. Control stores.
  let wantsDevice = Atomic<Bool>(true)
  /// When one that rests was wanted again, in nanoseconds. Control stores it before it says so.
  let wantedAt = Atomic<Int64>(0)
  /// When opening the device that is open began, or when it was wanted where it rested.
  let openedFrom = Atomic<Int64>(0)
  /// Whether the keeper has it, open or closed for as long as it rests; else it is tried again.
  let hasDevice = Atomic<Bool>(false)
  /// Whether it is closed to rest.
  let isClosed = Atomic<Bool>(false)
  /// Since when a device that plays has had nothing but silence, with more of it to come, in nanoseconds; `.max` where not.
  let silentSince = Atomic<Int64>(.max)
  /// How long the device that is open, or rests, takes at the longest until it plays, less its lead, in nanoseconds; 0 where
  /// that is not known or it is none to let go.
  let longestWake = Atomic<Int64>(0)
  /// How long it took when it was opened last, once it plays and until the keeper takes note; `.min` otherwise.
  let wakeTaken = Atomic<Int64>(.min)

  /// The fewest frames that were queued in the device as it was about to be given more, since this was last taken.
  let leastQueued = Atomic<Int>(.max)

  let framesRendered = Atomic<Int64>(0)
  let framesLost = Atomic<Int64>(0)
  let underruns = Atomic<Int>(0)
  let lateWakes = Atomic<Int>(0)
  let latestWake = Atomic<Int64>(0)
  let deviceLosses = Atomic<Int>(0)
  let latency = Atomic<Int64>(0)
  let isPacedByClock = Atomic<Bool>(true)

  init(timeline: AudioTimeline) {
    self.timeline = SequenceLock(timeline)
    let pacer = NullPacer(frame: timeline.frame, heardAt: timeline.instant, rate: 48_000, period: 1, leadFrames: 0)
    rest = SequenceLock(OutputRest(lasts: false, pacer: pacer, next: timeline.frame, mixed: timeline.frame))
  }

  /// Wakes an audio thread that rests, if it does: there is something for it to do. Call it when that is there to be seen.
  func endRest() {
    guard nap.lasts else { return }
    let rest = rest.read()
    if rest.lasts { restGoal.min(rest.next(at: Instant(nanoseconds: rt_now_ns())), ordering: .releasing) }
    nap.wake()
  }

  var statistics: AudioOutputStatistics {
    AudioOutputStatistics(
      framesRendered: framesRendered.load(ordering: .relaxed), framesLost: framesLost.load(ordering: .relaxed),
      underruns: underruns.load(ordering: .relaxed), lateWakes: lateWakes.load(ordering: .relaxed),
      latestWake: Interval(nanoseconds: latestWake.load(ordering: .relaxed)),
      deviceLosses: deviceLosses.load(ordering: .relaxed), recorderOverrunFrames: 0,
      latency: Interval(nanoseconds: latency.load(ordering: .relaxed)),
      isPacedByClock: isPacedByClock.load(ordering: .relaxed))
  }
}

/// Keeps that memory for as long as anybody uses it: a thread that hangs in a sound server may outlive its output.
final class SharedOutput: @unchecked Sendable {
  // Sendable because what it points at holds atomics and rings only.
  let pointer: UnsafeMutablePointer<OutputShared>

  init(_ value: consuming OutputShared) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: value)
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
