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
    guard let action = playing?.recovery.handle(event, at: now) else { return }
    if case .underrun = event {
      shared.pointee.underruns.add(1, ordering: .relaxed)
      let frame = next
      playing?.underrunFrame = frame
    }
    switch action {
    case .proceed: break
    case .restart: playing?.phase = .starting
    case .resume(let instant): playing?.phase = .resuming(at: instant)
    case .release(let reason): release(reason)
    }
  }

  /// Hands the device back to the control side, which may block on closing it; the plan goes on.
  @_noLocks mutating func release(_ reason: ReleaseReason) {
    guard let current = playing else { return }
    let period = current.device.pointee.period
    playing = nil
    continueOnClock(period: period)
    shared.pointee.deviceLosses.add(1, ordering: .relaxed)
    current.device.pointee.releaseReason = reason
    shared.pointee.released.store(current.device, ordering: .releasing)
    tell(.deviceLost(reason))
  }
}
