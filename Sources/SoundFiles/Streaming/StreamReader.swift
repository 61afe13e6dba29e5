// SPDX-License-Identifier: Apache-2.0

import Mixing
import Problems

/// The open files of one slot's stream: touched by whoever feeds it, one at a time.
struct StreamReader {
  /// Frames read at a time, so that many streams take turns.
  static let chunk = 4_096
  /// The fade that ends a failed stream, in milliseconds.
  private static let failureFade = 5

  /// Room for a chunk of every layer: of who pumps.
  struct Scratch {
    fileprivate var samples = [Float](repeating: 0, count: 2 * chunk * (1 + StemGains.most))
  }

  /// One a layer; none while the files are closed.
  private var readers: [TrackReader] = []
  /// The last frame that the ring was given, in each layer.
  private var last: [SIMD2<Float>] = []

  /// Closes the files.
  mutating func drop() { readers = [] }

  /// Reads the next piece of a stream into its ring; opens the files first if need be, closes them behind the last. Of the
  /// track and its stems as much is read; where one of them breaks off all end.
  mutating func feed(
    _ work: StreamWork, ring: UnsafeMutablePointer<StreamRing>, _ scratch: inout Scratch
  ) -> StreamProgress {
    let count = min(work.room, Self.chunk)
    do throws(Problem) {
      if readers.isEmpty {
        last = work.track.layers.map { $0.lastOfHead(before: work.next) }
        for layer in work.track.layers {
          readers.append(try TrackReader(layer.file, plan: layer.plan, from: work.next))
        }
      }
      let open = readers
      let got = try scratch.samples.withUnsafeMutableBufferPointer { (buffer) throws(Problem) in
        guard let base = buffer.baseAddress else { return 0 }
        var got = count
        for (layer, reader) in open.enumerated() {
          let read = try reader.read(into: base + 2 * Self.chunk * layer, frames: got)
          // What breaks off here breaks off for good the next time.
          if read < got { got = read }
        }
        let rooms = open.indices.map { UnsafePointer(base + 2 * Self.chunk * $0) }
        if got > 0 { last = rooms.map { SIMD2($0[2 * got - 2], $0[2 * got - 1]) } }
        return ring.pointee.write(rooms.map { .float($0) }, frames: got)
      }
      guard open.first?.position == work.track.plan.streamFrames || got == 0 else { return .wrote(got) }
      ring.pointee.finish()
      drop()
      return .ended(got)
    } catch {
      fadeOut(ring, rate: work.track.rate, room: count, &scratch)
      ring.pointee.finish()
      drop()
      return .failed(error)
    }
  }

  /// Lets the last frame sink to silence, so that a file that breaks off does not click.
  private func fadeOut(_ ring: UnsafeMutablePointer<StreamRing>, rate: Int, room: Int, _ scratch: inout Scratch) {
    let frames = min(rate * Self.failureFade / 1_000, room)
    for (layer, last) in last.enumerated() {
      for i in 0..<frames {
        let level = last * (1 - Float(i + 1) / Float(frames))
        let place = 2 * (Self.chunk * layer + i)
        (scratch.samples[place], scratch.samples[place + 1]) = (level.x, level.y)
      }
    }
    scratch.samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      _ = ring.pointee.write(last.indices.map { .float(base + 2 * Self.chunk * $0) }, frames: frames)
    }
  }
}
