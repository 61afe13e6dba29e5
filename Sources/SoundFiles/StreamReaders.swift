// SPDX-License-Identifier: Apache-2.0

import Mixing
import Problems

/// The open files of the streams, one a slot: touched by whoever pumps, and by nobody else.
struct StreamReaders {
  /// Frames read at a time, so that many streams take turns.
  static let chunk = 4_096
  /// Frames of the fade that ends a failed stream: 5 ms at 48 kHz.
  private static let failureFade = 240

  private var readers: [TrackReader?]
  /// The last frame that each slot's ring was given.
  private var last: [SIMD2<Float>]
  private var scratch = [Float](repeating: 0, count: 2 * chunk)

  init(count: Int) {
    readers = [TrackReader?](repeating: nil, count: max(1, count))
    last = [SIMD2<Float>](repeating: .zero, count: max(1, count))
  }

  /// Closes a slot's file.
  mutating func drop(_ slot: Int) { readers[slot] = nil }

  /// Reads the next piece of a stream into its ring; opens the file first if need be, closes it behind the last.
  mutating func feed(_ work: StreamWork, ring: UnsafeMutablePointer<StreamRing>) -> StreamProgress {
    let count = min(work.room, Self.chunk)
    do throws(Problem) {
      let reader: TrackReader
      if let open = readers[work.slot] {
        reader = open
      } else {
        last[work.slot] = work.track.lastOfHead(before: work.next)
        reader = try TrackReader(
          path: work.track.path, inside: work.track.folder, plan: work.track.plan, from: work.next)
        readers[work.slot] = reader
      }
      let got = try scratch.withUnsafeMutableBufferPointer { (buffer) throws(Problem) in
        guard let base = buffer.baseAddress else { return 0 }
        let got = try reader.read(into: base, frames: count)
        if got > 0 { last[work.slot] = SIMD2(base[2 * got - 2], base[2 * got - 1]) }
        return ring.pointee.write(.float(base), frames: got)
      }
      guard reader.position == work.track.plan.streamFrames || got == 0 else { return .wrote(got) }
      ring.pointee.finish()
      drop(work.slot)
      return .ended(got)
    } catch {
      fadeOut(work.slot, ring: ring, room: count)
      ring.pointee.finish()
      drop(work.slot)
      return .failed(error)
    }
  }

  /// Lets the last frame sink to silence, so that a file that breaks off does not click.
  private mutating func fadeOut(_ slot: Int, ring: UnsafeMutablePointer<StreamRing>, room: Int) {
    let frames = min(Self.failureFade, room)
    for i in 0..<frames {
      let level = last[slot] * (1 - Float(i + 1) / Float(frames))
      (scratch[2 * i], scratch[2 * i + 1]) = (level.x, level.y)
    }
    scratch.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { _ = ring.pointee.write(.float(base), frames: frames) }
    }
  }
}
