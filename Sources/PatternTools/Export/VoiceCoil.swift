// SPDX-License-Identifier: Apache-2.0

import Glibc
import Haptics
import Timing

/// What a voice coil would be sent to play a pattern: a sine whose amplitude is the intensity and whose frequency follows
/// the sharpness. Its phase never jumps.
public struct VoiceCoil: Sendable {
  /// Hz at sharpness 0 and 1, spread evenly by ratio between: what wide-band actuators are driven with.
  public static let frequencies = 65.0...300.0

  /// Frames a second.
  public let rate: Int
  /// The length of the pattern, in whole frames, rounded up.
  public let frames: Int
  private let pattern: HapticPattern
  private var frame = 0
  private var phase = 0.0
  private var step: Double

  /// `pattern` at `rate` frames a second, at least 1.
  public init(_ pattern: HapticPattern, rate: Int) {
    self.pattern = pattern
    self.rate = max(rate, 1)
    frames = Int((pattern.duration.seconds * Double(self.rate)).rounded(.up))
    step = Self.frequency(0) / Double(self.rate)
  }

  /// Hz at a sharpness 0...1.
  public static func frequency(_ sharpness: Double) -> Double {
    frequencies.lowerBound * pow(frequencies.upperBound / frequencies.lowerBound, unitClamp(sharpness))
  }

  /// Writes the next samples, -1...1, mono; silence after the end.
  public mutating func render(into samples: UnsafeMutableBufferPointer<Float>) {
    for index in samples.indices {
      let level = pattern.level(at: .frames(Int64(frame), rate: rate))
      if level.intensity > 0 { step = Self.frequency(Double(level.sharpness)) / Double(rate) }
      samples[index] = level.intensity * Float(sin(2 * .pi * phase))
      phase += step
      phase -= phase.rounded(.down)
      frame += 1
    }
  }
}
