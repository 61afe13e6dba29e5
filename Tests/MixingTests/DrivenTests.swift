// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Mixing

/// What is driven from outside: families of voices, and buses, on top of what each is told itself.
@Suite struct DrivenTests {
  private func studio() -> Studio { Studio(MixerConfiguration(families: 2)) }

  /// Starts a voice of a family.
  @discardableResult private func start(
    _ studio: Studio, _ source: ResidentSource, family: Int32, at: Int64 = 0, gain: Float = 1, pitch: Float = 1
  ) -> VoiceID {
    let id = studio.voice()
    studio.submit(
      .start(
        VoiceStart(
          id: id, source: .resident(source), bus: .sound, at: at, gain: gain, pitch: pitch, family: family)))
    return id
  }

  @Test func aFamilysGainIsALineOnTopOfEachVoicesOwn() {
    let studio = studio()
    start(studio, studio.constant(0.5), family: 1, gain: 0.5)
    studio.submit(.drive(.familyGain(1), to: 0, at: 1_000, fade: Fade(frames: 500)))
    let out = studio.render(2_000)
    #expect(out[..<1_001].allSatisfy { $0.left == 0.25 })
    for frame in 1_000..<1_500 {
      #expect(abs(out[frame].left - 0.25 * (1 - Float(frame - 1_000) / 500)) < 1e-6)
    }
    #expect(out[1_500...].allSatisfy { $0 == Frame(left: 0, right: 0) })
  }

  @Test func oneThatBeginsLaterBeginsAsItsFamilyIsDriven() {
    let studio = studio()
    studio.submit(.drive(.familyGain(0), to: 0.5, at: 0, fade: .none))
    start(studio, studio.constant(0.5), family: 0, at: 700)
    studio.start(studio.constant(0.125), at: 700)
    start(studio, studio.constant(0.0625), family: 1, at: 700)
    #expect(studio.render(1_000)[700...].allSatisfy { $0.left == 0.4375 })
  }

  @Test func atUnityItChangesNoBit() {
    func render(family: Int32) -> [Frame] {
      let studio = studio()
      let id = start(studio, studio.counter(frames: 9_000), family: family, gain: 0.3)
      studio.submit(.gain(id, to: 0.7, at: 333, fade: Fade(frames: 1_111)))
      if family >= 0 {
        studio.submit(
          .drive(.familyGain(family), to: 1, at: 100, fade: Fade(frames: 50)),
          .drive(.familyPitch(family), to: 1, at: 100, fade: .none))
      }
      return studio.render(5_000)
    }
    #expect(render(family: 0) == render(family: -1))
  }

  @Test func whatIsLedDoesNotDependOnThePeriods() {
    func render(_ periods: [Int]) -> [Frame] {
      let studio = studio()
      let id = start(studio, studio.counter(frames: 20_000), family: 0, gain: 0.3, pitch: 1.25)
      studio.submit(
        .gain(id, to: 0.7, at: 333, fade: Fade(frames: 1_111, curve: .equalPower)),
        .drive(.familyGain(0), to: 0.2, at: 401, fade: Fade(frames: 909)),
        .drive(.familyPitch(0), to: 0.7, at: 601, fade: .none),
        .drive(.busGain(.sound), to: 0.5, at: 803, fade: Fade(frames: 211)))
      return studio.render(4_000, periods: periods)
    }
    let whole = render([256])
    #expect(render([64, 1, 100, 37]) == whole)
    #expect(render([1_000]) == whole)
  }

  @Test func aFamilysPitchIsAFactorOfEachVoicesOwn() {
    let studio = studio()
    start(studio, studio.counter(frames: 40_000), family: 0)
    studio.submit(.drive(.familyPitch(0), to: 2, at: 1_000, fade: .none))
    let out = studio.render(2_000)
    #expect(out[999].left == count(999))
    #expect(abs((out[1_800].left - out[1_700].left) - (count(200) - count(0))) < 1e-6)
  }

  @Test func aBusIsLedOnTopOfItsGain() {
    let studio = studio()
    studio.start(studio.constant(0.5), on: .voice, at: 0)
    studio.submit(
      .busGain(.voice, to: 0.5, at: 0, fade: .none),
      .drive(.busGain(.voice), to: 0.5, at: 1_000, fade: Fade(frames: 100))
    )
    let out = studio.render(2_000)
    #expect(out[..<1_001].allSatisfy { $0.left == 0.25 })
    #expect(abs(out[1_050].left - 0.1875) < 1e-6)
    #expect(out[1_100...].allSatisfy { $0.left == 0.125 })
  }

  @Test func whatWasToLeadATargetIsTakenBackFromItsFrameOn() {
    let studio = studio()
    start(studio, studio.constant(0.5), family: 0)
    studio.submit(
      .drive(.familyGain(0), to: 0.5, at: 1_000, fade: .none), .drive(.familyGain(0), to: 0, at: 2_000, fade: .none),
      .drive(.familyGain(1), to: 0, at: 2_000, fade: .none), .retractDriven(.familyGain(0), from: 1_500))
    let out = studio.render(4_000)
    #expect(out[1_000...].allSatisfy { $0.left == 0.25 })
    #expect(studio.controller.room == studio.controller.configuration.commandCapacity)
  }

  @Test func aFamilyThatIsNotThereIsNone() {
    let studio = studio()
    start(studio, studio.constant(0.5), family: 7)
    studio.submit(
      .drive(.familyGain(7), to: 0, at: 0, fade: .none), .drive(.familyPitch(-1), to: 0, at: 0, fade: .none))
    #expect(studio.render(1_000).allSatisfy { $0.left == 0.5 })
  }
}
