// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A 16-bit WAV file of the sound, rounded with noise of one step (triangular dither), so that what is soft stays smooth.
func wave(_ sound: borrowing Stereo) -> Data {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(44 + sound.frames * 4)
  func append<Value: FixedWidthInteger>(_ value: Value) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
  bytes += Array("RIFF".utf8)
  append(UInt32(36 + sound.frames * 4))
  bytes += Array("WAVEfmt ".utf8)
  append(UInt32(16))
  append(UInt16(1))
  append(UInt16(2))
  append(UInt32(rate))
  append(UInt32(rate) * 4)
  append(UInt16(4))
  append(UInt16(16))
  bytes += Array("data".utf8)
  append(UInt32(sound.frames * 4))
  var dither = Noise(77)
  for frame in 0..<sound.frames {
    for sample in [sound.left[frame], sound.right[frame]] {
      // Nothing at all stays nothing.
      let step = sample == 0 ? 0 : 0.5 * (dither.next() + dither.next())
      append(Int16(max(-32_767, min(32_767, (sample * 32_767 + step).rounded()))))
    }
  }
  return Data(bytes)
}
