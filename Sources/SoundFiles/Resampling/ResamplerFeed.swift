// SPDX-License-Identifier: Apache-2.0

import Problems

/// Draws resampled frames out of a source: hands it to the resampler piece by piece.
struct ResamplerFeed: ~Copyable {
  private let resampler: Resampler
  private var input = [Float](repeating: 0, count: 2 * 1_024)
  /// Frames of `input` that the resampler has not taken yet.
  private var waiting = 0..<0
  private var ended = false

  init(_ resampler: consuming Resampler) { self.resampler = resampler }

  /// Begins anew: whatever the source gives next is the first that is heard.
  mutating func reset() {
    resampler.reset()
    waiting = 0..<0
    ended = false
  }

  /// Up to `count` resampled frames; 0 when the source has ended and all of it has come out.
  mutating func read(
    from source: inout EndlessSource, into output: UnsafeMutablePointer<Float>, frames count: Int
  ) throws(Problem) -> Int {
    while true {
      if waiting.isEmpty, !ended {
        let got = try input.withUnsafeMutableBufferPointer { (buffer) throws(Problem) in
          guard let base = buffer.baseAddress else { return 0 }
          return try source.read(into: base, frames: buffer.count / 2)
        }
        waiting = 0..<got
        ended = got == 0
      }
      let (taken, given) = input.withUnsafeBufferPointer { buffer in
        resampler.process(
          ended ? nil : buffer.baseAddress.map { $0 + 2 * waiting.lowerBound }, frames: waiting.count,
          into: output, capacity: count)
      }
      waiting = (waiting.lowerBound + taken)..<waiting.upperBound
      if given > 0 || ended { return given }
    }
  }
}
