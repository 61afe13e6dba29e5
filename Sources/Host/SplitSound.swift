import Glibc
import Mixing

/// A sound in two parts whose sum it is: what a low-pass of first order at 1 kHz leaves, and the rest. Turned up and down
/// apart, they are a brightness that can move while the sound plays: the treble is multiplied by it.
final class SplitSound {
  /// Where treble begins, in Hz: 3 dB down in the dull part.
  static let corner = 1_000.0

  /// The low-pass of the sound.
  let dull: ResidentSource
  /// The sound less its low-pass.
  let bright: ResidentSource

  /// Splits `source`, of `rate` frames a second. What loops is split for one turn more, which repeats, so that the
  /// low-pass goes on over the seam.
  init(_ source: ResidentSource, rate: Int) {
    let turn = source.loopEnd > source.loopStart ? source.loopStart..<source.loopEnd : nil
    let frames = turn.map { $0.upperBound + $0.count } ?? source.frames
    let dull = UnsafeMutablePointer<Float>.allocate(capacity: max(2 * frames, 1))
    let bright = UnsafeMutablePointer<Float>.allocate(capacity: max(2 * frames, 1))
    let share = Float(1 - exp(-2 * Double.pi * Self.corner / Double(rate)))
    var low = SIMD2<Float>(0, 0)
    for frame in 0..<frames {
      let place = frame < (turn?.upperBound ?? frames) ? frame : frame - (turn?.count ?? 0)
      let sample = SIMD2(source.samples[2 * place], source.samples[2 * place + 1])
      low += (sample - low) * share
      for side in 0...1 {
        (dull + 2 * frame + side).initialize(to: low[side])
        (bright + 2 * frame + side).initialize(to: sample[side] - low[side])
      }
    }
    let loop = turn.map { $0.upperBound..<frames }
    self.dull = ResidentSource(samples: .float(dull), frames: frames, loop: loop)
    self.bright = ResidentSource(samples: .float(bright), frames: frames, loop: loop)
  }

  deinit {
    dull.samples.address.deallocate()
    bright.samples.address.deallocate()
  }
}
