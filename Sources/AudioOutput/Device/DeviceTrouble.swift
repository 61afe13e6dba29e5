// SPDX-License-Identifier: Apache-2.0

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
    guard var current = playing else { return }
    if case .underrun = event { judgeDry(current.device.pointee) }
    let decision = current.recovery.handle(event, at: now())
    playing?.recovery = current.recovery
    note(decision.loss)
    switch event {
    case .underrun, .glitch: growFill(of: current.device.pointee)
    default: break
    }
    switch decision.action {
    case .proceed: break
    case .restart: playing?.phase = .starting
    case .resume(let instant): playing?.phase = .resuming(at: instant)
    case .release(let reason):
      // What it may still hold has been given up; plug-ins may wait in this.
      if current.device.pointee.isHardware { drop(current.device.pointee) }
      release(reason)
    }
  }

  /// Keeps more of a device that ran dry filled, where it plays on with that or is started anew.
  @_noLocks private mutating func growFill(of device: OpenDevice) {
    guard device.canGrow, playing?.fill.grow() == true, let fill = playing?.fill else { return }
    setWakeRoom(fill.wakeRoom, of: device)
    shared.pointee.fill.store(fill.frames, ordering: .releasing)
    rt_eventfd_signal(keeperWake)
  }

  /// What the device that stopped was given in vain is lost; so is what follows, until one is on the plan again.
  @_noLocks private mutating func note(_ loss: DeviceRecovery.Loss) {
    guard let current = playing else { return }
    var hasRunDry = false
    switch loss {
    case .none: return
    case .afterDry: hasRunDry = true
    case .queued: break
    }
    var status = rt_alsa_status_t()
    let isKnown = read(&status, of: current.device.pointee) >= 0
    let frame: Int64
    if hasRunDry {
      frame = current.queue.dryFrame(
        available: isKnown ? status.available : Int64(current.device.pointee.ring), late: current.lateBlock)
      shared.pointee.underruns.add(1, ordering: .relaxed)
    } else {
      // A device that is gone tells no position any more. The last one it told is taken: at most too much is called lost.
      frame = isKnown ? current.queue.droppedFrame(available: status.available) : current.queue.lastPosition
    }
    playing?.loss = PlayingDevice.Loss(frame: frame, isUnderrun: hasRunDry)
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
    shared.pointee.deviceLosses.add(1, ordering: .relaxed)
    handBack(current.device, reason, period: period)
    tell(.deviceLost(reason))
  }

  /// Goes on by the clock, and leaves the device to the control side.
  @_noLocks mutating func handBack(
    _ device: UnsafeMutablePointer<OpenDevice>, _ reason: ReleaseReason, period: Int
  ) {
    shared.pointee.isOnDevice.store(false, ordering: .relaxed)
    shared.pointee.leadInForce.store(0, ordering: .relaxed)
    tellSilence(since: .distantFuture)
    continueOnClock(period: period)
    device.pointee.releaseReason = reason
    shared.pointee.hasReleased.store(true, ordering: .releasing)
    shared.pointee.released.store(device, ordering: .releasing)
    rt_eventfd_signal(keeperWake)
  }
}
