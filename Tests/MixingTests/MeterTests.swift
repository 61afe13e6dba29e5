// SPDX-License-Identifier: Apache-2.0

import CRealTime
import SeededNumbers
import Testing

@testable import Mixing

/// What is seen of each bus and of the output: the highest of the last second.
@Suite struct MeterTests {
  private func values(_ meters: MixerMeters) -> [Float] { Bus.allCases.map { meters[$0] } + [meters.output] }

  private func read(_ studio: Studio) -> [Float] {
    values(studio.controller.meters(at: studio.controller.outputFrame - 1))
  }

  @Test(arguments: kernels) func eachBusIsSeenAtItsGainAndTheOutputAsASum(_ kernel: rt_mix_kernel) {
    let studio = Studio(kernel: kernel)
    studio.start(studio.constant(-0.5), on: .music, at: 0)
    studio.start(studio.constant(-0.25), on: .haptic, at: 0)
    studio.submit(.busGain(.haptic, to: 0.5, at: 0, fade: .none))
    // Blocks of no whole groups of sixteen.
    _ = studio.render(4_800, periods: [7, 250, 31])
    #expect(read(studio) == [0.5, 0, 0, 0.125, 0.625])
  }

  @Test func aSingleSampleIsSeenWhereverItLies() {
    for place in [0, 15, 16, 254, 255, 256, 300] {
      let studio = Studio()
      studio.start(
        studio.source(frames: 301) { Frame(left: 0, right: $0 == place ? -0.75 : 0) }, on: .voice, at: 0)
      _ = studio.render(512, periods: [301])
      #expect(read(studio) == [0, 0, 0.75, 0, 0.75], "\(place)")
    }
  }

  @Test func whatIsTooLoudIsSeenOnTheBusAndHeldByTheLimiter() {
    let studio = Studio()
    studio.start(studio.constant(2), at: 0)
    _ = studio.render(4_800)
    let meters = read(studio)
    #expect(meters[1] == 2)
    #expect(meters[4] <= 1 && meters[4] > 0.99)
  }

  @Test func whoReadsTakesNothingFromOthersAndAfterASecondItIsForgotten() {
    let studio = Studio()
    studio.start(studio.source(frames: 100) { _ in Frame(left: 0.5, right: 0.5) }, at: 0)
    _ = studio.render(24_000)
    #expect(read(studio) == [0, 0.5, 0, 0, 0.5])
    #expect(read(studio) == [0, 0.5, 0, 0, 0.5])
    _ = studio.render(24_000)
    #expect(read(studio) == [0, 0.5, 0, 0, 0.5])
    // The slice is over a twentieth after the second is.
    _ = studio.render(2_401)
    #expect(read(studio) == [0, 0, 0, 0, 0])
  }

  @Test func beforeAnythingWasHeardThereIsSilence() {
    let studio = Studio()
    for frame in [Int64.min, -1, 0, 1 << 40] {
      #expect(values(studio.controller.meters(at: frame)) == [0, 0, 0, 0, 0])
    }
  }

  @Test func framesThatPassAtRestOrWhileItStandsCountForTheSecond() {
    let studio = Studio()
    studio.start(studio.source(frames: 100) { _ in Frame(left: 0.5, right: 0.5) }, at: 0)
    _ = studio.render(9_600)
    studio.controller.mixer.pointee.rest(frames: 60_000)
    #expect(read(studio) == [0, 0, 0, 0, 0])

    let standing = Studio()
    standing.start(standing.constant(0.5), at: 0)
    _ = standing.controller.stand(before: 4_800)
    _ = standing.render(9_600)
    #expect(read(standing) == [0, 0.5, 0, 0, 0.5])
    _ = standing.render(60_000)
    #expect(read(standing) == [0, 0, 0, 0, 0])
    _ = standing.controller.goOn(afterStanding: 70_000)
    _ = standing.render(9_600)
    #expect(read(standing) == [0, 0.5, 0, 0, 0.5])
  }

  @Test func whatIsNoNumberIsNotSeen() {
    let studio = Studio()
    studio.start(
      studio.source(frames: 40) { Frame(left: $0 == 3 ? .nan : 0.5, right: $0 == 39 ? .infinity : 0) }, at: 0)
    _ = studio.render(1_024)
    let isFinite = read(studio).allSatisfy { $0.isFinite }
    #expect(isFinite)
  }

  /// Whether a bus is alone in the mix or not, and however its beginning and its end lie within groups of frames.
  @Test(arguments: 0..<40) func noBusIsSeenWithWhatIsOfAnother(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let studio = Studio()
    let levels: [Float] = [0.5, 0.25, 0.125, 0.0625]
    if seed % 2 == 1 { studio.submit(.busGain(.voice, to: 0.5, at: 0, fade: .none)) }
    var heard: Set<Int> = []
    for _ in 0..<6 {
      let bus = Int.random(in: 0..<4, using: &random)
      // Once a bus, so that it is never louder than its level.
      guard heard.insert(bus).inserted else { continue }
      let level = levels[bus]
      let source = studio.source(frames: Int.random(in: 1...70, using: &random)) { _ in
        Frame(left: level, right: -level)
      }
      studio.start(source, on: Bus.allCases[bus], at: Int64.random(in: 0..<200, using: &random))
    }
    let periods = (0..<8).map { _ in Int.random(in: 1...90, using: &random) }
    let loudest = studio.render(1_200, periods: periods).map { max($0.left.magnitude, $0.right.magnitude) }.max()
    let expected = (0..<4).map { (bus) -> Float in
      heard.contains(bus) ? levels[bus] * (bus == 2 && seed % 2 == 1 ? 0.5 : 1) : 0
    }
    #expect(read(studio) == expected + [loudest])
  }

  @Test func whatIsLookedAtLaterOfAnEarlierSliceTakesNothingFromIt() {
    let studio = Studio()
    let output = studio.controller.link.pointee.meters + MixerLink.outputMeter
    output.pointee.note(0.9, at: 0)
    output.pointee.note(0.3, at: 2_400)
    output.pointee.note(0.1, at: 2_399)
    output.pointee.note(0.2, at: 2_400)
    #expect(studio.controller.meters(at: 2_399).output == 0.9)
    #expect(output.pointee.peak(at: 2_400 + 48_000) == 0.3)
  }

  @Test func whatIsPassedOverIsNotSeenOfTheOutput() {
    let studio = Studio()
    studio.start(studio.source(frames: 40) { _ in Frame(left: 0.5, right: 0.5) }, at: 260)
    studio.skip(200)
    studio.skip(200)
    _ = studio.render(512)
    #expect(read(studio)[4] == 0)
  }

  @Test func eachBusHasAMeter() { #expect(Bus.number == Bus.allCases.count) }
}
