import Glibc
import Mixing

/// A sine without end: the least whole number of periods that fills whole frames, to be repeated.
final class ToneSource {
  /// Half of full scale, so that a tone and what it goes with do not at once reach the limiter.
  static let amplitude = 0.5

  let source: ResidentSource

  /// `frequency` and `rate` in whole Hz, above zero.
  init(frequency: Int, rate: Int) {
    var (a, b) = (frequency, rate)
    while b != 0 { (a, b) = (b, a % b) }
    let (periods, frames) = (frequency / a, rate / a)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
    for frame in 0..<frames {
      let phase = 2 * Double.pi * Double(frame * periods % frames) / Double(frames)
      let value = Float(Self.amplitude * sin(phase))
      (samples + 2 * frame).initialize(to: value)
      (samples + 2 * frame + 1).initialize(to: value)
    }
    source = ResidentSource(samples: UnsafePointer(samples), frames: frames, loop: 0..<frames)
  }

  deinit { UnsafeMutablePointer(mutating: source.samples).deallocate() }
}
