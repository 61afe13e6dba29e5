// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// Whether a loop was cut by its client's leaving hangs on instants: neither on the rate of the engine, nor on how far the device
/// drifts while the loop is kept.
@Suite struct DriftingLeaveTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1_000)
  private let other = Cause(client: ClientID(rawValue: 2), user: 1_000)

  private struct Drifting {
    var fixture: EngineFixture
    let rate: Int
    /// How much more slowly than its rate the device plays.
    let drift: Double

    init(rate: Int, drift: Double) throws {
      fixture = try EngineFixture(cues: #""ring": {"steps": [{"sound": "click", "loop": true}]}"#)
      (self.rate, self.drift) = (rate, drift)
      var configuration = Engine.Configuration()
      configuration.rate = rate
      fixture.engine = Engine(
        catalog: fixture.engine.catalog, configuration: configuration,
        turn: turn(at: 1_000_000, measured: 1_000_000))
    }

    /// Until `measured` the device was taken to play at its rate, and has not from the beginning.
    private func turn(at us: Int64, measured: Int64) -> Turn {
      let began = Instant(microseconds: 1_000_000)
      let now = Instant(microseconds: us)
      let length = 1e9 / Double(rate) * (us >= measured ? 1 + drift : 1)
      let timeline = AudioTimeline(frame: 0, instant: began, nanosecondsPerFrame: length, errorBound: .zero)
      return Turn(
        now: now, timeline: timeline, reachableFrame: timeline.frame(at: now) + Int64(rate / 100), hapticLead: .zero)
    }

    mutating func run(to us: Int64, measured: Int64 = 5_000_000) -> [String] {
      var lines: [String] = []
      while fixture.engine.turn.now.microseconds < us {
        fixture.engine.turn = turn(at: min(fixture.engine.turn.now.microseconds + 10_000, us), measured: measured)
        fixture.engine.advance()
        lines += fixture.engine.takeActions().lines
      }
      return lines.filter { $0.contains("cue.cancelled") }
    }
  }

  @Test(arguments: [8_000, 44_100, 48_000, 96_000, 192_000], [-0.000_5, 0, 0.000_5])
  func aLoopThatItsClientsLeavingEndsIsToldCutHoweverFarTheDeviceDrifts(rate: Int, drift: Double) throws {
    var stage = try Drifting(rate: rate, drift: drift)
    _ = try stage.fixture.engine.fireCue(
      CueFire.Params(cue: "ring", atUs: 2_000_000, keepAfterDisconnectUs: 20_000_000), by: me)
    _ = stage.run(to: 2_500_000)
    stage.fixture.engine.clientLeft(me.client)
    #expect(stage.run(to: 23_000_000).count == 1)
  }

  /// Of a stop that is asked for so much before the loop's end by its client's leaving that is told, and no cut.
  @Test(arguments: [8_000, 44_100, 48_000, 96_000, 192_000], [(-10, 0), (-900, 0), (10, 1), (5_000, 1)])
  func aStopBeforeThatIsNoCut(rate: Int, stop: (us: Int64, cuts: Int)) throws {
    var stage = try Drifting(rate: rate, drift: 0)
    let fired = try stage.fixture.engine.fireCue(
      CueFire.Params(cue: "ring", atUs: 2_000_000, keepAfterDisconnectUs: 2_000_000), by: me)
    _ = stage.run(to: 2_500_000)
    stage.fixture.engine.clientLeft(me.client)
    let id = try #require(fired.id)
    let voice = try #require(stage.fixture.engine.sounds.voices(of: PlanID(rawValue: id)).first)
    _ = try stage.fixture.engine.stopSound(
      SoundStop.Params(id: Int64(voice.rawValue), atUs: 4_500_000 + stop.us, fadeUs: 5_000), by: other)
    #expect(stage.run(to: 6_000_000).count == stop.cuts)
  }
}
