// SPDX-License-Identifier: Apache-2.0

import CALSA
import CRealTime
import Glibc
import Mixing

extension AudioThread {
  /// Hands the block's first `frames` to the device, converted. 0, or a negative errno.
  @_noLocks mutating func write(_ device: OpenDevice, _ frames: Int) -> Int64 {
    device.isMemoryMapped ? writeMapped(device, frames) : writeCopied(device, frames)
  }

  @_noLocks private mutating func note(given frames: Int64) {
    playing?.taken += frames
    playing?.queue.give(frames)
    playing?.forecast.give(frames)
  }

  /// Converts straight into the PCM's memory; where its ring wraps, in two parts.
  @_noLocks private mutating func writeMapped(_ device: OpenDevice, _ frames: Int) -> Int64 {
    var done = 0
    var parts = 0
    while done < frames {
      parts += 1
      if parts > 4 { return -Int64(EIO) }
      let room = available(device)
      if room < 0 { return room }
      var address: UnsafeMutableRawPointer?
      var offset: UInt64 = 0
      var contiguous: Int64 = 0
      let begun = self.room(for: frames - done, in: device, at: &address, &offset, &contiguous)
      if begun < 0 { return Int64(begun) }
      guard let address, contiguous > 0 else { return -Int64(EIO) }
      let count = min(Int(contiguous), frames - done)
      device.bridge.convert(block + 2 * done, frames: count, to: address)
      let committed = commit(count, at: offset, to: device)
      if committed < 0 { return committed }
      note(given: committed)
      done += Int(committed)
      // Whether the part came in time the next call may not tell any more.
      if done < frames, playing?.lateBlock == nil, let current = playing, self.now() >= current.dryAt {
        playing?.lateBlock = current.queue.lastGiven
      }
    }
    return 0
  }

  /// Writes what an earlier call left over, then these frames; what does not fit is left over.
  @_noLocks private mutating func writeCopied(_ device: OpenDevice, _ frames: Int) -> Int64 {
    let left = writePending(device)
    if left < 0 { return left }
    // Two blocks behind: the PCM promised room that it does not have.
    if left > 0 { return -Int64(EIO) }
    device.bridge.convert(block, frames: frames, to: device.converted)
    playing?.pending = frames
    playing?.pendingStart = 0
    let rest = writePending(device)
    return rest < 0 ? rest : 0
  }

  /// Frames still pending, or a negative errno.
  @_noLocks private mutating func writePending(_ device: OpenDevice) -> Int64 {
    guard let current = playing, current.pending > 0 else { return 0 }
    let bytes = device.converted + current.pendingStart * device.bridge.frameByteCount
    let written = write(bytes, current.pending, to: device)
    if written == -Int64(EAGAIN) { return Int64(current.pending) }
    if written < 0 { return written }
    note(given: written)
    playing?.pending = current.pending - Int(written)
    playing?.pendingStart = current.pendingStart + Int(written)
    return Int64(current.pending) - written
  }

  /// For a PCM without a pace of its own: what it does not take is lost to it, for the clock does not wait.
  @_noLocks mutating func writeUnpaced(_ frames: Int) {
    guard let device = playing?.device.pointee else { return }
    let error = write(device, frames)
    if error < 0 { release(.failing) }
  }
}
