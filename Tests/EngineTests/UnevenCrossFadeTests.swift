// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Glibc
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// Cross-fades whose two fades differ: what the mixer is told, what is heard, and what clients are told.
@Suite struct UnevenCrossFadeTests {
  private let me = Cause(client: ClientID(rawValue: 1))
  private let declick = Fade.declick(rate: 48_000)

  /// The cross-fade from `main` to `other` that is asked for at 2 s, and the lines that tell it.
  private func crossFade(_ params: (inout MusicPlay.Params) -> Void) throws -> (steps: [AudioStep], told: [String]) {
    var fixture = try EngineFixture(muted: "pause\", \"crossfade\": 0.25, \"fadeCurve\": \"linear")
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", crossfadeUs: 0), by: me)
    _ = fixture.run(to: 1_500_000)
    var play = MusicPlay.Params(track: "other", atUs: 2_000_000)
    params(&play)
    _ = try fixture.engine.playMusic(play, by: me)
    let actions = fixture.run(to: 2_100_000)
    return (actions.audio, actions.lines.filter { $0.contains("music.changed") })
  }

  /// What is not given is as the pack says: 0.25 s.
  @Test(
    arguments: [
      (3_000_000, 500_000, 144_000, 24_000, #""fadeOutUs":500000,"fadeUs":3000000"#),
      (nil, 1_000_000, 12_000, 48_000, #""fadeOutUs":1000000,"fadeUs":250000"#),
      (1_000_000, nil, 48_000, 12_000, #""fadeOutUs":250000,"fadeUs":1000000"#),
      (1_000_000, 0, 48_000, 240, #""fadeOutUs":5000,"fadeUs":1000000"#),
      (1_000_000, 1_000_000, 48_000, 48_000, #""fadeUs":1000000"#),
    ] as [(Int64?, Int64?, Int32, Int32, String)])
  func eachHasItsOwnLength(_ comes: Int64?, _ leaves: Int64?, _ rise: Int32, _ fall: Int32, _ told: String) throws {
    let faded = try crossFade { params in
      params.fadeInUs = comes
      params.fadeOutUs = leaves
      params.fadeCurve = .equalPower
    }
    #expect(faded.steps.stopped.map(\.frames) == [fall] && faded.steps.stopped.map(\.at) == [48_000])
    let start = try #require(faded.steps.compactMap(\.trackStart).first)
    #expect(start.at == 48_000 && start.fadeIn == Fade(frames: rise, curve: .equalPower))
    #expect(faded.told.count == 1)
    #expect(faded.told[0].contains(told))
    #expect(faded.told[0].contains("fadeOutUs") == (rise != fall))
  }

  @Test func ofBothAtOnceOnlyOneLengthIsTold() throws {
    let faded = try crossFade { $0.crossfadeUs = 1_000_000 }
    #expect(faded.steps.stopped.map(\.frames) == [48_000])
    #expect(faded.told.count == 1 && faded.told[0].contains(#""fadeUs":1000000"#))
    #expect(!faded.told[0].contains("fadeOutUs"))
  }

  @Test(arguments: [(1, nil), (nil, 1), (1, 1)] as [(Int64?, Int64?)])
  func bothAtOnceAndOneAloneAreRefusedTogether(_ comes: Int64?, _ leaves: Int64?) throws {
    var fixture = try EngineFixture()
    let params = MusicPlay.Params(track: "main", crossfadeUs: 0, fadeInUs: comes, fadeOutUs: leaves)
    let error = #expect(throws: RPCError.self) { try fixture.engine.playMusic(params, by: me) }
    #expect(error?.data.kind == "invalidParams" && error?.data.hint?.contains("fadeInUs") == true)
    for params in [
      MusicPlay.Params(track: "main", fadeInUs: 60_000_001), MusicPlay.Params(track: "main", fadeOutUs: -1),
    ] {
      #expect(throws: RPCError.self) { try fixture.engine.playMusic(params, by: me) }
    }
    #expect(fixture.engine.musicStatus().plannedCount == 0)
  }

  /// A fade out is of what leaves: where nothing does a track begins as it was made.
  @Test(arguments: [(2_000_000, nil, 96_000), (0, 1_000_000, 0), (nil, 1_000_000, 0)] as [(Int64?, Int64?, Int32)])
  func aloneATrackFadesInWhereItsOwnFadeIsGiven(_ comes: Int64?, _ leaves: Int64?, _ rise: Int32) throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", fadeInUs: comes, fadeOutUs: leaves), by: me)
    let actions = fixture.run(to: 1_100_000)
    #expect(actions.audio.compactMap(\.trackStart).map(\.fadeIn.frames) == [rise])
    let told = actions.lines.filter { $0.contains("music.changed") }
    #expect(told.count == 1 && told[0].contains(#""fadeUs":\#(Int64(rise) * 1_000_000 / 48_000),"#))
    #expect(!told[0].contains("fadeOutUs"))
  }

  @Test func aCuesStepHasBothToo() throws {
    let cue = #""go": {"steps": [{"music": {"play": "other", "fadeIn": 2, "fadeOut": 0.125}}]}"#
    var fixture = try EngineFixture(cues: cue)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "go", atUs: 2_000_000), by: me)
    let steps = fixture.run(to: 2_000_000).audio
    #expect(steps.stopped.map(\.frames) == [6_000] && steps.stopped.map(\.at) == [48_000])
    #expect(steps.compactMap(\.trackStart).last?.fadeIn == Fade(frames: 96_000, curve: .equalPower))
  }

  private func request(_ track: String, in fadeIn: Fade, out fadeOut: Fade?, continues: Bool = false)
    -> MusicPlayer.Request
  {
    MusicPlayer.Request(
      track: .of(track),
      info: TrackInfo(frames: 64, loop: LoopRegion(start: 0, end: 64), headFrames: 64), position: 0, loops: true,
      continues: continues, fade: fadeIn, fadeOut: fadeOut, standsWhenOff: false)
  }

  /// Two tracks of a constant each, so that every sample tells both gains.
  @Test func everySampleIsTheSumOfBothByTheirCurves() {
    var player = MusicPlayer()
    let controller = MixerController()
    let levels: [Float] = [0.5, 0.25]
    let samples = levels.map { level in
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: 128)
      memory.initialize(repeating: level, count: 128)
      return memory
    }
    defer { for memory in samples { memory.deallocate() } }
    let plays = [
      (request("a", in: .none, out: nil), Int64(0)),
      (request("b", in: Fade(frames: 9_000, curve: .equalPower), out: Fade(frames: 3_000)), Int64(1_000)),
    ]
    for (turn, play) in plays.enumerated() {
      let source = ResidentSource(samples: .float(samples[turn]), frames: 64, loop: 0..<64)
      let outcome = player.apply(
        .play(play.0), voice: VoiceID(rawValue: UInt64(turn + 1)), at: play.1, declick: declick)
      _ = controller.submit(
        outcome.steps.compactMap { step in
          switch step {
          case .command(let command): command
          case .start(let start): .start(start.with(.resident(source)))
          default: nil
          }
        })
    }
    let frames = 12_000
    var out = [Float](repeating: 0, count: 2 * frames)
    out.withUnsafeMutableBufferPointer { out in
      guard let base = out.baseAddress else { return }
      for done in stride(from: 0, to: frames, by: 240) {
        controller.mixer.pointee.render(into: base + 2 * done, frames: 240)
      }
    }
    for frame in 0..<frames {
      let fall = 1 - min(1, max(0, Double(frame - 1_000)) / 3_000)
      let rise = sin(min(1, max(0, Double(frame - 1_000)) / 9_000) * .pi / 2)
      #expect(abs(Double(out[2 * frame]) - (0.5 * fall + 0.25 * rise)) < 1e-6, "frame \(frame)")
    }
  }

  /// Tracks that add up are faded out more slowly; the one that comes keeps the time that was asked for.
  @Test func onlyWhatLeavesIsSlowedDown() {
    let fade = Fade(frames: 24_000, curve: .equalPower)
    var player = MusicPlayer()
    func play(_ track: String, at frame: Int64, out: Fade?, continues: Bool = false) -> MusicOutcome {
      player.apply(
        .play(request(track, in: fade, out: out, continues: continues)), voice: VoiceID(rawValue: UInt64(frame + 1)),
        at: frame, declick: declick)
    }
    _ = play("a", at: 0, out: nil)
    _ = play("b", at: 10_000, out: nil)
    let before = player
    let one = play("c", at: 20_000, out: nil)
    #expect(Set(one.steps.stopped.map(\.frames)) == [28_042])
    #expect(one.steps.last?.trackStart?.fadeIn.frames == 28_042 && one.changes.last?.fadeOut == nil)
    player = before
    let apart = play("c", at: 20_000, out: fade)
    #expect(Set(apart.steps.stopped.map(\.frames)) == [28_042])
    #expect(apart.steps.last?.trackStart?.fadeIn == fade && apart.changes.last?.fade == fade)
    #expect(apart.changes.last?.fadeOut?.frames == 28_042)
    // Brought back, the one that was leaving comes up in its own time as well.
    player = before
    let back = play("a", at: 20_000, out: declick, continues: true)
    #expect(back.steps.stopped.map(\.frames) == [280])
    let meant = Ramp(from: before.tails[0].level.value(at: 20_000), to: 1, start: 20_000, fade: fade)
    for frame in stride(from: Int64(20_000), through: 44_000, by: 100) {
      #expect(player.current?.level.value(at: frame) == meant.value(at: frame))
    }
  }
}
