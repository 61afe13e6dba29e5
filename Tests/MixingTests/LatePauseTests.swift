// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

/// Pauses that come late, or were not to be: where a voice that keeps its place goes on it is where it was to be.
@Suite struct LatePauseTests {
  enum Kind: CaseIterable { case resident, stream }

  private static let fade = Fade(frames: 64)
  private static let frames = 9_000
  private static let voice = VoiceID(rawValue: 1)
  private static let unity = VoiceCourse(
    level: Ramp(steady: 1), gate: Ramp(steady: 1), gain: 1, isLeaving: false, stood: 0)

  private func begin(_ kind: Kind, late: LatePolicy = .skip) -> Studio {
    let studio = Studio()
    let source: VoiceSource
    switch kind {
    case .resident: source = .resident(studio.counter(frames: 20_000))
    case .stream:
      let ring = studio.ring(capacityFrames: 16_384)
      _ = studio.fill(ring, counting: 16_000)
      source = .stream(ring)
    }
    studio.submit(.start(VoiceStart(id: studio.voice(), source: source, bus: .music, at: 0, late: late)))
    return studio
  }

  private func pause(_ at: Int64) -> MixerCommand { .pause(Self.voice, at: at, fade: Self.fade) }
  private func resume(_ at: Int64) -> MixerCommand { .resume(Self.voice, at: at, fade: Self.fade) }

  /// All that is heard where commands come in batches, each as so many frames have been put out.
  private func heard(
    _ kind: Kind, late: LatePolicy = .skip, _ batches: [(after: Int, commands: [MixerCommand])]
  ) -> [Float] {
    let studio = begin(kind, late: late)
    var out: [Frame] = []
    for batch in batches {
      out += studio.render(batch.after - out.count, periods: [256, 100])
      _ = studio.controller.submit(batch.commands)
    }
    out += studio.render(Self.frames - out.count, periods: [256, 100])
    #expect(studio.controller.room == studio.controller.configuration.commandCapacity)
    #expect(out.largestStep < 0.01 / 64)
    return out.map(\.left)
  }

  /// The last frame that is not as it should be.
  private func lastDifference(_ heard: [Float], _ wanted: [Float]) -> Int {
    heard.indices.last { heard[$0] != wanted[$0] } ?? -1
  }

  // Commands that are told with 1,200 frames put out reach frame 1,248: the look-ahead is 48.

  @Test(arguments: Kind.allCases) func aPauseThatComesLateIsMadeUpForByTheEndOfIt(_ kind: Kind) {
    let wanted = heard(kind, [(0, [pause(1_000), resume(3_000)])])
    let late = heard(kind, [(0, []), (1_200, [pause(1_000)]), (2_000, [resume(3_000)])])
    #expect(wanted[5_000] == count(5_000 - 1_936))
    #expect(late[1_312..<3_248].allSatisfy { $0 == 0 })
    #expect((3_248..<3_600).contains(lastDifference(late, wanted)))
  }

  @Test(arguments: Kind.allCases) func anEndThatComesLateGoesOnInPlace(_ kind: Kind) {
    let wanted = heard(kind, [(0, [pause(1_000), resume(3_000)])])
    let late = heard(kind, [(0, [pause(1_000)]), (3_200, [resume(3_000)])])
    #expect(late[1_064..<3_248].allSatisfy { $0 == 0 })
    #expect((3_248..<3_600).contains(lastDifference(late, wanted)))
  }

  @Test(arguments: Kind.allCases) func aPauseThatIsOverAsItComesIsStoodThroughAfterwards(_ kind: Kind) {
    let wanted = heard(kind, [(0, [pause(1_000), resume(1_500)])])
    let late = heard(kind, [(0, []), (2_000, [pause(1_000), resume(1_500)])])
    #expect(late[2_112..<(2_112 + 436)].allSatisfy { $0 == 0 })
    #expect((2_548..<2_900).contains(lastDifference(late, wanted)))
  }

  @Test(arguments: Kind.allCases) func pausedWhileItStandsOnItIsInPlaceBehindBoth(_ kind: Kind) {
    let onTime = [resume(3_000), pause(3_100), resume(5_000)]
    let wanted = heard(kind, [(0, [pause(1_000)] + onTime)])
    let late = heard(kind, [(0, []), (1_200, [pause(1_000)] + onTime)])
    #expect(late[1_312..<5_084].allSatisfy { $0 == 0 })
    #expect((5_084..<5_400).contains(lastDifference(late, wanted)))
  }

  @Test func oneThatEndsWhileItStandsOnIsOverAtOnce() {
    let studio = begin(.resident)
    _ = studio.render(1_200)
    studio.submit(pause(1_000), resume(3_000), .stop(Self.voice, at: 3_100, fade: Self.fade))
    _ = studio.render(4_000)
    #expect(studio.events.last == .finished(Self.voice, at: 3_100, .stopped))
  }

  @Test func oneThatDoesNotKeepItsPlaceGoesOnWhereItStood() {
    let late = heard(.resident, late: .shift, [(0, []), (1_200, [pause(1_000)]), (3_200, [resume(3_000)])])
    #expect(late[5_000] == count(5_000 - (3_248 - 1_312)))
  }

  @Test(arguments: Kind.allCases) func aPauseThatIsTakenBackTooLateIsNone(_ kind: Kind) {
    let wanted = heard(kind, [])
    let mended = heard(
      kind,
      [
        (0, [pause(1_000)]),
        (2_000, [.retract(Self.voice, from: 1_000), .restore(Self.voice, to: Self.unity, from: 1_000)]),
      ])
    #expect(mended[1_064..<2_048].allSatisfy { $0 == 0 })
    #expect((2_048..<2_600).contains(lastDifference(mended, wanted)))
  }

  @Test(arguments: Kind.allCases) func aPauseThatIsTakenBackTooLateWithItsEndIsNone(_ kind: Kind) {
    let wanted = heard(kind, [])
    let mended = heard(
      kind,
      [
        (0, [pause(1_000), resume(1_500)]),
        (2_000, [.retract(Self.voice, from: 1_000), .restore(Self.voice, to: Self.unity, from: 1_000)]),
      ])
    #expect(mended[1_800] == count(1_800 - 436))
    #expect((2_048..<2_900).contains(lastDifference(mended, wanted)))
  }

  @Test(arguments: Kind.allCases) func anEndOfAPauseThatIsTakenBackTooLateIsNone(_ kind: Kind) {
    let wanted = heard(kind, [(0, [pause(1_000), resume(4_000)])])
    var course = Self.unity
    course.gate = Ramp(from: 1, to: 0, start: 1_000, fade: Self.fade)
    let mended = heard(
      kind,
      [
        (0, [pause(1_000), resume(1_500)]),
        (2_000, [.retract(Self.voice, from: 1_500), .restore(Self.voice, to: course, from: 1_500), resume(4_000)]),
      ])
    // It sounded from 1,500 to 2,048, and until it had come down by a fade of 240.
    #expect(mended[2_288..<(4_000 + 788)].allSatisfy { $0 == 0 })
    #expect((4_788..<5_200).contains(lastDifference(mended, wanted)))
  }

  @Test func gainsStemsAndWhatWasEndingComeBack() {
    let studio = Studio()
    let ring = studio.ring(capacityFrames: 16_384, layers: 2)
    _ = studio.fill(ring, frames: 16_000, layers: 2) { layer, _ in
      layer == 0 ? Frame(left: 0.5, right: 0.5) : Frame(left: 0.25, right: 0.25)
    }
    var start = VoiceStart<VoiceSource>(id: studio.voice(), source: .stream(ring), bus: .music, at: 0, late: .skip)
    start.stems = StemGains([0.5])
    studio.submit(
      .start(start), .gain(Self.voice, to: 0.25, at: 1_000, fade: Self.fade),
      .stem(Self.voice, 0, to: 1, at: 1_100, fade: Self.fade),
      .stop(Self.voice, at: 1_200, fade: Fade(frames: 4_000)))
    var out = studio.render(2_000)
    var course = Self.unity
    course.stems = StemGains([0.5])
    studio.submit(.retract(Self.voice, from: 1_000), .restore(Self.voice, to: course, from: 1_000))
    out += studio.render(5_000)
    #expect(out[999].left == 0.625 && out[1_199].left == 0.1875)
    #expect(out.dropFirst(2_048 + 240).allSatisfy { $0.left == 0.625 })
    #expect(out.largestStep < 0.625 / 60)
    #expect(studio.events == [.started(Self.voice, at: 0)])
  }

  @Test func aFadeThatWasUnderWayEndsWhenItWasTo() {
    let studio = begin(.resident)
    let long = Fade(frames: 4_000)
    studio.submit(
      .gain(Self.voice, to: 0, at: 1_000, fade: long), .gain(Self.voice, to: 1, at: 1_500, fade: Self.fade))
    _ = studio.render(2_000)
    var course = Self.unity
    (course.level, course.gain) = (Ramp(from: 1, to: 0, start: 1_000, fade: long), 0)
    studio.submit(.retract(Self.voice, from: 1_500), .restore(Self.voice, to: course, from: 1_500))
    let out = studio.render(4_000)
    #expect(out[2_999].left > 0)
    #expect(out[3_000...].allSatisfy { $0.left == 0 })
  }

  @Test(arguments: Kind.allCases) func whereNothingWasMixedNothingIsRestored(_ kind: Kind) {
    let wanted = heard(kind, [(0, [.gain(Self.voice, to: 0.5, at: 900, fade: Fade(frames: 2_000)), resume(950)])])
    let same = heard(
      kind,
      [
        (0, [.gain(Self.voice, to: 0.5, at: 900, fade: Fade(frames: 2_000)), resume(950), pause(1_500)]),
        (1_200, [.retract(Self.voice, from: 1_500), .restore(Self.voice, to: Self.unity, from: 1_500)]),
      ])
    #expect(same == wanted)
  }
}
