// SPDX-License-Identifier: Apache-2.0

import CALSA
import CRealTime
import Glibc
import Mixing
import Timing

/// A device while the audio thread plays on it.
struct PlayingDevice: BitwiseCopyable {
  enum Phase: BitwiseCopyable {
    /// To be prepared and started, with silence.
    case starting
    /// Runs, playing silence until it is on the plan.
    case aligning(StartAlignment)
    case playing
    /// Slept: to be prepared, not before that instant.
    case resuming(at: Instant)
    /// Takes frames at any speed: paced by the clock.
    case unpaced
  }

  /// The frames that a stop costs.
  struct Loss: BitwiseCopyable {
    /// The first of them.
    let frame: Int64
    /// Whether the device ran dry; else it slept or failed.
    let isUnderrun: Bool

    @_noLocks init(frame: Int64, isUnderrun: Bool) {
      self.frame = frame
      self.isUnderrun = isUnderrun
    }
  }

  let device: UnsafeMutablePointer<OpenDevice>
  /// How far ahead it is kept filled.
  var fill: DeviceFill
  /// What wakes for it.
  var wakes: WakeSource
  var phase: Phase
  var recovery: DeviceRecovery
  var clock: DeviceClock
  var queue: QueuedFrames
  /// When it will have room, where the clock wakes for it.
  var forecast = RoomForecast()
  /// Whether it is to be believed that its position is fine, where the clock wakes for it.
  var steps = PositionSteps()
  /// Since when the position that was read last is known.
  var positionAt = Instant.distantPast
  /// When it will have played all it was given before the block that it is given now; the distant future where that is not known.
  var dryAt = Instant.distantFuture
  /// While it is looked whether that block came in time: its first frame, where it was given when the device should have been dry.
  var lateBlock: Int64?
  /// How near it came to running dry.
  var reserve = DeviceReserve()
  /// The timeline it was started on.
  var plan: AudioTimeline
  /// What is lost from a stop on, until it is on the plan again.
  var loss: Loss?
  /// How much later than announced frames are heard: what corrections added up to and no skip has made good.
  var deviation = Interval.zero
  /// Frames given to it since its start.
  var taken: Int64 = 0
  /// Frames of the converted block still to be written, and where they begin.
  var pending = 0
  var pendingStart = 0
  /// What it adds to the frames queued (hardware FIFO, sound server), as last read.
  var extraDelay: Int64 = 0
  /// Whether it has never played since it was opened.
  var isNew = true
  /// How much later than it tells it is heard: what comes behind all that it knows of, such as a radio link.
  var lead: Interval
}

extension AudioThread {
  /// Takes up a device the control side has opened, if there is one.
  @_noLocks mutating func takeUpOffered() {
    guard let device = shared.pointee.offered.exchange(nil, ordering: .acquiringAndReleasing) else { return }
    let open = device.pointee
    playing = PlayingDevice(
      device: device, fill: open.fill, wakes: open.wakes, phase: .starting,
      recovery: DeviceRecovery(canGrow: open.canGrow),
      clock: DeviceClock(
        frame: next, heardAt: timeline.instant(ofFrame: next), rate: rate, bufferFrames: open.fill.frames,
        biasFloor: open.biasFloor, startedAt: now()),
      queue: QueuedFrames(buffer: Int64(open.ring), next: next), plan: timeline, lead: knownLead)
    shared.pointee.fill.store(open.fill.frames, ordering: .releasing)
    shared.pointee.period.store(open.period, ordering: .relaxed)
    shared.pointee.isOnDevice.store(true, ordering: .relaxed)
    // What its lead passes over is to be told the mixer while it starts.
    if knownLead > .zero { rt_eventfd_signal(wake) }
  }

  /// One period on a device: waits for room, reads position and timestamp, renders what fits.
  @_noLocks mutating func devicePeriod() {
    guard let current = playing else { return }
    switch current.phase {
    case .starting:
      start(current.device.pointee)
    case .aligning(let alignment):
      align(current.device.pointee, alignment)
    case .resuming(let instant):
      resume(current.device.pointee, at: instant)
    case .playing, .unpaced:
      play(current.device.pointee)
    }
  }

  /// As control has it now.
  var knownLead: Interval {
    @_noLocks get { Interval(nanoseconds: shared.pointee.lead.load(ordering: .relaxed)) }
  }

  @_noLocks private mutating func play(_ device: OpenDevice) {
    let lead = knownLead
    if let current = playing, current.lead != lead, !isUnpaced {
      playing?.lead = lead
      return handle(.moved)
    }
    guard let status = awaitRoom(device) else { return }
    let now = now()
    noteReserve(device, status, now: now)
    measure(device, status, now: now)
    guard let current = playing, !isUnpaced else { return }
    var room = current.fill.room(available: status.available)
    guard room >= Int64(device.period) else {
      sleepForRoom(device, current.fill, status, now: now)
      return handle(.idle)
    }
    (due, woken) = (.distantPast, now)
    if current.clock.isTrusted {
      // One that wakes by itself does so for each of its own periods, whatever is written at a time.
      let usual = current.wakes.isTimer ? device.period : max(device.period, device.ownPeriod)
      let late = Interval.frames(max(0, room - Int64(usual)), rate: rate)
      due = now - late
      countWake(late: late.nanoseconds, period: device.period)
    }
    // When it has less than a period left of what it was given so far.
    let queued = current.fill.queued(available: status.available)
    var nearlyDry = current.positionAt + Interval.frames(queued - Int64(device.period), rate: rate)
    while room >= Int64(device.period) {
      render(device.period)
      let first = playing?.queue.end ?? next
      let dry = nearlyDry + Interval.frames(Int64(device.period), rate: rate)
      playing?.dryAt = device.isHardware || current.clock.isTrusted ? dry : .distantFuture
      let error = write(device, device.period)
      if error < 0 { handle(error: error) }
      playing?.dryAt = .distantFuture
      playing?.lateBlock = nil
      if error < 0 { return }
      let given = self.now()
      if given >= nearlyDry && !isInTime(device, from: first, isLate: given >= dry) { return }
      nearlyDry = dry
      room -= Int64(device.period)
    }
    handle(.progress)
    followSilence()
  }

  /// Waits for room, and reads room and position; nil where there was trouble instead, which is seen to.
  @_noLocks mutating func awaitRoom(_ device: OpenDevice) -> rt_alsa_status_t? {
    if playing?.wakes.isTimer == true {
      // What is wrong with it meanwhile the status tells as well.
      if let current = playing { rt_sleep_until_ns(current.forecast.roomAt(current.fill, rate: rate).nanoseconds) }
      return readStatus(device)
    }
    let wait = wait(for: device)
    if wait < 0 {
      handle(error: Int64(wait))
      return nil
    }
    return readStatus(device)
  }

  /// Room and position of a device that runs; nil where it does not, which is seen to.
  @_noLocks private mutating func readStatus(_ device: OpenDevice) -> rt_alsa_status_t? {
    var status = rt_alsa_status_t()
    let asked = now()
    let error = read(&status, of: device)
    if error < 0 {
      handle(error: Int64(error))
    } else if status.state == Int32(bitPattern: SND_PCM_STATE_RUNNING.rawValue) {
      let at = knownAt(status, now: now())
      playing?.queue.read(available: status.available)
      playing?.positionAt = at
      playing?.forecast.read(available: status.available, at: at, asked: asked)
      judge(device, status, asked: asked, at: at)
      return status
    } else if status.state == Int32(bitPattern: SND_PCM_STATE_XRUN.rawValue) {
      recordDryWake()
      handle(.underrun)
    } else if status.state == Int32(bitPattern: SND_PCM_STATE_SUSPENDED.rawValue) {
      handle(.suspended)
    } else if status.state == Int32(bitPattern: SND_PCM_STATE_DISCONNECTED.rawValue) {
      handle(.gone)
    } else {
      handle(.failed)
    }
    return nil
  }

  /// Awake too early: without this sleep a PCM that is always ready would keep the thread busy. Where the clock wakes it is slept
  /// before the next reading as ever.
  @_noLocks mutating func sleepForRoom(
    _ device: OpenDevice, _ fill: DeviceFill, _ status: rt_alsa_status_t, now: Instant
  ) {
    if playing?.wakes.isTimer == true { return }
    let missing = Interval.frames(Int64(fill.wakeRoom) - max(0, status.available), rate: rate)
    rt_sleep_until_ns((now + missing).nanoseconds)
  }

  /// Looks whether the block just given, `first` on, came too late for a device that ran on: what it passed meanwhile is
  /// lost, and the rest is where it belongs. `isLate` is what the clock says of it. False where the device plays no more.
  @_noLocks private mutating func isInTime(_ device: OpenDevice, from first: Int64, isLate: Bool) -> Bool {
    // One without a pace of its own is always dry.
    guard device.isHardware || playing?.clock.isTrusted == true else { return true }
    playing?.lateBlock = isLate ? first : nil
    let status = readStatus(device)
    playing?.lateBlock = nil
    guard let status else { return false }
    let lost = playing?.queue.passed(from: first, available: status.available) ?? 0
    guard lost > 0 else { return true }
    shared.pointee.underruns.add(1, ordering: .relaxed)
    shared.pointee.framesLost.add(lost, ordering: .relaxed)
    tell(.underrun(at: first, lost: lost))
    handle(.glitch)
    return playing != nil
  }

  /// Takes note of how many frames it has left, before it is given more.
  @_noLocks private mutating func noteReserve(_ device: OpenDevice, _ status: rt_alsa_status_t, now: Instant) {
    guard let queued = playing?.fill.queued(available: status.available) else { return }
    playing?.reserve.read(queued: queued, period: device.period, at: now)
    if Int(queued) < shared.pointee.leastQueued.load(ordering: .relaxed) {
      shared.pointee.leastQueued.store(Int(queued), ordering: .relaxed)
    }
  }

  /// Since when the position is known that a status read by `now` tells: whoever reads it may have been held up behind that.
  @_noLocks private func knownAt(_ status: rt_alsa_status_t, now: Instant) -> Instant {
    let timestamp = Instant(nanoseconds: status.timestamp_ns)
    return isPlausible(timestamp, now: now) ? min(timestamp, now) : now
  }

  /// Whether a status read at `now` may be as of that instant.
  @_noLocks private func isPlausible(_ timestamp: Instant, now: Instant) -> Bool {
    timestamp <= now + .milliseconds(1) && timestamp >= now - .milliseconds(200)
  }

  /// When the next frame given is heard, by a status read at `now`; nil where the reading makes no sense.
  @_noLocks func heardAt(_ status: rt_alsa_status_t, now: Instant) -> Instant? {
    let timestamp = Instant(nanoseconds: status.timestamp_ns)
    let plausible = isPlausible(timestamp, now: now)
    guard status.timestamp_ns == 0 || plausible, status.delay >= 0, status.delay <= Int64(16 * rate) else { return nil }
    let delay = Interval(nanoseconds: Int64(Double(status.delay) * timeline.nanosecondsPerFrame))
    shared.pointee.latency.store(delay.nanoseconds, ordering: .relaxed)
    // Without a timestamp the position is as old as the call that read it.
    return (plausible ? timestamp : now) + delay + (playing?.lead ?? .zero)
  }

  /// Takes "the next frame given is heard then" into the timeline.
  @_noLocks private mutating func measure(_ device: OpenDevice, _ status: rt_alsa_status_t, now: Instant) {
    guard var current = playing, let heard = heardAt(status, now: now) else { return }
    current.extraDelay = max(0, status.delay - (Int64(device.ring) - status.available))
    let frame = current.queue.end
    // A card's position moves on without frames; a server's stands still for reasons of its own, too.
    let wasLow = device.isHardware || current.reserve.wasLow(at: now)
    let outcome = current.clock.measure(
      frame: frame, heardAt: heard, played: current.taken - status.delay, wasLow: wasLow, plan: timeline, at: now)
    playing = current
    switch outcome {
    case .watching: return
    case .unpaced: paceByClock(device)
    case .followed(let correction, let ranDry):
      if correction > .milliseconds(1) || correction < .milliseconds(-1) { correct(by: correction) }
      timeline = playing?.clock.timeline ?? timeline
      if ranDry { handle(.glitch) }
    }
  }

  /// Frames are heard later by this much. Once that is later than announced, passes over as many, so that announced
  /// instants stay valid; earlier ones cannot be held back without a click, and are only told.
  @_noLocks private mutating func correct(by correction: Interval) {
    let deviation = (playing?.deviation ?? .zero) + correction
    let lost = deviation > .milliseconds(1) ? deviation.frames(rate: rate) : 0
    tell(.corrected(by: correction, lost: lost, at: next))
    playing?.deviation = lost > 0 ? .zero : deviation
    skip(lost)
    playing?.queue.pass(lost)
    playing?.clock.renumber(by: lost)
  }
}
