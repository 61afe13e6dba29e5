// SPDX-License-Identifier: Apache-2.0

/// A WAV file of 16-bit samples, as bytes: what tests have played and felt, written by hand so that no writer of the project
/// vouches for its own reader.
package func waveBytes(_ samples: [Int16], rate: Int = 48_000, channels: Int = 1) -> [UInt8] {
  let frameBytes = 2 * channels
  var bytes: [UInt8] = []
  bytes.reserveCapacity(44 + 2 * samples.count)
  func append<Value: FixedWidthInteger>(_ value: Value) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
  bytes += Array("RIFF".utf8)
  append(UInt32(36 + 2 * samples.count))
  bytes += Array("WAVEfmt ".utf8)
  append(UInt32(16))
  append(UInt16(1))
  append(UInt16(channels))
  append(UInt32(rate))
  append(UInt32(rate * frameBytes))
  append(UInt16(frameBytes))
  append(UInt16(16))
  bytes += Array("data".utf8)
  append(UInt32(2 * samples.count))
  samples.map(\.littleEndian).withUnsafeBytes { bytes += $0 }
  return bytes
}
