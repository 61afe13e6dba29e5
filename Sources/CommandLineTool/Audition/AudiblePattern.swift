// SPDX-License-Identifier: Apache-2.0

import Glibc
import Haptics
import PatternTools
import Timing

/// A pattern as sound: intensity is loudness, sharpness is pitch, that of a voice coil.
enum AudiblePattern {
  /// The longest that is rendered, in seconds; what comes later is not heard.
  static let longest = 120.0

  /// Interleaved stereo at `rate` frames a second, the pattern played `speed` times as fast.
  ///
  /// A tone with two overtones, so that small speakers give the low end too. At full intensity it peaks near 0.5.
  static func samples(_ pattern: HapticPattern, rate: Int, speed: Double) -> [Float] {
    let seconds = min(pattern.duration.seconds / max(speed, 0.01), longest)
    let frames = Int((seconds * Double(rate)).rounded(.up))
    let step = max(1, rate / 1_000)
    var samples = [Float](repeating: 0, count: frames * 2)
    var phase = 0.0
    var (loudness, pitch) = (0.0, VoiceCoil.frequency(0))
    var start = 0
    while start < frames {
      let level = pattern.level(at: .seconds(Double(start) / Double(rate) * speed))
      let target = Double(level.intensity)
      if target > 0 { pitch = VoiceCoil.frequency(Double(level.sharpness)) }
      let end = min(start + step, frames)
      for frame in start..<end {
        loudness += (target - loudness) / Double(step)
        phase += 2 * .pi * pitch / Double(rate)
        let wave = sin(phase) + 0.4 * sin(2 * phase) + 0.2 * sin(3 * phase)
        let value = Float(loudness * wave * 0.36)
        samples[frame * 2] = value
        samples[frame * 2 + 1] = value
      }
      start = end
    }
    return samples
  }
}
