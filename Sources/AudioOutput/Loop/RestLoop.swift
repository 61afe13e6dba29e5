// SPDX-License-Identifier: Apache-2.0

import Mixing
import Timing

extension AudioThread {
  /// The longest that the thread sleeps at once.
  private static var longestRest: Interval { @_noLocks get { Interval.milliseconds(10_000) } }
  /// Periods below which it is not worth while.
  private static var leastPeriods: Int64 { @_noLocks get { 8 } }

  /// Where nothing sounds or is about to, on the clock: sleeps until there is something to do, and lets the frames pass that
  /// are due by then. False where there is something.
  ///
  /// Frames pass up to where the thread would have been as it was woken, so that what woke it acts at the frame that it would
  /// have acted at. A recording wants every frame as it is due.
  @_noLocks mutating func rest() -> Bool {
    guard playing == nil, tap == nil, !hasCalls else { return false }
    let next = next
    let period = Int64(pacer.period)
    let calm = min(mixer.pointee.calmFrames, Int64(1) << 40) / period * period
    guard calm >= Self.leastPeriods * period else { return false }
    let begun = now()
    // What was missed by more than is caught up with is told, as ever.
    guard begun - pacer.due(next) <= NullPacer.tolerance else { return false }
    shared.pointee.restGoal.store(.max, ordering: .relaxed)
    shared.pointee.rest.publish(
      OutputRest(
        lasts: true, pacer: pacer, next: next, mixed: mixer.pointee.mixedFrame, stands: mixer.pointee.standsOn))
    shared.pointee.nap.begin()
    // What was shown before that was planned for frames to be rendered; what is shown from here on knows that it rests.
    if mixer.pointee.beginRest(frames: 0) {
      shared.pointee.nap.end()
      shared.pointee.rest.publish(OutputRest(lasts: false, pacer: pacer, next: next, mixed: mixer.pointee.mixedFrame))
      return false
    }
    if !hasCalls {
      shared.pointee.nap.sleep(until: min(pacer.due(next + calm), begun + Self.longestRest).nanoseconds)
    }
    shared.pointee.nap.end()
    woken = now()
    let awake = pacer.next(from: next, at: woken)
    // Before it looks who woke it: who shows something behind that looks anew where it is.
    _ = mixer.pointee.beginRest(frames: min(max(0, awake - next), calm))
    let goal = min(awake, shared.pointee.restGoal.load(ordering: .acquiring))
    let passed = min(max(0, goal - next), calm)
    mixer.pointee.rest(frames: passed)
    shared.pointee.framesRendered.add(passed, ordering: .relaxed)
    timeline = pacer.timeline(through: self.next)
    // Before it is told that it rests no more: who is told so reads these.
    shared.pointee.timeline.publish(timeline)
    shared.pointee.nextWake.store(nextWake.nanoseconds, ordering: .releasing)
    shared.pointee.rest.publish(
      OutputRest(lasts: false, pacer: pacer, next: self.next, mixed: mixer.pointee.mixedFrame))
    return true
  }

  /// Whether somebody wants something of the thread.
  private var hasCalls: Bool {
    @_noLocks get {
      mixer.pointee.hasWork || shared.pointee.offered.load(ordering: .acquiring) != nil
        || shared.pointee.stopRequested.load(ordering: .acquiring)
    }
  }
}
