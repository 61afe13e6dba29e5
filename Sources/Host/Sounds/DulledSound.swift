// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mixing
import Problems
import SoundFiles

/// A sound at brightness 0: what a low-pass of first order at 1 kHz leaves of it. A mix of it and the sound is a brightness
/// that can move while they play: what the low-pass takes away is multiplied by it.
final class DulledSound: @unchecked Sendable {
  // Sendable is true: the memory is written inside init only and goes when nobody holds it.

  /// Where treble begins, in Hz: 3 dB down.
  static let corner = 1_000.0

  /// As long as the sound, or a turn longer.
  let source: ResidentSource

  private let block: SampleBlock

  /// Dulls `source`, of `rate` frames a second, which the file at `path` holds. What loops is filtered for one turn more, which
  /// repeats, so that the low-pass goes on over the seam. Throws where there is no `room` for it.
  init(_ source: ResidentSource, rate: Int, of path: String, in room: PackRoom) throws(Problem) {
    let turn = source.loopEnd > source.loopStart ? source.loopStart..<source.loopEnd : nil
    let frames = turn.map { $0.upperBound + $0.count } ?? source.frames
    block = try SampleBlock(bytes: 2 * frames * MemoryLayout<Float>.stride, for: path, in: room)
    let dull = block.address.bindMemory(to: Float.self, capacity: 2 * frames)
    let share = Float(1 - exp(-2 * Double.pi * Self.corner / Double(rate)))
    var low = SIMD2<Float>(0, 0)
    for frame in 0..<frames {
      let place = frame < (turn?.upperBound ?? frames) ? frame : frame - (turn?.count ?? 0)
      let sample = SIMD2(source.samples[2 * place], source.samples[2 * place + 1])
      low += (sample - low) * share
      dull[2 * frame] = low.x
      dull[2 * frame + 1] = low.y
    }
    let loop = turn.map { $0.upperBound..<frames }
    self.source = ResidentSource(samples: .float(dull), frames: frames, loop: loop)
  }

  /// Bytes that it keeps.
  var residentBytes: Int { 2 * source.frames * MemoryLayout<Float>.stride }
}
