// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Testing

@Suite struct OutputBridgeTests {
  /// Bytes of stereo frames as a device with that format and those channels gets them.
  private func bytes(_ format: SampleFormat, channels: Int = 2, of frames: [Float]) -> [UInt8] {
    let bridge = OutputBridge(format: format, channels: channels)
    // What was in the device's memory before must not be left there.
    var result = [UInt8](repeating: 0xAA, count: frames.count / 2 * bridge.frameByteCount)
    result.withUnsafeMutableBytes { destination in
      if let base = destination.baseAddress { bridge.convert(frames, frames: frames.count / 2, to: base) }
    }
    return result
  }

  private func words<T: FixedWidthInteger>(_ bytes: [UInt8], as type: T.Type) -> [T] {
    bytes.withUnsafeBytes { raw in
      (0..<(bytes.count / MemoryLayout<T>.size)).map {
        T(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * MemoryLayout<T>.size, as: T.self))
      }
    }
  }

  @Test func sixteenBitsRoundToTheNearestAndClip() {
    let step: Float = 0x1p-15
    let samples: [Float] = [
      0, 0.5, -0.5, 1, -1, 1.5, -1.5, step, 0.5 * step, 0.49 * step, -0.5 * step, -0.49 * step, 1.5 * step,
      32_766.5 * step, .nan, .infinity, -.infinity, 0x1p-140,
    ]
    let expected: [Int16] = [
      0, 16_384, -16_384, 32_767, -32_768, 32_767, -32_768, 1, 1, 0, -1, 0, 2, 32_767, 0, 32_767, -32_768, 0,
    ]
    #expect(words(bytes(.signed16, of: samples), as: Int16.self) == expected)
  }

  @Test func thirtyTwoBitsReachFullScaleOnBothSides() {
    let samples: [Float] = [1, -1, 0.5, 0x1p-31, -0x1p-31, 0.99999994]
    let expected: [Int32] = [.max, .min, 1 << 30, 1, -1, 2_147_483_520]
    #expect(words(bytes(.signed32, of: samples), as: Int32.self) == expected)
  }

  @Test func twentyFourBitsInFourBytesCarryTheSign() {
    let samples: [Float] = [1, -1, -0x1p-23, 0.25]
    #expect(words(bytes(.signed24, of: samples), as: Int32.self) == [8_388_607, -8_388_608, -1, 2_097_152])
  }

  @Test func twentyFourBitsInThreeBytesAreLittleEndian() {
    let samples: [Float] = [1, -1, -0x1p-23, 0.5]
    #expect(
      bytes(.packed24, of: samples) == [0xFF, 0xFF, 0x7F, 0, 0, 0x80, 0xFF, 0xFF, 0xFF, 0, 0, 0x40])
  }

  @Test func floatsPassUnchangedButForNaN() {
    let samples: [Float] = [0.1, -2.5, .nan, -0.0]
    let patterns = words(bytes(.float32, of: samples), as: UInt32.self)
    #expect(patterns == [Float(0.1).bitPattern, Float(-2.5).bitPattern, 0, 0x8000_0000])
  }

  @Test func oneChannelGetsTheMean() {
    #expect(words(bytes(.signed16, channels: 1, of: [0.5, 0.25, 1, -1]), as: Int16.self) == [12_288, 0])
  }

  @Test(arguments: [4, 6, 8]) func ofManyChannelsOnlyTheFrontPairSounds(channels: Int) {
    let silence = [Int16](repeating: 0, count: channels - 2)
    let expected: [Int16] = [16_384, -16_384] + silence + [8_192, 4_096] + silence
    #expect(words(bytes(.signed16, channels: channels, of: [0.5, -0.5, 0.25, 0.125]), as: Int16.self) == expected)
  }

  @Test func packedFramesOfFourChannelsStayInPlace() {
    let expected: [UInt8] = [0, 0, 0x40, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0]
    #expect(bytes(.packed24, channels: 4, of: [0.5, -0.5]) == expected)
  }
}
