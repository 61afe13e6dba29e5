// SPDX-License-Identifier: Apache-2.0

import Mixing
import Problems

/// The open files of the streams, one a slot: touched by whoever pumps, and by nobody else.
struct StreamReaders {
  /// Frames read at a time, so that many streams take turns.
  static let chunk = 4_096
  /// Frames of the fade that ends a failed stream: 5 ms at 48 kHz.
  private static let failureFade = 240

  /// Of each slot one a layer; none while its files are closed.
  private var readers: [[TrackReader]]
  /// The last frame that each slot's ring was given, in each layer.
  private var last: [[SIMD2<Float>]]
  /// Room for a chunk of every layer.
  private var scratch = [Float](repeating: 0, count: 2 * chunk * (1 + StemGains.most))

  init(count: Int) {
    readers = [[TrackReader]](repeating: [], count: max(1, count))
    last = [[SIMD2<Float>]](repeating: [], count: max(1, count))
  }

  /// Closes a slot's files.
  mutating func drop(_ slot: Int) { readers[slot] = [] }

  /// Reads the next piece of a stream into its ring; opens the files first if need be, closes them behind the last. Of the
  /// track and its stems as much is read; where one of them breaks off all end.
  mutating func feed(_ work: StreamWork, ring: UnsafeMutablePointer<StreamRing>) -> StreamProgress {
    let count = min(work.room, Self.chunk)
    do throws(Problem) {
      if readers[work.slot].isEmpty {
        last[work.slot] = work.track.layers.map { $0.lastOfHead(before: work.next) }
        for layer in work.track.layers {
          readers[work.slot].append(
            try TrackReader(layer.file, plan: layer.plan, from: work.next))
        }
      }
      let open = readers[work.slot]
      let got = try scratch.withUnsafeMutableBufferPointer { (buffer) throws(Problem) in
        guard let base = buffer.baseAddress else { return 0 }
        var got = count
        for (layer, reader) in open.enumerated() {
          let read = try reader.read(into: base + 2 * Self.chunk * layer, frames: got)
          // What breaks off here breaks off for good the next time.
          if read < got { got = read }
        }
        let rooms = open.indices.map { UnsafePointer(base + 2 * Self.chunk * $0) }
        if got > 0 { last[work.slot] = rooms.map { SIMD2($0[2 * got - 2], $0[2 * got - 1]) } }
        return ring.pointee.write(rooms.map { .float($0) }, frames: got)
      }
      guard open.first?.position == work.track.plan.streamFrames || got == 0 else { return .wrote(got) }
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
    for (layer, last) in last[slot].enumerated() {
      for i in 0..<frames {
        let level = last * (1 - Float(i + 1) / Float(frames))
        let place = 2 * (Self.chunk * layer + i)
        (scratch[place], scratch[place + 1]) = (level.x, level.y)
      }
    }
    scratch.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      _ = ring.pointee.write(last[slot].indices.map { .float(base + 2 * Self.chunk * $0) }, frames: frames)
    }
  }
}
