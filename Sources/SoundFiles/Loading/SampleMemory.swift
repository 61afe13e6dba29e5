// SPDX-License-Identifier: Apache-2.0

import Mixing
import Problems

/// Stereo samples that never change, at an address that never moves, where a page begins.
///
/// Where every one of them is a 16-bit integer, as in a 16-bit file at the engine's rate, they are kept as such, in half
/// the memory; else as floats. What they are mixed to is the same to the bit.
final class SampleMemory: @unchecked Sendable {
  // Sendable is true: the memory is written inside init only and goes when nobody holds it.

  let samples: Samples
  let frames: Int
  private let block: SampleBlock

  /// The next `frames` frames of `reader`, with silence behind its end, of the file at `path`; `isInteger` where its header says
  /// that each is a 16-bit integer. Throws when there is no room for it, when its file breaks off before, and once nobody wants it
  /// any more.
  init(
    frames: Int, from reader: TrackReader, of path: String, isInteger: Bool, in room: PackRoom,
    isWanted: () -> Bool = { true }
  ) throws(Problem) {
    self.frames = frames
    block = try SampleBlock(
      bytes: 2 * frames * MemoryLayout<Float>.stride,
      announced: 2 * frames * (isInteger ? MemoryLayout<Int16>.stride : MemoryLayout<Float>.stride), for: path, in: room
    )
    let floats = block.address.bindMemory(to: Float.self, capacity: 2 * frames)
    var done = 0
    while case let part = min(frames - done, Self.part),
      case let got = try reader.read(into: floats + 2 * done, frames: part), got > 0
    {
      done += got
      if !isWanted() { throw Problem(.busy, "nobody waits for it any more") }
    }
    // Also what is silent is written, so that its pages are there.
    (floats + 2 * done).update(repeating: 0, count: 2 * (frames - done))
    if Self.areIntegers(floats, count: 2 * frames) {
      samples = .int16(Self.asIntegers(block.address, count: 2 * frames))
      block.cut(to: bytes)
    } else {
      samples = .float(floats)
    }
  }

  /// What is read between looking whether it is wanted: a second and more, and a few milliseconds' work.
  private static let part = 65_536
  /// Samples that are looked at, and changed, at a time.
  private static let piece = 4_096
  /// Above 2^23 a float steps by one, and its lowest bits are the integer that it was moved there by.
  private static let away: Float = 0x1.8p23

  /// Bytes it takes.
  var bytes: Int { 2 * frames * samples.stride }

  /// Whether all of `floats` stand for 16-bit integers.
  ///
  /// Every sound that is loaded is looked through, so without a branch for each sample, and many at a time.
  private static func areIntegers(_ floats: UnsafePointer<Float>, count: Int) -> Bool {
    var next = 0
    while next < count {
      let end = min(next + piece, count)
      var others: UInt32 = 0
      for index in next..<end {
        let sample = floats[index] * 0x1p15
        others |= (sample + away - away == sample ? 0 : 1) | (sample < -0x1p15 ? 1 : 0) | (sample >= 0x1p15 ? 1 : 0)
      }
      if others != 0 { return false }
      next = end
    }
    return true
  }

  /// The `count` floats at `address`, all of which stand for 16-bit integers, as these, in the same place: what is written is never
  /// farther than what has been read.
  private static func asIntegers(_ address: UnsafeMutableRawPointer, count: Int) -> UnsafePointer<Int16> {
    withUnsafeTemporaryAllocation(of: Int16.self, capacity: piece) { integers in
      guard let base = integers.baseAddress else { return }
      var next = 0
      while next < count {
        let end = min(next + piece, count)
        let floats = (address + next * MemoryLayout<Float>.stride).assumingMemoryBound(to: Float.self)
        for index in 0..<(end - next) {
          base[index] = Int16(truncatingIfNeeded: (floats[index] * 0x1p15 + away).bitPattern)
        }
        (address + next * MemoryLayout<Int16>.stride).copyMemory(
          from: base, byteCount: (end - next) * MemoryLayout<Int16>.stride)
        next = end
      }
    }
    return UnsafePointer(address.bindMemory(to: Int16.self, capacity: count))
  }
}
