import CALSA
import CRealTime
import Glibc
import Mixing
import Timing

extension AudioThread {
  @_noLocks mutating func handle(error: Int64) {
    switch Int32(truncatingIfNeeded: -error) {
    case EPIPE: handle(.underrun)
    case ESTRPIPE: handle(.suspended)
    case ENODEV, ENXIO, ENOENT, EBADF: handle(.gone)
    default: handle(.failed)
    }
  }

  /// While starting nothing can run out: only a device that went away differs from one that refuses.
  @_noLocks mutating func handle(startFailure error: Int64) {
    switch Int32(truncatingIfNeeded: -error) {
    case ENODEV, ENXIO, ENOENT, EBADF: handle(.gone)
    default: handle(.refused)
    }
  }

  @_noLocks mutating func handle(_ event: DeviceRecovery.Event) {
    let now = now()
    guard var current = playing else { return }
    var isUnderrun = false
    if case .underrun = event { isUnderrun = true }
    // Before it is on the plan it can run dry of silence only: a start that failed.
    var isStart = false
    if case .aligning = current.phase { isStart = true }
    let action = current.recovery.handle(isStart && isUnderrun ? .refused : event, at: now)
    playing?.recovery = current.recovery
    if isUnderrun && !isStart { shared.pointee.underruns.add(1, ordering: .relaxed) }
    switch action {
    case .proceed: break
    case .restart:
      noteLoss(isUnderrun: isUnderrun)
      playing?.phase = .starting
    case .resume(let instant):
      noteLoss(isUnderrun: false)
      playing?.phase = .resuming(at: instant)
    case .release(let reason):
      if isUnderrun { noteLoss(isUnderrun: true) }
      release(reason)
    }
  }

  /// What the device that stopped was given in vain is lost; so is what follows, until it is on the plan again.
  @_noLocks private mutating func noteLoss(isUnderrun: Bool) {
    guard let current = playing, case .playing = current.phase else { return }
    var status = rt_alsa_status_t()
    let error = rt_alsa_status(current.device.pointee.pcm, &status)
    let room = error < 0 ? Int64(current.device.pointee.buffer) : status.available
    let frame = isUnderrun ? current.queue.dryFrame(available: room) : current.queue.droppedFrame(available: room)
    playing?.loss = PlayingDevice.Loss(frame: frame, isUnderrun: isUnderrun)
    shared.pointee.framesLost.add(next - frame, ordering: .relaxed)
  }

  /// Tells what was lost up to the next frame, if anything was.
  @_noLocks mutating func tellLoss() -> Bool {
    guard let loss = playing?.loss else { return false }
    let lost = next - loss.frame
    if loss.isUnderrun {
      tell(.underrun(at: loss.frame, lost: lost))
    } else {
      tell(.skipped(at: loss.frame, lost: lost))
    }
    playing?.loss = nil
    return true
  }

  /// Hands the device back to the control side, which may block on closing it; the plan goes on.
  @_noLocks mutating func release(_ reason: ReleaseReason) {
    guard let current = playing else { return }
    let period = current.device.pointee.period
    _ = tellLoss()
    playing = nil
    continueOnClock(period: period)
    shared.pointee.deviceLosses.add(1, ordering: .relaxed)
    current.device.pointee.releaseReason = reason
    shared.pointee.released.store(current.device, ordering: .releasing)
    rt_eventfd_signal(keeperWake)
    tell(.deviceLost(reason))
  }
}
