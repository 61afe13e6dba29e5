// SPDX-License-Identifier: Apache-2.0

import CALSA
import CRealTime
import Glibc
import Mixing
import Timing

extension AudioThread {
  /// Prepares the device and starts it with silence.
  @_noLocks mutating func start(_ device: OpenDevice) {
    if (playing?.taken ?? 0) > 0 { drop(device) }
    let prepared = prepare(device)
    if prepared < 0 { return handle(startFailure: Int64(prepared)) }
    playing?.pending = 0
    playing?.taken = 0
    playing?.forecast = RoomForecast()
    // Without a pace of its own it takes what it is given at once, and the clock is on the plan already.
    let fill = playing?.fill ?? device.fill
    let lead = device.isUnpaced ? 0 : fill.lead
    let error = writeSilence(device, lead)
    if error < 0 { return handle(startFailure: error) }
    let startingAt = now()
    playing?.steps.start(queued: Int64(lead), at: startingAt)
    playing?.positionAt = startingAt
    let started = start(pcmOf: device)
    if started < 0 { return handle(startFailure: Int64(started)) }
    playing?.phase = .aligning(StartAlignment(leadFrames: lead))
    let startedAt = now()
    playing?.clock.start(rate: rate, bufferFrames: fill.frames, at: startedAt)
    handle(.started)
    if device.isUnpaced { play(from: timeline.instant(ofFrame: next), on: device) }
  }

  /// Listens to the silence, then decides which frame follows it, so that it is heard as planned.
  @_noLocks mutating func align(_ device: OpenDevice, _ alignment: StartAlignment) {
    guard let status = awaitRoom(device) else { return }
    let now = now()
    let fill = playing?.fill ?? device.fill
    let room = max(0, fill.room(available: status.available))
    let queued = fill.queued(available: status.available)
    let given = playing?.taken ?? 0
    var heard =
      heardAt(status, now: now) ?? now + Interval.frames(queued, rate: rate) + (playing?.lead ?? .zero)
    // A sound server may not know yet what it adds: as much as before.
    if status.delay <= queued { heard += Interval.frames(playing?.extraDelay ?? 0, rate: rate) }
    var alignment = alignment
    let hasListened = alignment.listen(began: heard - Interval.frames(given, rate: rate), queued: queued)
    playing?.phase = .aligning(alignment)
    guard hasListened else {
      return rt_sleep_until_ns((now + Interval.frames(alignment.readingInterval, rate: rate)).nanoseconds)
    }
    heard = alignment.heardAt(given: given, rate: rate)
    switch StartAlignment.step(next: next, planned: timeline.frame(at: heard), room: room) {
    case .skip(let frames):
      noteWake(heard: heard)
      comeIn(after: frames)
      play(from: heard, on: device)
    case .pad(let frames):
      noteWake(heard: heard)
      let error = writeSilence(device, Int(frames))
      if error < 0 { return handle(startFailure: error) }
      play(from: heard + Interval.frames(frames, rate: rate), on: device)
    case .wait(let frames):
      let error = writeSilence(device, Int(frames))
      if error < 0 { return handle(startFailure: error) }
      // One that started and takes nothing would be waited for without end.
      handle(frames > 0 ? .progress : .idle)
      if frames < Int64(device.period) { sleepForRoom(device, fill, status, now: now) }
    }
  }

  /// The next frame given is heard at that instant, as planned: from here on it plays, and tells what was lost before.
  @_noLocks private mutating func play(from heard: Instant, on device: OpenDevice) {
    let frame = next
    if !endAwaiting() { mixer.pointee.fadeIn() }
    var plan = AudioTimeline(frame: frame, instant: heard, rate: rate)
    plan.errorBound = device.isUnpaced ? .zero : device.biasFloor + .milliseconds(1)
    playing?.plan = plan
    playing?.queue = QueuedFrames(buffer: Int64(device.ring), next: frame)
    playing?.clock.align(frame: frame, heardAt: heard)
    playing?.deviation = .zero
    playing?.phase = .playing
    noteLeadInForce()
    handle(.aligned)
    if !tellLoss() { tell(.deviceStarted(at: frame)) }
    // Until its readings are trusted, and for good if it has no pace of its own.
    timeline = plan
    shared.pointee.isPacedByClock.store(false, ordering: .relaxed)
    if device.isUnpaced { paceByClock(device) }
  }

  /// Gives the device so many frames of silence. 0, or a negative errno.
  @_noLocks private mutating func writeSilence(_ device: OpenDevice, _ frames: Int) -> Int64 {
    rt_zero(block, 2 * device.period * MemoryLayout<Float>.size)
    var left = frames
    while left > 0 {
      let count = min(left, device.period)
      let error = write(device, count)
      if error < 0 { return error }
      left -= count
    }
    return 0
  }

  @_noLocks mutating func resume(_ device: OpenDevice, at instant: Instant) {
    rt_sleep_until_ns(min(instant.nanoseconds, rt_now_ns() + 50_000_000))
    // Not snd_pcm_resume: it would play on with what was queued before the sleep, until that is dropped.
    drop(device)
    let error = prepare(device)
    if error == -EAGAIN || error == -ESTRPIPE { return handle(.stillSuspended) }
    playing?.phase = .starting
  }
}
