// SPDX-License-Identifier: Apache-2.0

import CALSA
import CRealTime
import Mixing
import RealTime
import Timing

/// Letting a device go while nothing is to be heard, and coming in again without a frame lost.
extension AudioThread {
  /// Takes note, on a device that plays, of whether it has had nothing but silence and will for a while, and lets it go
  /// where nobody wants it.
  @_noLocks mutating func followSilence() {
    let isSilent = mixer.pointee.calmFrames >= Int64(rate) && tap == nil
    guard isSilent else {
      if silentSince != .distantFuture { tellSilence(since: .distantFuture) }
      return
    }
    if silentSince == .distantFuture { tellSilence(since: now()) }
    guard !shared.pointee.wantsDevice.load(ordering: .acquiring), !mixer.pointee.hasWork else { return }
    letDeviceRest()
  }

  @_noLocks mutating func tellSilence(since instant: Instant) {
    silentSince = instant
    shared.pointee.silentSince.store(instant == .distantFuture ? .max : instant.nanoseconds, ordering: .releasing)
  }

  /// What it holds is silence, and the clock goes on where it stood: so nothing is lost.
  @_noLocks private mutating func letDeviceRest() {
    guard let current = playing else { return }
    let period = current.device.pointee.period
    playing = nil
    isAwaited = true
    unheard = nil
    handBack(current.device, .resting, period: period)
    tell(.deviceRests(at: next))
  }

  /// On the clock while a device rests, after frames from `first` on were rendered: what sounds before it is back is not heard.
  @_noLocks mutating func noteUnheard(from first: Int64) {
    guard isAwaited, unheard == nil else { return }
    if !shared.pointee.hasDevice.load(ordering: .acquiring) {
      // It did not come back, and nobody waits for it any more.
      isAwaited = false
    } else if !isSilent(Int(next - first)) {
      unheard = first
    }
  }

  /// Lets frames pass up to where a device that was opened comes in; of one that rested the silent ones are not lost.
  @_noLocks mutating func comeIn(after frames: Int64) {
    guard isAwaited else { return skip(frames) }
    var left = frames
    var renderable = Int64(blockFrames)
    while unheard == nil, left > 0 {
      let calm = min(left, mixer.pointee.calmFrames)
      if calm > 0 {
        mixer.pointee.rest(frames: calm)
        shared.pointee.framesRendered.add(calm, ordering: .relaxed)
        left -= calm
        continue
      }
      // Near to what moves they may be silent all the same.
      guard renderable > 0 else { break }
      let first = next
      let count = min(left, Int64(pacer.period))
      mixer.pointee.render(into: block, frames: Int(count))
      shared.pointee.framesRendered.add(count, ordering: .relaxed)
      if !isSilent(Int(count)) { unheard = first }
      renderable -= count
      left -= count
    }
    guard left > 0 else { return }
    if unheard == nil { unheard = next }
    mixer.pointee.skip(frames: Int(left))
  }

  /// Whether the first frames of the block are silence.
  @_noLocks private func isSilent(_ frames: Int) -> Bool {
    for index in 0..<(2 * frames) where block[index] != 0 { return false }
    return true
  }

  /// A device that rested plays again; whether it is in time for all that was to be heard. Else tells what was lost.
  @_noLocks mutating func endAwaiting() -> Bool {
    guard isAwaited else { return false }
    isAwaited = false
    guard let first = unheard else { return true }
    unheard = nil
    shared.pointee.framesLost.add(next - first, ordering: .relaxed)
    tell(.skipped(at: first, lost: next - first))
    return false
  }

  /// A device that was opened comes in with what is heard at `heard`: tells how long that took, until all that is kept ahead of
  /// it is told the mixer. Its lead is known apart.
  @_noLocks mutating func noteWake(heard: Instant) {
    guard let current = playing, current.isNew else { return }
    playing?.isNew = false
    let ahead = Int64(current.fill.frames) + mixer.pointee.mixedAhead
    let ready = heard + Interval.frames(ahead, rate: rate) - current.lead
    shared.pointee.wakeTaken.store(
      ready.nanoseconds - shared.pointee.openedFrom.load(ordering: .relaxed), ordering: .releasing)
  }
}
