// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// What a line about music costs while all that a user may plan is planned, counted in verbs that are thought through.
@Suite struct MusicForecastTests {
  private static let asking = Cause(client: ClientID(rawValue: 3), user: 8)

  /// A track plays, and two clients of a user have planned all they may, 30 ms apart, from 3 s on.
  private static func full() throws -> EngineFixture { try planned(Int64(Shares.ofAUser)) }

  private static func planned(_ count: Int64) throws -> EngineFixture {
    var fixture = try EngineFixture()
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main"), by: Self.asking)
    _ = fixture.run(to: 1_100_000)
    for index in 0..<count {
      let by = Cause(client: ClientID(rawValue: 1 + UInt64(index % 2)), user: 7)
      let at = 3_000_000 + index * 30_000
      if index % 4 == 0 {
        let track = index % 8 == 4 ? "main" : "other"
        _ = try fixture.engine.playMusic(
          MusicPlay.Params(track: track, from: .continue, atUs: at, crossfadeUs: 60_000_000, loop: true), by: by)
      } else if index % 4 == 1 {
        _ = try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 1_000, atUs: at, crossfadeUs: 1_000_000), by: by)
      } else {
        _ = try fixture.engine.changeMusicGain(MusicGain.Params(gain: 0.5, atUs: at), by: by)
      }
    }
    #expect(fixture.engine.music.count == count)
    return fixture
  }

  @Test func statusListsTheFirstOfWhatIsPlannedAndHowMuchThereIs() throws {
    let status = try Self.full().engine.musicStatus()
    #expect(status.plannedCount == 2_048)
    #expect(status.planned.map(\.atUs) == (0..<32 as Range<Int64>).map { 3_000_000 + $0 * 30_000 })
  }

  @Test func aLineThinksThroughAFewVerbsHoweverManyArePlanned() throws {
    var fixture = try Self.full()
    let farthest: Int64 = 100_000_000
    for line in 0..<64 as Range<Int64> {
      let before = fixture.engine.music.forecast.steps
      switch line % 4 {
      case 0:
        _ = try fixture.engine.seekMusic(
          MusicSeek.Params(positionUs: 1_000, atUs: farthest + line * 100_000), by: Self.asking)
      case 1:
        _ = try fixture.engine.changeMusicGain(
          MusicGain.Params(gain: 1, atUs: farthest + line * 100_000), by: Self.asking)
      case 2:
        _ = try fixture.engine.playMusic(
          MusicPlay.Params(track: "main", from: .continue, atUs: farthest + line * 100_000, quantise: .beat),
          by: Self.asking)
      default: _ = try fixture.engine.resumeMusic(FadeParams(atUs: farthest + line * 100_000), by: Self.asking)
      }
      #expect(fixture.engine.music.forecast.steps - before <= 3 * MusicForecast.stride)
      _ = fixture.run(to: fixture.output.now.microseconds + 10_000)
    }
  }

  /// The clock's measure changes with each period; that alone makes nobody think anew.
  @Test func aClockThatIsMeasuredAnewChangesNoForecast() throws {
    var fixture = try Self.full()
    _ = fixture.engine.predictedMusic(at: Instant(microseconds: 90_000_000))
    fixture.engine.turn.timeline.nanosecondsPerFrame *= 1 + 1e-7
    let before = fixture.engine.music.forecast.steps
    _ = fixture.engine.predictedMusic(at: Instant(microseconds: 90_000_000))
    #expect(fixture.engine.music.forecast.steps - before <= MusicForecast.stride)
    // By a frame and more it does.
    fixture.engine.turn.timeline.nanosecondsPerFrame *= 1 + 1e-4
    _ = fixture.engine.predictedMusic(at: Instant(microseconds: 90_000_000))
    #expect(fixture.engine.music.forecast.steps - before > 2_000)
  }

  /// What is kept is what a fold of everything comes to, whatever is put in between or called off.
  @Test func whatIsKeptIsWhatAllComesTo() throws {
    var fixture = try Self.planned(200)
    let places = (0..<5).map { Instant(microseconds: 3_000_000 + $0 * 1_701_000) }
    for (index, change) in (1...24 as ClosedRange<Int64>).enumerated() {
      let at = 2_000_000 + change * 1_717_171 % 7_000_000
      switch index % 3 {
      case 0: _ = try fixture.engine.pauseMusic(FadeParams(atUs: at), by: Self.asking)
      case 1: _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other", atUs: at), by: Self.asking)
      default:
        let plan = fixture.engine.musicStatus().planned[Int(change)].plan
        try fixture.engine.cancelMusic(PlanID(rawValue: plan), .cancelled, by: .daemon)
      }
      _ = fixture.run(to: fixture.output.now.microseconds + 50_000)
      for place in places {
        let kept = fixture.engine.predictedMusic(at: place)
        var fresh = fixture.engine
        fresh.music.forgetForecast()
        let anew = fresh.predictedMusic(at: place)
        #expect(kept.player.current?.track == anew.player.current?.track)
        #expect(kept.player.position(at: kept.frame) == anew.player.position(at: anew.frame))
        #expect(kept.player.tails.map(\.track) == anew.player.tails.map(\.track))
      }
    }
  }
}
