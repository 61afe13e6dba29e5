// SPDX-License-Identifier: Apache-2.0

/// The bytes before the samples of a WAV file: RIFF, or RF64 (EBU Tech 3306) where its sizes are too great for 32 bits.
///
/// Room for the 64-bit sizes is kept from the start by a JUNK chunk, so that a file can become RF64 where it stands.
struct WaveHeader {
  let channels: Int
  let rate: Int
  let encoding: WaveWriter.Encoding
  /// The greatest size that a RIFF file may give; a greater one makes it RF64.
  let riffLimit: Int64

  /// Its length, whatever it says.
  var count: Int { encoding == .float32 ? 94 : 80 }

  /// A header for `frames` frames. For floats it has the fact chunk that the format asks for.
  func bytes(frames: Int64) -> [UInt8] {
    let isFloat = encoding == .float32
    let dataBytes = UInt64(frames) * UInt64(channels * encoding.sampleBytes)
    let riffBytes = dataBytes + UInt64(count - 8)
    let isLarge = riffBytes > UInt64(riffLimit)
    var bytes: [UInt8] = []
    func number<Value: FixedWidthInteger>(_ value: Value) {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
    func four(_ value: some BinaryInteger) { number(isLarge ? UInt32.max : UInt32(truncatingIfNeeded: value)) }
    bytes += Array((isLarge ? "RF64" : "RIFF").utf8)
    four(riffBytes)
    bytes += Array((isLarge ? "WAVEds64" : "WAVEJUNK").utf8)
    number(UInt32(28))
    for size in [riffBytes, dataBytes, UInt64(frames)] { number(isLarge ? size : 0) }
    number(UInt32(0))
    bytes += Array("fmt ".utf8)
    number(UInt32(isFloat ? 18 : 16))
    number(UInt16(isFloat ? 3 : 1))
    number(UInt16(truncatingIfNeeded: channels))
    number(UInt32(truncatingIfNeeded: rate))
    number(UInt32(truncatingIfNeeded: rate * channels * encoding.sampleBytes))
    number(UInt16(truncatingIfNeeded: channels * encoding.sampleBytes))
    number(UInt16(8 * encoding.sampleBytes))
    if isFloat {
      number(UInt16(0))
      bytes += Array("fact".utf8)
      number(UInt32(4))
      four(frames)
    }
    bytes += Array("data".utf8)
    four(dataBytes)
    return bytes
  }
}
