import Glibc
import Mixing
import Testing

@testable import Host

/// A sound split into a dull and a bright part.
@Suite struct SplitSoundTests {
  /// A stereo sound of `samples` and, on the right, what is opposite to them.
  private func withSource<Result>(
    _ left: [Float], loop: Range<Int>? = nil, _ body: (ResidentSource) -> Result
  ) -> Result {
    let frames = left.count
    var samples = left.flatMap { [$0, -$0] }
    return samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { fatalError("an empty sound") }
      return body(ResidentSource(samples: .float(base), frames: frames, loop: loop))
    }
  }

  @Test func thePartsAddUpToTheWhole() {
    withSource((0..<4_800).map { Float($0 % 97) / 97 - 0.5 }) { source in
      let split = SplitSound(source, rate: 48_000)
      #expect(split.dull.frames == 4_800 && !(split.dull.loopEnd > 0))
      for index in 0..<9_600 {
        #expect(abs(split.dull.samples[index] + split.bright.samples[index] - source.samples[index]) < 1e-7)
      }
    }
  }

  @Test(arguments: [(100, 1.0), (1_000, 0.707), (8_000, 0.12)])
  func aBassStaysAndATrebleGoes(_ frequency: Int, passed: Double) {
    withSource((0..<4_800).map { Float(sin(2 * .pi * Double($0 * frequency) / 48_000)) }) { source in
      let split = SplitSound(source, rate: 48_000)
      let peak = (2_400..<4_800).map { abs(Double(split.dull.samples[2 * $0])) }.max() ?? 0
      #expect(abs(peak - passed) < 0.04)
    }
  }

  @Test func theLowPassGoesOnOverTheSeamOfALoop() {
    // A sawtooth: its low-pass would jump where the loop goes back, if it began anew there.
    withSource((0..<500).map { Float($0 % 100) / 100 }, loop: 100..<500) { source in
      let split = SplitSound(source, rate: 48_000)
      #expect(split.dull.loopStart == 500 && split.dull.loopEnd == 900)
      let (last, first) = (split.dull.samples[2 * 899], split.dull.samples[2 * 500])
      let following = last + (source.samples[2 * 100] - last) * Float(1 - exp(-2 * Double.pi * 1_000 / 48_000))
      #expect(abs(first - following) < 1e-5)
    }
  }
}
