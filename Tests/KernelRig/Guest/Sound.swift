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
    guard bytes.count > 58, bytes[20] == 3, bytes[22] == 2 else { throw RigFailure("\(path) is no stereo float WAV") }
    frames = Sound.floats(bytes[58...])
  }

  /// Raw interleaved samples as a sound card gave them: `float` or `s16`.
  init(raw bytes: [UInt8], format: String) {
    frames = format == "float" ? Sound.floats(bytes[...]) : Sound.words(bytes)
  }

  /// The same sound as a card of 16 bits gives it back: nearest step, halves away from zero.
  var as16Bit: Sound {
    func step(_ sample: Float) -> Float { (Float(Double(sample) * 32_768).rounded()).clamped(-32_768, 32_767) / 32_768 }
    return Sound(frames: frames.map { Sound.frame(step(Sound.left($0)), step(Sound.right($0))) })
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

  private static func words(_ bytes: [UInt8]) -> [UInt64] {
    bytes.withUnsafeBytes { raw in
      (0..<raw.count / 4).map { index in
        let left = raw.loadUnaligned(fromByteOffset: 4 * index, as: Int16.self)
        let right = raw.loadUnaligned(fromByteOffset: 4 * index + 2, as: Int16.self)
        return frame(Float(left) / 32_768, Float(right) / 32_768)
      }
    }
  }
}

extension Float {
  fileprivate func clamped(_ low: Float, _ high: Float) -> Float { Swift.min(Swift.max(self, low), high) }
}
