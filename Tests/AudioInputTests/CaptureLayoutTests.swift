// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AudioInput

@Suite("The layout of captured frames") struct CaptureLayoutTests {
  @Test("16 bits, two channels: each sample goes to its own channel, full scale is 1") func sixteenBits() {
    // 0x4000 = 0.5, 0x8000 = -1, 0x0001 = 2^-15, 0 = 0; little-endian.
    let bytes: [UInt8] = [0x00, 0x40, 0x00, 0x80, 0x01, 0x00, 0x00, 0x00]
    #expect(read(bytes, .init(format: .signed16, channels: 2)) == [[0.5, 0x1p-15], [-1, 0]])
  }

  @Test("32 bits, one channel") func thirtyTwoBits() {
    let bytes: [UInt8] = [0x00, 0x00, 0x00, 0xC0, 0x00, 0x00, 0x00, 0x20]
    #expect(read(bytes, .init(format: .signed32, channels: 1)) == [[-0.5, 0.25]])
  }

  @Test("of three channels the wanted ones, in the order in which they are wanted") func wanted() {
    let bytes: [UInt8] = [0x00, 0x10, 0x00, 0x20, 0x00, 0x40]
    var samples: [[Float]] = [[], []]
    bytes.withUnsafeBytes {
      CaptureLayout(format: .signed16, channels: 3).append($0, frames: 1, keeping: [2, 0], to: &samples)
    }
    #expect(samples == [[0.5], [0.125]])
  }

  @Test("floats as they are") func floats() {
    // 0.75 and -2: the bit patterns of IEEE 754.
    let bytes: [UInt8] = [0x00, 0x00, 0x40, 0x3F, 0x00, 0x00, 0x00, 0xC0]
    #expect(read(bytes, .init(format: .float32, channels: 1)) == [[0.75, -2]])
  }

  private func read(_ bytes: [UInt8], _ layout: CaptureLayout) -> [[Float]] {
    var samples = [[Float]](repeating: [], count: layout.channels)
    bytes.withUnsafeBytes {
      layout.append(
        $0, frames: bytes.count / layout.frameByteCount, keeping: Array(0..<layout.channels), to: &samples)
    }
    return samples
  }
}

@Suite("Capturing from what is not there") struct MissingCaptureTests {
  @Test("says which device, and how to find those there are") func missing() {
    do {
      _ = try Capture("hw:no-such-card", rate: 48_000, keeping: [0], atMost: 1)
      Issue.record("it was opened")
    } catch {
      #expect(error.kind == .deviceMissing)
      #expect(error.reason.hasPrefix("cannot capture from hw:no-such-card: "))
      #expect(error.remedy == "`arecord -L` lists the names to choose from")
    }
  }
}
