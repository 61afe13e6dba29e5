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
  func rounded(_ sample: Float) -> Int16 {
    // Nothing at all stays nothing.
    guard sample != 0 else { return 0 }
    let value = sample * 32_767 + 0.5 * (dither.next() + dither.next())
    return Int16(max(-32_767, min(32_767, value.rounded()))).littleEndian
  }
  var values: [Int16] = []
  values.reserveCapacity(2 * sound.frames)
  for frame in 0..<sound.frames {
    values.append(rounded(sound.left[frame]))
    values.append(rounded(sound.right[frame]))
  }
  values.withUnsafeBytes { bytes += $0 }
  return Data(bytes)
}
