// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Testing

@testable import Engine

/// Music that is paused in the middle of its fades, from the player's steps to what the mixer makes of them: outside the ramps
/// of 5 ms it is, to the bit, what it would have been, as much later as it stood.
@Suite struct StandingFadeTests {
  private typealias Asked = (at: Int64, verb: MusicVerb)

  private static let declick = Fade.declick(rate: 48_000)
  private let pause = Asked(at: 4_507, verb: .pause(.switch, declick))
  private let resume = Asked(at: 6_501, verb: .resume(.switch, declick))
  /// From where it stands.
  private let stands = 4_747

  /// Samples that tell their place and their track, in a loop.
  private static func sample(_ track: String, _ frame: Int) -> Float {
    (track == "a" ? 0.125 : track == "b" ? 0.25 : 0.0625) + Float(frame) * 0x1p-19
  }

  private func play(
    _ track: String, _ fade: Fade, position: Int64 = 0, continues: Bool = false, gain: Float = 1,
    standsWhenOff: Bool = true
  ) -> MusicVerb {
    .play(
      MusicPlayer.Request(
        track: .of(track),
        info: TrackInfo(frames: 18_000, loop: LoopRegion(start: 0, end: 18_000), headFrames: 18_000),
        position: position, loops: true, askedGain: gain, continues: continues, fade: fade,
        standsWhenOff: standsWhenOff))
  }

  /// All that is heard when that is asked, a quarter of a second long and `more`.
  private func hear(_ asked: [Asked], more: Int = 0) -> [Float] {
    let controller = MixerController()
    var player = MusicPlayer()
    var sources: [String: ResidentSource] = [:]
    defer { for source in sources.values { source.samples.address.deallocate() } }
    for name in ["a", "b", "c"] {
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: 36_000)
      for frame in 0..<36_000 { samples[frame] = Self.sample(name, frame / 2) }
      sources[name] = ResidentSource(samples: .float(samples), frames: 18_000, loop: 0..<18_000)
    }
    for (number, asked) in asked.sorted(by: { $0.at < $1.at }).enumerated() {
      let voice = VoiceID(rawValue: UInt64(number) + 1)
      let outcome = player.apply(asked.verb, voice: voice, at: asked.at, declick: Self.declick)
      _ = controller.submit(
        outcome.steps.compactMap { step in
          switch step {
          case .command(let command): return command
          case .start(let start):
            guard case .track(let key, _) = start.source, let source = sources[key.name] else { return nil }
            return .start(start.with(.resident(source)))
          default: return nil
          }
        })
    }
    let frames = 12_000 + more
    var out = [Float](repeating: 0, count: 2 * frames)
    out.withUnsafeMutableBufferPointer { out in
      guard let base = out.baseAddress else { return }
      for done in stride(from: 0, to: frames, by: 256) {
        controller.mixer.pointee.render(into: base + 2 * done, frames: min(256, frames - done))
      }
    }
    return (0..<frames).map { out[2 * $0] }
  }

  /// What is heard with a pause, where `meanwhile` was asked in it, against what is heard where that was asked at the place
  /// at which it stands.
  private func expectTheSameLater(
    _ before: [Asked], meanwhile: [MusicVerb] = [], behind: [Asked] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let stood = Int(resume.at) - stands
    let unpaused = hear(before + meanwhile.map { (Int64(stands), $0) } + behind)
    let asked = meanwhile.enumerated().map { (pause.at + 400 * Int64($0.offset + 1), $0.element) }
    let later = behind.map { ($0.at + Int64(stood), $0.verb) }
    let paused = hear(before + [pause] + asked + [resume] + later, more: stood)
    let first = Int(pause.at)
    #expect(paused[..<first] == unpaused[..<first], sourceLocation: sourceLocation)
    #expect(paused[stands..<stands + stood].allSatisfy { $0 == 0 }, sourceLocation: sourceLocation)
    let difference = (stands + 240..<unpaused.count).first { paused[$0 + stood] != unpaused[$0] }
    #expect(difference == nil, sourceLocation: sourceLocation)
    for frame in 0..<240 {
      let way = Float(frame) / 240
      let down = unpaused[first + frame] * (1 - way)
      let up = unpaused[stands + frame] * way
      #expect(abs(paused[first + frame] - down) < 1e-6, sourceLocation: sourceLocation)
      #expect(abs(paused[stands + stood + frame] - up) < 1e-6, sourceLocation: sourceLocation)
    }
  }

  private static let fades = [Fade(frames: 3_000), Fade(frames: 3_000, curve: .equalPower)]

  @Test(arguments: fades) func aCrossFadeGoesOnWhereItStood(fade: Fade) {
    expectTheSameLater([(100, play("a", fade)), (3_000, play("b", fade))])
  }

  @Test(arguments: fades) func allTailsOfAnInterruptedFadeGoOn(fade: Fade) {
    expectTheSameLater([(100, play("a", fade)), (2_500, play("b", fade)), (3_750, play("c", fade))])
  }

  @Test(arguments: fades) func soDoFadesThatChangeTheGainOrStop(fade: Fade) {
    expectTheSameLater([(100, play("a", fade)), (3_750, .gain(0.25, fade))])
    expectTheSameLater([(100, play("a", fade)), (3_750, .stop(fade))])
  }

  @Test(arguments: fades) func whatIsPlayedMeanwhileWaitsWithItsCrossFade(fade: Fade) {
    expectTheSameLater([(100, play("a", fade))], meanwhile: [play("b", fade, position: 700)])
    expectTheSameLater([(100, play("a", fade)), (3_000, play("b", fade))], meanwhile: [play("c", fade)])
    // Of two the first is never heard.
    expectTheSameLater([(100, play("a", fade))], meanwhile: [play("b", fade), play("c", fade)])
  }

  @Test(arguments: fades) func whatWasFadingOutIsBroughtBackMeanwhile(fade: Fade) {
    expectTheSameLater(
      [(100, play("a", fade)), (3_000, play("b", fade))], meanwhile: [play("a", fade, continues: true)])
  }

  @Test(arguments: fades) func aGainAskedForMeanwhileWaitsToo(fade: Fade) {
    expectTheSameLater([(100, play("a", fade)), (3_000, play("b", fade))], meanwhile: [.gain(0.5, fade)])
  }

  @Test func theGainThatThePlayerCountsByStandsWithTheFade() {
    let fade = Self.fades[0]
    var player = MusicPlayer()
    let asked: [Asked] = [(100, play("a", fade)), pause, (5_000, .gain(0.5, fade)), resume]
    for asked in asked {
      _ = player.apply(asked.verb, voice: VoiceID(rawValue: 1), at: asked.at, declick: Self.declick)
    }
    // Half way of a fade that began when all went on.
    #expect(player.current?.faded(at: 6_501 + 1_500) == 0.75)
  }

  @Test(arguments: fades) func whatComesBehindMeetsTheSame(fade: Fade) {
    expectTheSameLater(
      [(100, play("a", fade)), (3_000, play("b", fade))],
      behind: [(5_200, play("c", fade)), (5_900, play("a", fade, continues: true))])
  }

  @Test func whatIsPausedTwiceStandsTwice() {
    let fade = Self.fades[1]
    let before: [Asked] = [(100, play("a", fade)), (3_000, play("b", fade))]
    let unpaused = hear(before)
    let paused = hear(
      before + [pause, resume, (7_000, .pause(.client, Self.declick)), (9_000, .resume(.client, Self.declick))],
      more: 6_000)
    let stood = Int(resume.at) - stands + 9_000 - 7_240
    let first = 9_240 - stood
    #expect(first > stands && first < 6_000)
    #expect(Array(paused[9_240..<12_000 + stood]) == Array(unpaused[first...]))
  }

  @Test(arguments: [1, 100, 239, 240]) func resumedBeforeItStandsItNeverStood(gap: Int64) {
    let fade = Self.fades[1]
    let before: [Asked] = [(100, play("a", fade)), (3_000, play("b", fade))]
    let unpaused = hear(before)
    let paused = hear(before + [pause, (pause.at + gap, .resume(.switch, Self.declick))])
    #expect(paused[..<Int(pause.at)] == unpaused[..<Int(pause.at)])
    #expect(paused[Int(pause.at + gap + 240)...] == unpaused[Int(pause.at + gap + 240)...])
    #expect(zip(paused, unpaused).allSatisfy { $0 <= $1 })
  }

  @Test func whatIsStoppedMeanwhileIsNeverHeard() {
    let fade = Self.fades[0]
    let heard = hear([
      (100, play("a", fade)), (3_000, play("b", fade)), pause, (5_000, .stop(fade)), (5_100, play("c", fade)), resume,
    ])
    // Alone, it begins as it was made, under the ramp of the pause alone.
    for frame in Int(resume.at) + 240..<11_000 { #expect(heard[frame] == Self.sample("c", frame - Int(resume.at))) }
  }

  @Test func withTheSwitchOffATrackThatRunsOnTakesOverAtOnce() {
    let fade = Self.fades[0]
    let heard = hear([
      (100, play("a", fade)), pause, (5_000, play("b", fade, position: 700, standsWhenOff: false)), resume,
    ])
    // What its bus makes of it is not in the player's hands.
    for frame in 5_240..<11_000 { #expect(heard[frame] == Self.sample("b", frame - 5_000 + 700)) }
  }

  @Test func withTheSwitchOffATrackThatStandsWaitsWithTheCrossFadeFromOneThatRanOn() {
    let fade = Self.fades[0]
    let heard = hear([
      (100, play("a", fade, standsWhenOff: false)), pause, (5_000, play("b", fade, position: 700)), resume,
    ])
    for frame in 100..<5_000 { #expect(heard[frame] == Self.sample("a", frame - 100)) }
    for frame in 5_240..<6_501 { #expect(heard[frame] == 0) }
    // Of its 3000 frames the fade went on for the 240 in which the first came to stand; the second loses none of its own.
    for frame in 6_741..<9_261 {
      let way = Float(frame - 6_501) / 3_000
      let fading = 1 - way - Float(240) / 3_000
      let expected = way * Self.sample("b", frame - 6_501 + 700) + fading * Self.sample("a", frame - 6_501 + 5_140)
      #expect(abs(heard[frame] - expected) < 1e-6)
    }
    for frame in 9_501..<11_000 { #expect(heard[frame] == Self.sample("b", frame - 6_501 + 700)) }
  }

  @Test func whatAClientPausedIsLetGoOfByWhatItPlays() {
    let fade = Self.fades[0]
    let heard = hear([
      (100, play("a", fade)), (3_000, play("b", fade)), (4_507, .pause(.client, Self.declick)),
      (6_501, play("c", fade)),
    ])
    for frame in 6_501..<11_000 { #expect(heard[frame] == Self.sample("c", frame - 6_501)) }
  }

  @Test func aTailThatStandsIsBroughtBackByWhatLetsItGoOn() {
    let fade = Self.fades[0]
    let heard = hear([
      (100, play("a", fade)), (3_000, play("b", fade)), (4_507, .pause(.client, Self.declick)),
      (6_501, play("a", fade, continues: true)),
    ])
    // It stood at 4747, of its fade 1747 frames heard: from there it rises.
    for frame in 6_741..<9_501 {
      let from = 1 - Float(1_747) / 3_000
      let gain = from + (1 - from) * Float(frame - 6_501) / 3_000
      #expect(abs(heard[frame] - gain * Self.sample("a", frame - 6_501 + 4_647)) < 1e-6)
    }
    #expect(heard[9_501] == Self.sample("a", 9_501 - 6_501 + 4_647))
  }

  @Test func whatIsSoughtMeanwhileIsHeardAtItsNewPlaceAlone() {
    let fade = Self.fades[0]
    let heard = hear([
      (100, play("a", fade)), (3_000, play("b", fade)), pause,
      (5_000, .seek(position: 900, lateBy: 0, crossfade: fade)), resume,
    ])
    for frame in 6_741..<11_000 { #expect(heard[frame] == Self.sample("b", frame - 6_501 + 900)) }
    for frame in 0..<240 {
      #expect(abs(heard[6_501 + frame] - Self.sample("b", 900 + frame) * Float(frame) / 240) < 1e-6)
    }
  }

  @Test func whatIsPlayedMeanwhileIsToldToWaitWithItsCrossFade() {
    let fade = Self.fades[0]
    var player = MusicPlayer()
    func apply(_ verb: MusicVerb, _ voice: UInt64, at frame: Int64) -> [MusicChange] {
      player.apply(verb, voice: VoiceID(rawValue: voice), at: frame, declick: Self.declick).changes
    }
    let (a, b) = (LoadedKey.of("a"), LoadedKey.of("b"))
    _ = apply(play("a", fade), 1, at: 100)
    _ = apply(pause.verb, 2, at: pause.at)
    #expect(
      apply(play("b", fade, position: 700), 3, at: 5_000) == [
        MusicChange(kind: .paused, track: b.key, from: a.key, fade: fade, position: 700)
      ])
    #expect(player.fading(at: 6_400).map(\.track) == [a])
    #expect(apply(resume.verb, 4, at: resume.at) == [MusicChange(kind: .resumed, track: b.key, fade: Self.declick)])
    #expect(player.fading(at: 6_501 + 2_999).map(\.track) == [a] && player.fading(at: 6_501 + 3_000).isEmpty)
  }

  @Test func whatIsPlayedByTheDozenMeanwhileNeedsNoMoreVoicesThanThereAre() {
    let fade = Fade(frames: 24_000)
    var player = MusicPlayer()
    for turn in 0..<8 {
      let at = Int64(turn) * 500
      _ = player.apply(play("\(turn)", fade), voice: VoiceID(rawValue: UInt64(turn)), at: at, declick: Self.declick)
    }
    _ = player.apply(pause.verb, voice: VoiceID(rawValue: 99), at: pause.at, declick: Self.declick)
    for turn in 8..<40 {
      let at = pause.at + 240 + Int64(turn)
      let voice = VoiceID(rawValue: UInt64(turn))
      let played = player.apply(play("\(turn)", fade), voice: voice, at: at, declick: Self.declick)
      #expect(played.changes.last?.track.name == "\(turn)" && played.changes.last?.kind == .paused)
      // Of the eight that stood seven stand yet; those that came meanwhile and were played over are gone.
      #expect(player.fading(at: at).allSatisfy { Int($0.track.name) ?? 99 < 8 })
      #expect(player.fading(at: at).count == 7)
    }
  }
}
