// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import Mixing

/// The low-pass of a bus: what it lets through, and that it is not there while it is open.
@Suite struct LowPassTests {
  /// A sine of a whole number of turns a second, for ever.
  private func sine(_ studio: Studio, _ hertz: Int, amplitude: Double = 0.5) -> ResidentSource {
    studio.source(frames: 48_000, loop: 0..<48_000) {
      let value = Float(amplitude * sin(2 * .pi * Double(hertz * $0) / 48_000))
      return Frame(left: value, right: -value)
    }
  }

  private func octaves(_ hertz: Double) -> Float { Float(log2(hertz / 20_000)) }

  private func peak(_ frames: ArraySlice<Frame>) -> Double { Double(frames.map { abs($0.left) }.max() ?? 0) }

  @Test(arguments: [100.0, 1_000, 5_000])
  func atItsCornerItIsThreeDecibelsDown(_ corner: Double) {
    for (hertz, decibels) in [(corner, -3.0103), (corner / 10, -0.0004)] {
      let studio = Studio()
      studio.start(sine(studio, Int(hertz)), on: .music, at: 0)
      studio.submit(.drive(.lowPass(.music), to: octaves(corner), at: 0, fade: .none))
      let out = studio.render(96_000)[48_000...]
      #expect(abs(20 * log10(peak(out) / 0.5) - decibels) < 0.1, "\(hertz) Hz at \(corner) Hz")
      #expect(out.allSatisfy { $0.left == -$0.right })
    }
  }

  @Test func farAboveItsCornerItFallsByTwelveDecibelsAnOctave() {
    func level(_ hertz: Int) -> Double {
      let studio = Studio()
      studio.start(sine(studio, hertz), on: .sound, at: 0)
      studio.submit(.drive(.lowPass(.sound), to: octaves(200), at: 0, fade: .none))
      return 20 * log10(peak(studio.render(96_000)[48_000...]))
    }
    #expect(abs(level(1_600) - level(3_200) - 12) < 0.3)
  }

  @Test func openItChangesNoBit() {
    func render(_ commands: [MixerCommand]) -> [Frame] {
      let studio = Studio()
      studio.start(sine(studio, 440), on: .music, at: 0, gain: 0.7)
      for command in commands { studio.submit(command) }
      return studio.render(24_000)
    }
    let plain = render([])
    let driven = render([
      .drive(.lowPass(.music), to: 0, at: 100, fade: .none),
      .drive(.lowPass(.music), to: octaves(300), at: 6_000, fade: Fade(frames: 480)),
      .drive(.lowPass(.music), to: 0, at: 12_000, fade: Fade(frames: 480)),
    ])
    #expect(driven[..<6_000] == plain[..<6_000])
    #expect(zip(driven[6_500..<12_000], plain[6_500...]).contains { abs($0.left - $1.left) > 0.1 })
    // 10 ms to open, and the 5 ms in which it is left.
    #expect(driven[12_720...] == plain[12_720...])
  }

  @Test func noSweepClicks() {
    let studio = Studio()
    studio.start(sine(studio, 200), on: .music, at: 0)
    var at: Int64 = 1_000
    for corner in [20_000.0, 300, 20_000, 20, 8_000, 150, 20_000, 12_000, 20_000, 40, 20_000] {
      studio.submit(
        .drive(.lowPass(.music), to: corner < 20_000 ? octaves(corner) : 0, at: at, fade: Fade(frames: 240)))
      at += 400
    }
    let out = studio.render(12_000)
    let steps = zip(out, out.dropFirst()).map { abs($1.left - $0.left) }
    // That of the sine itself, and what the filter adds while it opens within 5 ms.
    #expect(steps.max()! < 2 * 0.5 * 2 * .pi * 200 / 48_000)
    let bends = zip(steps, steps.dropFirst()).map { abs($1 - $0) }
    #expect(bends.max()! < 0.004)
  }

  @Test func itRingsOnAndComesToRest() {
    let studio = Studio()
    studio.start(studio.source(frames: 480) { _ in Frame(left: 0.5, right: 0.5) }, on: .sound, at: 0)
    studio.submit(.drive(.lowPass(.sound), to: octaves(100), at: 0, fade: .none))
    let out = studio.render(48_000)
    #expect(abs(out[600].left) > 0.1)
    #expect(out[24_000...].allSatisfy { $0 == Frame(left: 0, right: 0) })
  }

  @Test func whatIsHeardDoesNotDependOnThePeriods() {
    func render(_ periods: [Int]) -> [Frame] {
      let studio = Studio()
      studio.start(sine(studio, 997), on: .voice, at: 37)
      studio.start(studio.source(frames: 300) { _ in Frame(left: 0.25, right: 0.125) }, on: .music, at: 500)
      studio.submit(
        .drive(.lowPass(.voice), to: octaves(700), at: 777, fade: Fade(frames: 1_001)),
        .drive(.lowPass(.music), to: octaves(90), at: 0, fade: .none),
        .drive(.lowPass(.voice), to: 0, at: 3_001, fade: Fade(frames: 77)))
      return studio.render(9_000, periods: periods)
    }
    let whole = render([256])
    #expect(render([64, 1, 100, 37]) == whole)
    #expect(render([1_000]) == whole)
  }
}
