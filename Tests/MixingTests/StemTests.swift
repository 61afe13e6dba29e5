// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

/// A track and its stems in one ring: whatever happens to the voice, each frame is the sum of the same frame of all of them.
@Suite struct StemTests {
  /// Of the track `count`; of its first stem steps of 2^-12, which change every 100 frames; of its second an alternating
  /// sign.
  private static func sample(_ layer: Int, _ frame: Int) -> Frame {
    switch layer {
    case 0: Frame(left: count(frame), right: -count(frame))
    case 1: Frame(left: Float(frame / 100 % 64) * 0x1p-12, right: 0x1p-6)
    default: Frame(left: frame % 2 == 0 ? 0x1p-5 : -0x1p-5, right: 0)
    }
  }

  private func sum(_ frame: Int, _ first: Float, _ second: Float) -> Frame {
    let (track, one, two) = (Self.sample(0, frame), Self.sample(1, frame), Self.sample(2, frame))
    return Frame(
      left: track.left + one.left * first + two.left * second,
      right: track.right + one.right * first + two.right * second)
  }

  /// A voice with two stems that begins at frame 0, and its ring, in which `frames` are.
  private func play(
    in studio: Studio, _ gains: [Float], frames: Int = 20_000, pitch: Float = 1, gain: Float = 1
  ) -> (voice: VoiceID, ring: UnsafeMutablePointer<StreamRing>) {
    let ring = studio.ring(capacityFrames: 32_768, layers: 3)
    _ = studio.fill(ring, frames: frames, layers: 3, Self.sample)
    let id = studio.voice()
    var start = VoiceStart<VoiceSource>(id: id, source: .stream(ring), bus: .music, at: 0, gain: gain, pitch: pitch)
    start.stems = StemGains(gains)
    studio.submit(.start(start))
    return (id, ring)
  }

  @Test(arguments: [[1, 1], [0.5, 0], [0, 0.25], [0, 0]] as [[Float]])
  func whatIsHeardIsTheSumOfATrackAndItsStemsEachAtItsGain(gains: [Float]) {
    let studio = Studio()
    _ = play(in: studio, gains)
    let out = studio.render(10_000)
    #expect(out.indices.allSatisfy { out[$0] == sum($0, gains[0], gains[1]) })
  }

  @Test func theGainOfTheVoiceIsForAllOfThem() {
    let studio = Studio()
    let (voice, _) = play(in: studio, [1, 0.5], gain: 0.5)
    studio.submit(.stop(voice, at: 5_000, fade: Fade(frames: 1_000)))
    let out = studio.render(8_000)
    for frame in 0..<6_000 {
      let gain = frame < 5_000 ? 0.5 : 0.5 * Float(6_000 - frame) / 1_000
      #expect(abs(out[frame].left - sum(frame, 1, 0.5).left * gain) < 1e-7)
    }
    #expect(out[6_000...].allSatisfy { $0 == Frame(left: 0, right: 0) })
    #expect(studio.events.last == .finished(voice, at: 6_000, .stopped))
  }

  @Test func aStemIsTurnedUpAndDownByItself() {
    let studio = Studio()
    let (voice, _) = play(in: studio, [0, 1])
    studio.submit(
      .stem(voice, 0, to: 1, at: 1_000, fade: Fade(frames: 2_048)),
      .stem(voice, 1, to: 0, at: 4_000, fade: .none), .stem(voice, 2, to: 1, at: 0, fade: .none),
      .stem(voice, -1, to: 1, at: 0, fade: .none))
    let out = studio.render(6_000)
    for frame in 0..<6_000 {
      let first = min(1, max(0, Float(frame - 1_000) / 2_048))
      #expect(abs(out[frame].left - sum(frame, first, frame < 4_000 ? 1 : 0).left) < 1e-7)
    }
  }

  @Test func oneIsLedByItsFamilyAlone() {
    let studio = Studio(MixerConfiguration(families: 2))
    let ring = studio.ring(capacityFrames: 8_192, layers: 3)
    _ = studio.fill(ring, frames: 8_000, layers: 3, Self.sample)
    var start = VoiceStart<VoiceSource>(id: studio.voice(), source: .stream(ring), bus: .music, at: 0)
    start.stems = StemGains([0.5, 1], families: [1, 7])
    studio.submit(
      .start(start), .drive(.familyGain(1), to: 0, at: 1_000, fade: Fade(frames: 1_024)),
      .drive(.familyGain(0), to: 0, at: 1_000, fade: .none))
    let out = studio.render(4_000)
    for frame in 0..<4_000 {
      let driven = 1 - min(1, max(0, Float(frame - 1_000) / 1_024))
      #expect(abs(out[frame].left - sum(frame, 0.5 * driven, 1).left) < 1e-7)
    }
  }

  @Test func whatIsPlannedForAStemIsTakenBackWithTheVoicesOtherPlans() {
    let studio = Studio()
    let (voice, _) = play(in: studio, [0, 0])
    studio.submit(.stem(voice, 0, to: 1, at: 2_000, fade: .none))
    studio.submit(.retract(voice, from: 1_000))
    let out = studio.render(4_000)
    #expect(out.indices.allSatisfy { out[$0] == sum($0, 0, 0) })
  }

  @Test func pausedTheyStandTogetherAndTheirFadesToo() {
    let studio = Studio()
    let (voice, _) = play(in: studio, [0, 1])
    let fade = Fade(frames: 4_096)
    studio.submit(
      .stem(voice, 0, to: 1, at: 1_000, fade: fade), .pause(voice, at: 2_000, fade: Fade(frames: 240)),
      .resume(voice, at: 7_000, fade: Fade(frames: 240)))
    let out = studio.render(14_000)
    let plain = Studio()
    let (other, _) = play(in: plain, [0, 1])
    plain.submit(.stem(other, 0, to: 1, at: 1_000, fade: fade))
    let unpaused = plain.render(10_000)
    #expect(out[..<2_000] == unpaused[..<2_000])
    #expect(out[2_240..<7_000].allSatisfy { $0 == Frame(left: 0, right: 0) })
    #expect(Array(out[7_240..<11_000]) == Array(unpaused[2_480..<6_240]))
  }

  @Test func starvedTheyStarveTogetherAndComeBackWhereTheyWouldBe() throws {
    let studio = Studio()
    let (voice, ring) = play(in: studio, [1, 1], frames: 4_000)
    _ = studio.render(6_000)
    _ = studio.fill(ring, frames: 8_000, layers: 3, Self.sample)
    let out = studio.render(4_000)
    guard case .rejoined(voice, let back)? = studio.events.last else {
      Issue.record("no return in \(studio.events)")
      return
    }
    let first = Int(back) + 240
    #expect((first..<9_000).allSatisfy { out[$0 - 6_000] == sum($0, 1, 1) })
  }

  @Test(arguments: [0.75, 1.25] as [Float]) func atAnotherRateTheyAreResampledAlike(pitch: Float) {
    // A stem that is its track turned over leaves nothing of it, wherever it is.
    let studio = Studio()
    let ring = studio.ring(capacityFrames: 16_384, layers: 2)
    _ = studio.fill(ring, frames: 16_000, layers: 2) { layer, frame in
      let value = Float(frame * 7_919 % 1_024) * 0x1p-11 * (layer == 0 ? 1 : -1)
      return Frame(left: value, right: -value)
    }
    var start = VoiceStart<VoiceSource>(
      id: studio.voice(), source: .stream(ring), bus: .music, at: 100, pitch: pitch)
    start.stems = StemGains([1])
    studio.submit(
      .start(start), .stem(start.id, 0, to: 0, at: 6_000, fade: .none))
    let out = studio.render(8_000)
    #expect(out[..<6_000].allSatisfy { $0 == Frame(left: 0, right: 0) })
    #expect(out[6_100..<8_000].contains { abs($0.left) > 0.1 })
  }

  @Test(arguments: [1, 0.8] as [Float]) func anyPeriodsGiveTheSameBits(pitch: Float) {
    func hear(_ periods: [Int]) -> [Frame] {
      let studio = Studio()
      let (voice, _) = play(in: studio, [0.3, 0.7], pitch: pitch)
      studio.submit(
        .stem(voice, 0, to: 0.9, at: 777, fade: Fade(frames: 1_501, curve: .equalPower)),
        .gain(voice, to: 0.4, at: 900, fade: Fade(frames: 999)))
      return studio.render(4_000, periods: periods)
    }
    let whole = hear([256])
    for periods in [[1], [7, 300, 64], [4_000]] { #expect(hear(periods) == whole) }
  }

  @Test func aRingWithoutRoomForStemsPlaysItsTrackAlone() {
    let studio = Studio()
    let ring = studio.ring(capacityFrames: 8_192)
    _ = studio.fill(ring, counting: 8_000)
    var start = VoiceStart<VoiceSource>(id: studio.voice(), source: .stream(ring), bus: .music, at: 0)
    start.stems = StemGains([1, 1, 1, 1])
    studio.submit(.start(start))
    let out = studio.render(4_000)
    #expect(out.indices.allSatisfy { out[$0].left == count($0) })
  }
}
