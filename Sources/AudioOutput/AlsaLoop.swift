import CALSA
import CRealTime
import Glibc
import Mixing
import Timing

/// A device while the audio thread plays on it.
struct PlayingDevice: BitwiseCopyable {
  enum Phase: BitwiseCopyable {
    /// To be prepared, prefilled and started.
    case starting
    case playing
    /// To be resumed, not before that instant.
    case resuming(at: Instant)
    /// Takes frames at any speed: paced by the clock.
    case unpaced
  }

  let device: UnsafeMutablePointer<OpenDevice>
  var phase: Phase
  var recovery: DeviceRecovery
  var detector: PacingDetector
  var estimator: TimelineEstimator
  /// The timeline it was started on.
  var plan: AudioTimeline
  /// The frame at which it ran out, until it plays again.
  var underrunFrame: Int64?
  /// Whether the next reading starts the estimate afresh.
  var awaitsFirstReading = true
  /// Whether its readings have been watched for long enough to replace the plan.
  var isTrusted = false
  /// How much later than announced frames are heard: what corrections added up to and no skip has made good.
  var deviation = Interval.zero
  /// Frames given to it since its start.
  var taken: Int64 = 0
  /// Frames of the converted block still to be written, and where they begin.
  var pending = 0
  var pendingStart = 0
  /// What it adds to the frames queued (hardware FIFO, sound server), as last read.
  var extraDelay: Int64 = 0
}

extension AudioThread {
  /// Takes up a device the control side has opened, if there is one.
  @_noLocks mutating func takeUpOffered() {
    guard let device = shared.pointee.offered.exchange(nil, ordering: .acquiringAndReleasing) else { return }
    let open = device.pointee
    playing = PlayingDevice(
      device: device, phase: .starting, recovery: DeviceRecovery(canGrow: open.canGrow),
      detector: PacingDetector(rate: rate, bufferFrames: open.buffer, startedAt: now()),
      estimator: TimelineEstimator(
        frame: next, instant: timeline.instant(ofFrame: next), rate: rate, biasFloor: open.biasFloor),
      plan: timeline)
  }

  /// One period on a device: waits for room, reads position and stamp, renders what fits.
  @_noLocks mutating func devicePeriod() {
    guard let current = playing else { return }
    switch current.phase {
    case .starting:
      start()
    case .resuming(let instant):
      resume(at: instant)
    case .playing, .unpaced:
      play(current.device.pointee)
    }
  }

  @_noLocks private mutating func play(_ device: OpenDevice) {
    let wait = rt_alsa_wait(device.pcm, Int32(2_000 * device.period / rate + 20))
    if wait < 0 { return handle(error: Int64(wait)) }
    var status = rt_alsa_status_t()
    let error = rt_alsa_status(device.pcm, &status)
    if error < 0 { return handle(error: Int64(error)) }
    if status.state == Int32(bitPattern: SND_PCM_STATE_RUNNING.rawValue) {
      playRunning(device, status)
    } else if status.state == Int32(bitPattern: SND_PCM_STATE_XRUN.rawValue) {
      handle(.underrun)
    } else if status.state == Int32(bitPattern: SND_PCM_STATE_SUSPENDED.rawValue) {
      handle(.suspended)
    } else if status.state == Int32(bitPattern: SND_PCM_STATE_DISCONNECTED.rawValue) {
      handle(.gone)
    } else {
      handle(.failed)
    }
  }

  @_noLocks private mutating func playRunning(_ device: OpenDevice, _ status: rt_alsa_status_t) {
    let now = now()
    measure(device, status, now: now)
    if isUnpaced { return }
    guard status.available >= Int64(device.period) else {
      // Awake too early: without this sleep a PCM that is always ready would keep the thread busy.
      let missing = Interval.frames(Int64(device.period) - max(0, status.available), rate: rate)
      rt_sleep_until_ns((now + missing).nanoseconds)
      return handle(.idle)
    }
    if let current = playing, current.isTrusted {
      let late = Interval.frames(status.available - Int64(device.period), rate: rate)
      countWake(late: late.nanoseconds, period: device.period)
    }
    var room = min(status.available, Int64(device.buffer))
    while room >= Int64(device.period) {
      render(device.period)
      let error = write(device, device.period)
      if error < 0 { return handle(error: error) }
      room -= Int64(device.period)
    }
    handle(.progress)
  }

  /// Takes "the next frame written is heard `delay` frames after the stamp" into the timeline.
  @_noLocks private mutating func measure(_ device: OpenDevice, _ status: rt_alsa_status_t, now: Instant) {
    guard var current = playing else { return }
    let stamp = Instant(nanoseconds: status.stamp_ns)
    let plausible = stamp <= now + .milliseconds(1) && stamp >= now - .milliseconds(200)
    // Without a stamp the position is as old as the call that read it.
    let read = plausible ? stamp : now
    guard status.stamp_ns == 0 || plausible, status.delay >= 0, status.delay <= Int64(16 * rate) else { return }
    let queued = Int64(device.buffer) - status.available
    current.extraDelay = max(0, status.delay - queued)
    let delay = Interval(nanoseconds: Int64(Double(status.delay) * timeline.nanosecondsPerFrame))
    let frame = next - Int64(current.pending)
    var correction = Interval.zero
    if current.awaitsFirstReading {
      current.awaitsFirstReading = false
      _ = current.estimator.restart(frame: frame, heardAt: read + delay)
    } else if case .jumped(let by) = current.estimator.measure(frame: frame, heardAt: read + delay) {
      correction = by
    }
    if !current.isTrusted {
      if current.detector.isUnpaced(framesPlayed: current.taken - status.delay, at: now) { return paceByClock(device) }
      current.isTrusted = current.detector.isSettled(at: now)
      correction = current.estimator.timeline.instant(ofFrame: frame) - timeline.instant(ofFrame: frame)
    }
    playing = current
    shared.pointee.latency.store(delay.nanoseconds, ordering: .relaxed)
    guard current.isTrusted else { return }
    if correction > .milliseconds(1) || correction < .milliseconds(-1) { correct(by: correction) }
    timeline = playing?.estimator.timeline ?? timeline
  }

  /// Frames are heard later by this much. Once that is later than announced, passes over as many, so that announced
  /// instants stay valid; earlier ones cannot be held back without a click, and are only told.
  @_noLocks private mutating func correct(by correction: Interval) {
    tell(.corrected(correction))
    let deviation = (playing?.deviation ?? .zero) + correction
    guard deviation > .milliseconds(1) else {
      playing?.deviation = deviation
      return
    }
    playing?.deviation = .zero
    let lost = deviation.frames(rate: rate)
    skip(lost)
    playing?.estimator.renumber(by: lost)
  }

  /// What the device took too early is on the plan as rendered; the clock catches up with it.
  @_noLocks private mutating func paceByClock(_ device: OpenDevice) {
    guard let plan = playing?.plan else { return }
    playing?.phase = .unpaced
    timeline = plan
    continueOnClock(period: device.period)
    tell(.unpaced)
  }

  /// Prepares, passes over what the plan has lost, prefills, and starts at the planned instant.
  @_noLocks private mutating func start() {
    guard let device = playing?.device.pointee else { return }
    if (playing?.taken ?? 0) > 0 { _ = rt_alsa_drop(device.pcm) }
    let prepared = rt_alsa_prepare(device.pcm)
    if prepared < 0 { return handle(startFailure: Int64(prepared)) }
    playing?.pending = 0
    playing?.taken = 0
    let extra = Interval.frames(playing?.extraDelay ?? 0, rate: rate)
    // Rendering the prefill takes a fraction of this.
    let earliest = now() + extra + .milliseconds(1)
    let lost = max(0, timeline.frame(at: earliest) - next)
    skip(lost)
    let planned = timeline.instant(ofFrame: next)
    let plan = AudioTimeline(frame: next, instant: planned, rate: rate)
    var filled = 0
    while filled + device.period <= device.buffer {
      render(device.period)
      let error = write(device, device.period)
      if error < 0 { return handle(startFailure: error) }
      filled += device.period
    }
    let begin = now()
    rt_sleep_until_ns(min((planned - extra).nanoseconds, begin.nanoseconds + 100_000_000))
    let started = rt_alsa_start(device.pcm)
    if started < 0 { return handle(startFailure: Int64(started)) }
    if let ranOut = playing?.underrunFrame {
      tell(.underrun(at: ranOut, lost: lost))
    } else {
      tell(.deviceStarted(at: plan.frame))
    }
    playing?.underrunFrame = nil
    playing?.phase = .playing
    playing?.plan = plan
    playing?.awaitsFirstReading = true
    playing?.isTrusted = false
    playing?.deviation = .zero
    // Until its readings are trusted, and for good if it has no pace of its own.
    timeline = plan
    let detector = PacingDetector(rate: rate, bufferFrames: device.buffer, startedAt: now())
    playing?.detector = detector
    shared.pointee.isPacedByClock.store(false, ordering: .relaxed)
    if device.isUnpaced { paceByClock(device) }
  }

  @_noLocks private mutating func resume(at instant: Instant) {
    guard let device = playing?.device.pointee else { return }
    rt_sleep_until_ns(min(instant.nanoseconds, rt_now_ns() + 50_000_000))
    let error = rt_alsa_resume(device.pcm)
    if error == -EAGAIN { return handle(.stillSuspended) }
    // Resumed or not, what was queued is late by now: begin again where the plan is.
    playing?.phase = .starting
  }
}
