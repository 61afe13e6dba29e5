import Glibc
import Mixing
import Testing

@Suite struct PitchTests {
  /// Signal to noise, in dB, of a tone of `hertz` played at `pitch`, against the tone it should have become.
  private func signalToNoise(_ hertz: Double, pitch: Float) -> Double {
    let studio = Studio()
    let source = studio.source(frames: 48_000) { frame in
      let value = Float(Oracle.tone(hertz, frame))
      return Frame(left: value, right: value)
    }
    studio.start(source, at: 0, pitch: pitch)
    let frames = 12_000
    let out = studio.render(frames)
    // What the voice steps by is a multiple of 2^-32.
    let step = (Double(pitch) * 4_294_967_296).rounded(.down) / 4_294_967_296
    var signal = 0.0
    var noise = 0.0
    for frame in 100..<frames {
      let expected = 0.5 * sin(2 * .pi * hertz * Double(frame) * step / 48_000)
      signal += expected * expected
      noise += (Double(out[frame].left) - expected) * (Double(out[frame].left) - expected)
    }
    return 10 * log10(signal / noise)
  }

  @Test(arguments: [(440.0, 1.5 as Float, 90.0), (1_000, 1.0594631, 75), (4_000, 0.75, 40), (10_000, 0.9, 15)])
  func tonesKeepTheirShape(_ hertz: Double, _ pitch: Float, _ atLeast: Double) {
    let measured = signalToNoise(hertz, pitch: pitch)
    #expect(measured >= atLeast, "\(measured) dB")
  }

  @Test func aPitchOfOneIsBitExact() {
    let studio = Studio()
    studio.start(studio.counter(frames: 1_000), at: 0, pitch: 1)
    #expect(studio.render(1_000).map(\.left) == (0..<1_000).map(count))
  }

  @Test func aStraightLineStaysOne() {
    // The interpolator is exact on polynomials up to the second order, so a ramp read at 1/2 has twice as many steps.
    let studio = Studio()
    studio.start(studio.counter(frames: 1_000), at: 0, pitch: 0.5)
    let out = studio.render(1_900)
    for frame in 2..<1_900 { #expect(abs(out[frame].left - (Float(frame) / 2 + 1) * 0x1p-20) < 1e-10) }
  }

  @Test(arguments: [(2 as Float, 500), (0.5, 2_000), (8, 125), (100, 125), (0.001, 8_000), (.nan, 1_000), (-1, 1_000)])
  func lengthFollowsSpeedWithinItsBounds(_ pitch: Float, _ frames: Int) {
    let studio = Studio()
    let id = studio.start(studio.counter(frames: 1_000), at: 0, pitch: pitch)
    _ = studio.render(9_000)
    #expect(studio.events.last == .finished(id, at: Int64(frames), .ended))
  }

  @Test func aLoopIsSeamlessAtAnySpeed() {
    // Ten periods of a sine in the loop: at any speed it goes on as a sine.
    let studio = Studio()
    let source = studio.source(frames: 960, loop: 0..<960) { frame in
      let value = Float(Oracle.tone(500, frame))
      return Frame(left: value, right: value)
    }
    studio.start(source, at: 0, pitch: 0.75)
    let out = studio.render(10_000)
    for frame in 2_000..<10_000 {
      #expect(abs(Double(out[frame].left) - Oracle.tone(375, frame)) < 1e-4, "frame \(frame)")
    }
  }
}
