// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Timing

/// What becomes of a device for which the clock wakes, and whose position turns out to move in steps: it wakes by itself.
extension AudioThread {
  /// Looks whether what it told, asked not before `asked`, of where it was at `instant` is what a fine position can be.
  @_noLocks mutating func judge(_ device: OpenDevice, _ status: rt_alsa_status_t, asked: Instant, at instant: Instant) {
    guard let current = playing, current.wakes.isTimer else { return }
    let queued = current.fill.queued(available: status.available)
    let (played, rate) = (current.taken - queued, rate)
    playing?.steps.read(played: played, queued: queued, asked: asked, answered: instant, rate: rate)
    if playing?.steps.isCertain == true { wakeByItself(device) }
  }

  /// The same of a device that was found dry.
  @_noLocks mutating func judgeDry(_ device: OpenDevice) {
    guard let current = playing, current.wakes.isTimer else { return }
    let (now, rate) = (now(), rate)
    playing?.steps.ranDry(by: now, rate: rate)
    if playing?.steps.isCertain == true { wakeByItself(device) }
  }

  /// From here on it wakes for each of its own periods, and three of them are kept ahead, or its ring: with less it would run dry at
  /// each step, whatever period was asked for.
  @_noLocks private mutating func wakeByItself(_ device: OpenDevice) {
    playing?.wakes = .device
    playing?.fill.grow(to: 3 * device.ownPeriod)
    guard let fill = playing?.fill else { return }
    setWakeRoom(fill.wakeRoom, of: device)
    shared.pointee.wakesByItself.store(true, ordering: .relaxed)
    shared.pointee.fill.store(fill.frames, ordering: .releasing)
    rt_eventfd_signal(keeperWake)
  }
}
