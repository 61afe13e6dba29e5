// SPDX-License-Identifier: Apache-2.0

import Glibc
import Mixing
import SoundFiles
import Testing

@testable import Host

/// A sound without its treble.
@Suite struct DulledSoundTests {
  /// A stereo sound of `samples` and, on the right, what is opposite to them.
  private func withSource<Result>(
    _ left: [Float], loop: Range<Int>? = nil, _ body: (ResidentSource) throws -> Result
  ) rethrows -> Result {
    let frames = left.count
    var samples = left.flatMap { [$0, -$0] }
    return try samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { fatalError("an empty sound") }
      return try body(ResidentSource(samples: .float(base), frames: frames, loop: loop))
    }
  }

  @Test func itIsAsLongAsTheSound() throws {
    try withSource((0..<4_800).map { Float($0 % 97) / 97 - 0.5 }) { source in
      let dulled = try DulledSound(source, rate: 48_000, of: "bell.wav", in: PackRoom()).source
      #expect(dulled.frames == 4_800 && dulled.loopEnd == 0)
    }
  }

  @Test(arguments: [(100, 1.0), (1_000, 0.707), (8_000, 0.12)])
  func aBassStaysAndATrebleGoes(_ frequency: Int, passed: Double) throws {
    try withSource((0..<4_800).map { Float(sin(2 * .pi * Double($0 * frequency) / 48_000)) }) { source in
      let dulled = try DulledSound(source, rate: 48_000, of: "bell.wav", in: PackRoom())
      let peak = (2_400..<4_800).map { abs(Double(dulled.source.samples[2 * $0])) }.max() ?? 0
      #expect(abs(peak - passed) < 0.04)
    }
  }

  @Test func theLowPassGoesOnOverTheSeamOfALoop() throws {
    // A sawtooth: its low-pass would jump where the loop goes back, if it began anew there.
    try withSource((0..<500).map { Float($0 % 100) / 100 }, loop: 100..<500) { source in
      let dulled = try DulledSound(source, rate: 48_000, of: "bell.wav", in: PackRoom())
      #expect(dulled.source.loopStart == 500 && dulled.source.loopEnd == 900)
      let (last, first) = (dulled.source.samples[2 * 899], dulled.source.samples[2 * 500])
      let following = last + (source.samples[2 * 100] - last) * Float(1 - exp(-2 * Double.pi * 1_000 / 48_000))
      #expect(abs(first - following) < 1e-5)
    }
  }
}
