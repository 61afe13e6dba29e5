// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Mixing
import Timing

extension AudioThread {
  /// One step of the clock-paced loop: rests, sleeps, renders a period (also for a PCM that is not paced), or skips.
  @_noLocks mutating func clockPeriod() {
    if rest() { return }
    if isUnpaced { followLead() }
    let now = now()
    switch pacer.step(next: next, now: now) {
    case .wait(let until):
      // Bounded, so that a stop and an offered device are noticed.
      rt_sleep_until_ns(min(until.nanoseconds, now.nanoseconds + 50_000_000))
      woken = self.now()
      let late = woken.nanoseconds - until.nanoseconds
      if late > 0 { countWake(late: late, period: pacer.period) }
    case .skip(let frames):
      (due, woken, hasSlept) = (pacer.due(next), now, true)
      tell(.skipped(at: next, lost: Int64(frames)))
      skip(Int64(frames))
    case .render(let frames):
      if !hasSlept { due = pacer.due(next) }
      if woken < due { woken = now }
      hasSlept = false
      let first = next
      render(frames)
      noteUnheard(from: first)
      if isUnpaced { writeUnpaced(frames) }
    }
    timeline = pacer.timeline(through: next)
  }

  /// Goes over to the clock where the timeline stands, at nominal speed, a period and `lead` before what is heard.
  @_noLocks mutating func continueOnClock(period: Int, lead: Interval = .zero) {
    let frame = next
    pacer = NullPacer(
      frame: frame, heardAt: timeline.instant(ofFrame: frame), rate: rate, period: period,
      leadFrames: period + Int(lead.frames(rate: rate)))
    shared.pointee.isPacedByClock.store(true, ordering: .relaxed)
    shared.pointee.period.store(period, ordering: .relaxed)
    shared.pointee.latency.store(Interval.frames(Int64(period), rate: rate).nanoseconds, ordering: .relaxed)
  }

  @_noLocks mutating func countWake(late nanoseconds: Int64, period: Int) {
    if nanoseconds > Interval.frames(Int64(period), rate: rate).nanoseconds / 2 {
      shared.pointee.lateWakes.add(1, ordering: .relaxed)
    }
    if nanoseconds > shared.pointee.latestWake.load(ordering: .relaxed) {
      shared.pointee.latestWake.store(nanoseconds, ordering: .relaxed)
    }
  }
}
