// SPDX-License-Identifier: Apache-2.0

import Mixing
import Problems

/// Stereo samples that never change, at an address that never moves, aligned to 64 bytes (a cache line).
///
/// Where every one of them is a 16-bit integer, as in a 16-bit file at the engine's rate, they are kept as such, in half
/// the memory; else as floats. What they are mixed to is the same to the bit.
final class SampleMemory: @unchecked Sendable {
  // Sendable is true: the memory is written inside init only and freed when nobody holds it.

  let samples: Samples
  let frames: Int

  /// The next `frames` frames of `reader`, with silence behind its end. Throws when its file breaks off before, and once nobody
  /// wants it any more.
  init(
    frames: Int, from reader: TrackReader, isWanted: () -> Bool = { true }
  ) throws(Problem) {
    self.frames = frames
    let floats = Self.room(of: Float.self, frames: frames)
    var done = 0
    do throws(Problem) {
      while case let part = min(frames - done, Self.part),
        case let got = try reader.read(into: floats + 2 * done, frames: part), got > 0
      {
        done += got
        if !isWanted() { throw Problem(.busy, "nobody waits for it any more") }
      }
    } catch {
      floats.deallocate()
      throw error
    }
    if let integers = Self.integers(floats, frames: frames) {
      floats.deallocate()
      samples = .int16(integers)
    } else {
      samples = .float(floats)
    }
  }

  deinit { samples.address.deallocate() }

  /// What is read between looking whether it is wanted: a second and more, and a few milliseconds' work.
  private static let part = 65_536

  /// Bytes it takes.
  var bytes: Int { 2 * frames * samples.stride }

  /// The 16-bit integers that `floats` stand for; nil where one of them stands for none.
  ///
  /// Every sound that is loaded is looked through, so without a branch for each sample, and many at a time: above 2^23 a float
  /// steps by one, and its lowest bits are the integer that it was moved there by.
  private static func integers(_ floats: UnsafePointer<Float>, frames: Int) -> UnsafePointer<Int16>? {
    let integers = room(of: Int16.self, frames: frames)
    let away: Float = 0x1.8p23
    var next = 0
    while next < 2 * frames {
      let end = min(next + 4_096, 2 * frames)
      var others: UInt32 = 0
      for index in next..<end {
        let sample = floats[index] * 0x1p15
        let moved = sample + away
        others |= (moved - away == sample ? 0 : 1) | (sample < -0x1p15 ? 1 : 0) | (sample >= 0x1p15 ? 1 : 0)
        integers[index] = Int16(truncatingIfNeeded: moved.bitPattern)
      }
      guard others == 0 else {
        integers.deallocate()
        return nil
      }
      next = end
    }
    return UnsafePointer(integers)
  }

  /// Room for `frames` frames, all of them silent.
  private static func room<Sample: Numeric>(of: Sample.Type, frames: Int) -> UnsafeMutablePointer<Sample> {
    let count = max(1, 2 * frames)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Sample>.stride, alignment: 64)
    return memory.initializeMemory(as: Sample.self, repeating: .zero, count: count)
  }
}
