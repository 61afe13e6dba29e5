// SPDX-License-Identifier: Apache-2.0

/// Stereo sound as bit patterns, one word a frame, so that equal means equal to the last bit.
struct Sound {
  var frames: [UInt64]

  /// Two 32-bit floats a frame; a negative zero counts as zero.
  static func frame(_ left: Float, _ right: Float) -> UInt64 {
    UInt64((left == 0 ? 0 : left).bitPattern) << 32 | UInt64((right == 0 ? 0 : right).bitPattern)
  }

  static func left(_ frame: UInt64) -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: frame >> 32)) }
  static func right(_ frame: UInt64) -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: frame)) }

  /// A WAV file of two channels of 32-bit floats, the only kind the daemon records.
  init(wave path: String) throws {
    let bytes = readFile(path)
    guard bytes.count > 94, bytes[56] == 3, bytes[58] == 2 else { throw RigFailure("\(path) is no stereo float WAV") }
    frames = Sound.floats(bytes[94...])
  }

  /// Raw interleaved samples as a sound card gave them: integers as words of 32 bits with their value at the top. Of
  /// more than two channels the others must be silent; one channel counts as both.
  init(raw bytes: [UInt8], layout: SampleLayout) {
    let isFloat = layout.format == .float
    let (channels, sampleBytes) = (layout.channels, layout.sampleBytes)
    frames = bytes.withUnsafeBytes { raw in
      (0..<raw.count / layout.frameBytes).map { frame in
        func sample(_ channel: Int) -> UInt32 {
          let start = (frame * channels + channel) * sampleBytes
          var word: UInt32 = 0
          for index in 0..<sampleBytes { word |= UInt32(raw[start + index]) << UInt32(8 * index) }
          return isFloat ? (word == 1 << 31 ? 0 : word) : word << UInt32(32 - 8 * sampleBytes)
        }
        // What is where nothing belongs is found nowhere.
        var channel = 2
        while channel < channels {
          if sample(channel) != 0 { return .max }
          channel += 1
        }
        return UInt64(sample(0)) << 32 | UInt64(sample(min(1, channels - 1)))
      }
    }
  }

  /// The same sound as a card of that layout gives it back: nearest step, halves away from zero, clipped; one channel is
  /// the mean of both.
  func played(on layout: SampleLayout) -> Sound {
    func word(_ sample: Float) -> UInt32 {
      guard let bits = layout.bits else { return sample == 0 ? 0 : sample.bitPattern }
      let full = Double(UInt64(1) << (bits - 1))
      let step = min(max((Double(sample) * full).rounded(.toNearestOrAwayFromZero), -full), full - 1)
      return UInt32(bitPattern: Int32(step)) << UInt32(32 - bits)
    }
    return Sound(
      frames: frames.map { frame in
        var (left, right) = (Sound.left(frame), Sound.right(frame))
        if layout.channels == 1 {
          left = (left + right) / 2
          right = left
        }
        return UInt64(word(left)) << 32 | UInt64(word(right))
      })
  }

  init(frames: [UInt64]) { self.frames = frames }

  private static func floats(_ bytes: ArraySlice<UInt8>) -> [UInt64] {
    bytes.withUnsafeBytes { raw in
      (0..<raw.count / 8).map { index in
        let left = Float(bitPattern: raw.loadUnaligned(fromByteOffset: 8 * index, as: UInt32.self))
        let right = Float(bitPattern: raw.loadUnaligned(fromByteOffset: 8 * index + 4, as: UInt32.self))
        return frame(left, right)
      }
    }
  }
}
