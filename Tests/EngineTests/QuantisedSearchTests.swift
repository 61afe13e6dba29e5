// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// What is waited for is looked for in the music as it is planned. `main` has 120 beats a minute from 1.2 s on, and a marker at
/// 2.6 s; what is planned for 2.3 s comes between what is asked for and the beat, the marker and the bar behind it.
@Suite struct QuantisedSearchTests {
  private static let me = Cause(client: ClientID(rawValue: 1), user: 1)
  private static let drop = Quantise(rawValue: "drop")

  private static func playing() throws -> EngineFixture {
    var fixture = try EngineFixture(
      cues: #""go": {"steps": [{"sound": "click"}]}"#,
      parameters: #""dark": {"targets": [{"sound": "click", "gain": {"power": 1}}]}"#
    ) { $0.manifest.tracks["main"]?.markers = ["drop": .milliseconds(1_400)] }
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 1_200_000), by: me)
    _ = fixture.run(to: 1_300_000)
    return fixture
  }

  /// What is planned for 2.3 s.
  enum Planned: CaseIterable {
    case stop, slowStop, pause, pauseAndResume, seek, replay, untimed

    func ask(_ engine: inout Engine) throws {
      let me = QuantisedSearchTests.me
      switch self {
      case .stop: _ = try engine.stopMusic(FadeParams(atUs: 2_300_000, fadeUs: 5_000), by: me)
      case .slowStop: _ = try engine.stopMusic(FadeParams(atUs: 2_300_000, fadeUs: 350_000), by: me)
      case .pause: _ = try engine.pauseMusic(FadeParams(atUs: 2_300_000, fadeUs: 5_000), by: me)
      case .pauseAndResume:
        _ = try engine.pauseMusic(FadeParams(atUs: 2_300_000, fadeUs: 5_000), by: me)
        _ = try engine.resumeMusic(FadeParams(atUs: 4_300_000, fadeUs: 5_000), by: me)
      case .seek:
        _ = try engine.seekMusic(MusicSeek.Params(positionUs: 1_350_000, atUs: 2_300_000, crossfadeUs: 5_000), by: me)
      case .replay:
        _ = try engine.playMusic(
          MusicPlay.Params(track: "main", atUs: 2_300_000, crossfadeUs: 0, positionUs: 400_000), by: me)
      case .untimed:
        _ = try engine.playMusic(MusicPlay.Params(track: "other", atUs: 2_300_000, crossfadeUs: 0), by: me)
      }
    }

    /// When the first of each is heard from 2.25 s on: a beat, a bar and the marker.
    var expected: [(word: Quantise, at: Int64?)] {
      let (beat, bar, drop): (Int64?, Int64?, Int64?) =
        switch self {
        case .stop, .pause, .untimed: (nil, nil, nil)
        case .slowStop: (nil, nil, 2_600_000)
        // It stands for 1.995 s, from 2.305 s on.
        case .pauseAndResume: (4_695_000, 5_195_000, 4_595_000)
        case .seek: (2_450_000, 2_950_000, 2_350_000)
        case .replay: (2_400_000, 3_900_000, 3_300_000)
        }
      return [(.beat, beat), (.bar, bar), (QuantisedSearchTests.drop, drop)]
    }
  }

  @Test(arguments: Planned.allCases)
  func whatIsPlannedBeforeABeatIsSeen(planned: Planned) throws {
    for (word, expected) in planned.expected {
      for ask in Self.requests(for: word, atUs: 2_250_000) {
        var fixture = try Self.playing()
        try planned.ask(&fixture.engine)
        guard let expected else {
          let refused = #expect(throws: RPCError.self) { try ask(&fixture.engine) }
          #expect(refused?.data.kind == "unavailable", "\(planned) \(word): \(refused.map { "\($0)" } ?? "")")
          continue
        }
        #expect(try ask(&fixture.engine) == expected, "\(planned) \(word)")
      }
    }
  }

  private static func requests(
    for word: Quantise, atUs: Int64
  ) -> [(inout Engine) throws -> Int64] {
    [
      { try $0.fireCue(CueFire.Params(cue: "go", atUs: atUs, quantise: word), by: me).scheduledUs },
      { try $0.playMusic(MusicPlay.Params(track: "other", atUs: atUs, quantise: word), by: me).scheduledUs },
      {
        try $0.setParameter(ParameterSet.Params(parameter: "dark", value: 1, atUs: atUs, quantise: word), by: me)
          .scheduledUs
      },
    ]
  }

  /// What is carried out ahead and not heard yet is planned as well.
  @Test func whatTheMixerIsToldAlreadyIsSeen() throws {
    var fixture = try Self.playing()
    try Planned.seek.ask(&fixture.engine)
    _ = fixture.run(to: 2_280_000)
    #expect(fixture.engine.music.waiting.isEmpty)
    for ask in Self.requests(for: .beat, atUs: 2_290_000) {
      var fixture = fixture
      #expect(try ask(&fixture.engine) == 2_450_000)
    }
  }

  /// What is promised is heard: the same beat is told then.
  @Test(arguments: [Planned.pauseAndResume, .seek, .replay])
  func whatIsPromisedIsHeard(planned: Planned) throws {
    var fixture = try Self.playing()
    fixture.engine.tellsBeats = true
    try planned.ask(&fixture.engine)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "go", atUs: 2_250_000, quantise: .beat), by: Self.me)
    var lines: [String] = []
    while fixture.output.now.microseconds < 5_000_000 {
      lines += fixture.run(to: fixture.output.now.microseconds + 10_000).lines
      fixture.engine.followBeats()
    }
    let beats = lines.filter { $0.contains("\"music.beat\"") }
    #expect(beats.contains { $0.contains("\"tUs\":\(fired.scheduledUs)") }, "\(fired.scheduledUs): \(beats)")
  }

  /// Why there is none is told of where the music will be then.
  @Test func aPauseThatIsPlannedIsToldAsTheReason() throws {
    var fixture = try Self.playing()
    try Planned.pause.ask(&fixture.engine)
    let refused = #expect(throws: RPCError.self) {
      try fixture.engine.fireCue(CueFire.Params(cue: "go", atUs: 2_250_000, quantise: .beat), by: Self.me)
    }
    #expect(refused?.message == "there is nothing to wait for: game:main is paused")
    #expect(refused?.data.hint?.contains("music.resume") == true)
  }

  @Test func aTrackThatIsPlannedIsWaitedFor() throws {
    var fixture = try EngineFixture(cues: #""go": {"steps": [{"sound": "click"}]}"#)
    _ = try fixture.engine.playMusic(
      MusicPlay.Params(track: "main", atUs: 3_000_000, positionUs: 100_000), by: Self.me)
    let fired = try fixture.engine.fireCue(CueFire.Params(cue: "go", quantise: .beat), by: Self.me)
    #expect(fired.scheduledUs == 3_400_000)
  }
}
