// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// What each kind of step comes to: the commands, at their frames and instants.
@Suite struct CueStepTests {
  private let me = Cause(client: ClientID(rawValue: 1))

  /// An engine whose pack has a cue `go` of these steps.
  private func fixture(_ steps: String) throws -> EngineFixture {
    try EngineFixture(cues: #""go": {"steps": [\#(steps)]}"#)
  }

  @Test func aSoundIsPlayedAsItsStepSays() throws {
    var fixture = try fixture(
      #"{"sound": "click", "gain": 0.5, "pan": -1, "pitch": 2, "loop": true, "duck": {"depth": 0.1, "hold": 1}}"#)
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "go", atUs: 2_000_000), by: me)
    let start = try #require(fixture.run(to: 2_000_000).soundStarts.first)
    #expect(start.at == 48_000 && start.gain == 0.25 && start.pan == -1 && start.pitch == 2 && start.loops)
    #expect(start.ducking == DuckRule(.music, depth: 0.1, attack: 960, hold: 48_000, release: 14_400))
  }

  @Test func aSoundWithoutADuckKeepsThePacksRule() throws {
    var fixture = try fixture(#"{"sound": "word"}"#)
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "go"), by: me)
    #expect(fixture.run(to: 1_100_000).soundStarts.first?.ducking?.depth == 0.25)
  }

  @Test func tapsAndVibrationsAreFeltAtTheirInstants() throws {
    var fixture = try fixture(
      #"{"transient": {"intensity": 0.5, "sharpness": 0.8}}, "#
        + #"{"at": 0.5, "continuous": {"intensity": 1, "sharpness": 0, "duration": 0.25}}"#)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "go", atUs: 2_000_000), by: me)
    #expect(fired.scheduledUs == 2_000_000 && fired.hapticAtUs == 2_000_000 && fired.soundAtUs == nil)
    let started = fixture.run(to: 2_000_000).haptics.compactMap { command -> (String, Int64, Int64)? in
      guard case .start(_, let pattern, let source, let at, _) = command else { return nil }
      return (source, at.microseconds, pattern.duration.microseconds)
    }
    #expect(started.map(\.0) == ["transient", "continuous"])
    #expect(started.map(\.1) == [2_000_000, 2_500_000])
    #expect(started.map(\.2) == [20_000, 250_000])
  }

  @Test func theMusicIsTurnedAtItsInstant() throws {
    var fixture = try fixture(#"{"at": 0.5, "music": {"gain": 0.25, "fade": 1}}"#)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: me)
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "go", atUs: 2_000_000), by: me)
    let gains = fixture.run(to: 2_600_000).audio.compactMap { step -> (Float, Int64, Int32)? in
      guard case .command(.gain(_, let gain, let at, let fade)) = step else { return nil }
      return (gain, at, fade.frames)
    }
    #expect(gains.map(\.0) == [0.25] && gains.map(\.1) == [72_000] && gains.map(\.2) == [48_000])
  }

  @Test func aTrackIsPlayedAtTheGainOfItsStep() throws {
    var fixture = try fixture(#"{"music": {"play": "main", "gain": 0.5}}"#)
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "go"), by: me)
    #expect(fixture.run(to: 1_100_000).audio.compactMap(\.trackStart).map(\.gain) == [0.5])
  }

  /// The settings' 0.25 s are of tracks that take over from others; a cut takes the 5 ms that do not click.
  @Test(arguments: [("", 0, 12_000), (#", "crossfade": 0"#, 0, 240), (#", "crossfade": 2"#, 96_000, 96_000)])
  func aTrackFadesInOutOfSilenceWhereItsStepSaysHowLong(written: String, alone: Int32, after: Int32) throws {
    let cue = #""go": {"steps": [{"music": {"play": "main"\#(written)}}]}"#
    for (before, frames) in [(false, alone), (true, after)] {
      var fixture = try EngineFixture(muted: "mute\", \"crossfade\": 0.25, \"fadeCurve\": \"equalPower", cues: cue)
      if before { _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: me) }
      _ = try fixture.engine.fireCue(CueFire.Params(cue: "go", atUs: 2_000_000), by: me)
      let start = try #require(fixture.run(to: 2_000_000).audio.compactMap(\.trackStart).last)
      #expect(start.track?.name == "main" && start.at == 48_000 && start.gain == 1)
      #expect(start.fadeIn == (frames == 0 ? .none : Fade(frames: frames, curve: .equalPower)))
    }
  }

  @Test(arguments: [#"{"sound": "click", "fade": 0.1}"#, #"{"sounds": true, "fade": 0.1}"#])
  func aStopEndsWhatBeganBeforeItAndNothingElse(stop: String) throws {
    var fixture = try fixture(#"{"at": 0.5, "stop": \#(stop)}, {"at": 0.5, "sound": "click"}"#)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "go", atUs: 2_000_000), by: me)
    #expect(fired.skipped == [])
    var played: [Int64] = []
    for (sound, at) in [("click", 2_400_000), ("word", 2_400_000), ("click", 2_600_000)] as [(String, Int64)] {
      played.append(
        try #require(try fixture.engine.playSound(SoundPlay.Params(sound: sound, atUs: at), by: .daemon).id))
    }
    var actions = fixture.run(to: 2_420_000)
    // The stop has been handed out by now; this one begins before it, too.
    played.append(
      try #require(try fixture.engine.playSound(SoundPlay.Params(sound: "click", atUs: 2_450_000), by: me).id))
    actions += fixture.run(to: 3_000_000)
    let stopped = actions.audio.stopped
    #expect(Set(stopped.map(\.at)) == [72_000])
    let meant = stop.contains("sounds") ? [played[0], played[1], played[3]] : [played[0], played[3]]
    #expect(Set(stopped.map { Int64($0.voice.rawValue) }) == Set(meant))
    #expect(actions.soundStarts.count == 5)
  }

  @Test(arguments: [#"{"pattern": "thud"}"#, #"{"haptics": true}"#])
  func aStopOfWhatIsFeltEndsItAtItsInstant(stop: String) throws {
    var fixture = try fixture(#"{"at": 0.5, "stop": \#(stop)}, {"at": 0.5, "pattern": "thud"}"#)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "go", atUs: 2_000_000), by: me)
    #expect(fired.skipped == [] && fired.soundAtUs == nil)
    var players: [Int64] = []
    for at in [2_400_000, 2_600_000] as [Int64] {
      players.append(
        try #require(
          try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud", atUs: at, loop: true), by: .daemon).player)
      )
    }
    let vibration = try fixture.engine.playContinuous(HapticsContinuous.Params(durationUs: 9_000_000), by: .daemon)
    var actions = fixture.run(to: 2_420_000)
    players.append(
      try #require(
        try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud", atUs: 2_450_000, loop: true), by: me).player)
    )
    actions += fixture.run(to: 3_000_000)
    let stopped = actions.haptics.compactMap { command -> (Int64, Int64)? in
      guard case .stop(let player, let at) = command else { return nil }
      return (Int64(player.rawValue), at.microseconds)
    }
    #expect(Set(stopped.map(\.1)) == [2_500_000])
    let meant = [players[0], players[2]] + (stop.contains("haptics") ? [try #require(vibration.player)] : [])
    #expect(Set(stopped.map(\.0)) == Set(meant))
  }

  /// A client's share is of 1,024 steps.
  @Test(arguments: [(64, 16), (1, 1_024)])
  func aFiringIsChargedForItsStepsAndForNothingElse(steps: Int, firings: Int) throws {
    let stops = Array(repeating: #"{"at": 5, "stop": {"sounds": true}}"#, count: steps).joined(separator: ", ")
    var fixture = try fixture(stops)
    // One every 3 ms: more at a time is refused for itself.
    func fire(_ number: Int) throws {
      let at = 60_000_000 + 3_000 * Int64(steps * number)
      _ = try fixture.engine.fireCue(CueFire.Params(cue: "go", atUs: at), by: me)
    }
    for number in 0..<firings { try fire(number) }
    #expect(fixture.engine.holdings["shares"] == 1_024)
    #expect(throws: RPCError.self) { try fire(firings) }
    _ = fixture.run(to: 71_000_000)
    #expect(fixture.engine.holdings["shares"] == 0)
  }

  /// Players have limits of their own, and what is skipped takes no room: but each firing is kept until it is told.
  @Test func aFiringOfWhichNoStepIsChargedCountsAsOne() throws {
    var fixture = try fixture(#"{"sound": "lost"}"#)
    for _ in 0..<1_024 { _ = try fixture.engine.fireCue(CueFire.Params(cue: "go", atUs: 60_000_000), by: me) }
    #expect(fixture.engine.holdings["shares"] == 1_024)
    #expect(throws: RPCError.self) { try fixture.engine.fireCue(CueFire.Params(cue: "go", atUs: 60_000_000), by: me) }
    _ = fixture.run(to: 61_000_000)
    #expect(fixture.engine.holdings["shares"] == 0)
  }

  @Test func aStopThatWaitsIsCharged() throws {
    var fixture = try fixture(#"{"at": 5, "stop": {"haptics": true}}, {"at": 5, "stop": {"sounds": true}}"#)
    _ = try fixture.engine.fireCue(CueFire.Params(cue: "go"), by: me)
    #expect(fixture.engine.holdings["shares"] == 2)
    _ = fixture.run(to: 7_000_000)
    #expect(fixture.engine.holdings.filter { $0.value != 0 && $0.key != "sounds" }.isEmpty)
  }
}
