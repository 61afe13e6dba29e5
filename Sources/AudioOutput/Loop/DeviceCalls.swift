// SPDX-License-Identifier: Apache-2.0

import CALSA
import CRealTime

/// The calls of a device, in the words of `rt_alsa.h`. A plug-in may hang in any of them, as when its sound server does: then
/// another thread takes this one's place, and such a call does not return.
extension AudioThread {
  @_noLocks func prepare(_ device: OpenDevice) -> Int32 {
    let call = enter()
    let result = rt_alsa_prepare(device.pcm)
    leave(call)
    return result
  }

  @_noLocks func start(pcmOf device: OpenDevice) -> Int32 {
    let call = enter()
    let result = rt_alsa_start(device.pcm)
    leave(call)
    return result
  }

  /// Discards what is queued and not heard yet. A file is left alone: what was written to it is there, and nothing waits.
  @_noLocks func drop(_ device: OpenDevice) {
    if device.isFile { return }
    let call = enter()
    _ = rt_alsa_drop(device.pcm)
    leave(call)
  }

  /// Has `wait` return as soon as there is room for that many frames; at its next call where this is refused.
  @_noLocks func setWakeRoom(_ frames: Int, of device: OpenDevice) {
    let call = enter()
    _ = rt_alsa_set_wake_room(device.pcm, UInt64(frames))
    leave(call)
  }

  /// For two of its periods and 20 ms at most, and never so long that it seems to hang.
  @_noLocks func wait(for device: OpenDevice) -> Int32 {
    let call = enter()
    let result = rt_alsa_wait(device.pcm, Int32(min(2_000 * max(device.period, device.ownPeriod) / rate + 20, 1_000)))
    leave(call)
    return result
  }

  @_noLocks func read(_ status: inout rt_alsa_status_t, of device: OpenDevice) -> Int32 {
    let call = enter()
    let result = rt_alsa_status(device.pcm, &status)
    leave(call)
    return result
  }

  @_noLocks func available(_ device: OpenDevice) -> Int64 {
    let call = enter()
    let result = rt_alsa_available(device.pcm)
    leave(call)
    return result
  }

  /// Where at most `frames` go in the PCM's memory, and how many of them.
  @_noLocks func room(
    for frames: Int, in device: OpenDevice, at address: inout UnsafeMutableRawPointer?, _ offset: inout UInt64,
    _ contiguous: inout Int64
  ) -> Int32 {
    let call = enter()
    let result = rt_alsa_mmap_begin(device.pcm, Int64(frames), &address, &offset, &contiguous)
    leave(call)
    return result
  }

  @_noLocks func commit(_ frames: Int, at offset: UInt64, to device: OpenDevice) -> Int64 {
    let call = enter()
    let result = rt_alsa_mmap_commit(device.pcm, offset, Int64(frames))
    leave(call)
    return result
  }

  @_noLocks func write(_ bytes: UnsafeRawPointer, _ frames: Int, to device: OpenDevice) -> Int64 {
    let call = enter()
    let result = rt_alsa_write(device.pcm, bytes, Int64(frames))
    leave(call)
    return result
  }

  /// What is lost if this one hangs is noted first: nobody can ask the thread then.
  @_noLocks private func enter() -> UInt64 {
    let (frame, frames) = heldFrames
    shared.pointee.firstHeld.store(frame, ordering: .relaxed)
    shared.pointee.framesHeld.store(frames, ordering: .relaxed)
    return shared.pointee.call.begin()
  }

  @_noLocks private func leave(_ call: UInt64) {
    if shared.pointee.call.end(call) { return }
    // Another thread renders by now. All of this may be closed and freed from here on, eventfds too: the keeper looks.
    shared.pointee.hasReturned.store(true, ordering: .releasing)
    rt_thread_exit()
  }

  /// The first frame that is not heard if the device never plays again, and how many are that have not been counted as lost.
  private var heldFrames: (first: Int64, uncounted: Int64) {
    @_noLocks get {
      let next = next
      guard let playing else { return (next, 0) }
      if let loss = playing.loss { return (loss.frame, 0) }
      guard case .playing = playing.phase else { return (next, 0) }
      return (playing.queue.lastPosition, next - playing.queue.lastPosition)
    }
  }
}
