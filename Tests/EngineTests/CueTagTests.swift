// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// A client's own tag for a firing: it is stopped, and followed by another, before its answer is there.
@Suite struct CueTagTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1)
  private let other = Cause(client: ClientID(rawValue: 2), user: 1)

  private static let cues = """
    "charge": {"steps": [{"pattern": "thud", "loop": true}]},
    "snap": {"steps": [{"sound": "click"}]},
    "touch": {"steps": [{"transient": {"intensity": 1, "sharpness": 1}}]},
    "rare": {"cooldown": 0.5, "steps": [{"sound": "click"}]}
    """

  private func fixture() throws -> EngineFixture { try EngineFixture(cues: Self.cues) }

  private func kind(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? RPCError)?.data.kind
    }
  }

  @Test func theTagComesBackInTheReplyAndInAllThatIsToldOfTheFiring() throws {
    var fixture = try fixture()
    let fired = try fixture.engine.fireCue(.init(cue: "snap", atUs: 2_000_000, tag: "a"), by: me)
    #expect(fired.tag == "a")
    let later = try fixture.engine.fireCue(.init(cue: "snap", atUs: 3_000_000, tag: "b"), by: me)
    _ = try fixture.engine.stopCue(.init(tag: "b"), by: me)
    let told = fixture.run(to: 4_000_000).lines
    #expect(told.contains { $0.contains("cue.fired") && $0.contains(#""tag":"a""#) })
    #expect(told.contains { $0.contains("cue.cancelled") && $0.contains(#""tag":"b""#) })
    #expect(later.tag == "b" && !told.contains { $0.contains("cue.fired") && $0.contains(#""tag":"b""#) })
    // Without one there is none.
    #expect(try fixture.engine.fireCue(.init(cue: "snap"), by: me).tag == nil)
  }

  @Test func aFiringIsStoppedByItsTagAndTheLatestOfOneTagCounts() throws {
    var fixture = try fixture()
    let first = try fixture.engine.fireCue(.init(cue: "snap", atUs: 2_000_000, tag: "a"), by: me)
    _ = try fixture.engine.fireCue(.init(cue: "snap", atUs: 2_500_000, tag: "a"), by: me)
    #expect(try fixture.engine.stopCue(.init(tag: "a"), by: me).calledOff == ["sound game:click"])
    let told = fixture.run(to: 4_000_000)
    #expect(told.soundStarts.count == 1)
    let number = try #require(first.id)
    #expect(told.lines.contains { $0.contains("cue.fired") && $0.contains("\"id\":\(number),") })
    // The latest was stopped: the one before does not come to be it again.
    #expect(kind { _ = try fixture.engine.stopCue(.init(tag: "a"), by: me) } == "notRunning")
  }

  @Test func whatIsOverIsFoundByItsTagAsLongAsByItsNumber() throws {
    var fixture = try fixture()
    _ = try fixture.engine.fireCue(.init(cue: "touch", tag: "over"), by: me)
    _ = fixture.run(to: 3_000_000)
    #expect(try fixture.engine.stopCue(.init(tag: "over"), by: me).tooLate == ["transient"])
    for index in 0..<FinishedCues.mostOfAClient {
      _ = try fixture.engine.fireCue(.init(cue: "touch", tag: "\(index)"), by: me)
      _ = fixture.run(to: 4_000_000 + Int64(index) * 1_000_000)
    }
    #expect(kind { _ = try fixture.engine.stopCue(.init(tag: "over"), by: me) } == "notRunning")
  }

  @Test func tagsAreOfEachClientAndEndWithIt() throws {
    var fixture = try fixture()
    _ = try fixture.engine.fireCue(
      .init(cue: "snap", atUs: 3_000_000, tag: "a", keepAfterDisconnectUs: 10_000_000), by: me)
    #expect(kind { _ = try fixture.engine.stopCue(.init(tag: "a"), by: other) } == "notRunning")
    #expect(kind { _ = try fixture.engine.fireCue(.init(cue: "snap", after: "a"), by: other) } == "notRunning")
    fixture.engine.clientLeft(me.client)
    #expect(kind { _ = try fixture.engine.stopCue(.init(tag: "a"), by: me) } == "notRunning")
  }

  @Test func oneBehindAnotherKeepsItsDistanceFromTheFirstTouch() throws {
    var fixture = try fixture()
    // A pad that wants to be told 30 ms ahead.
    fixture.output.hapticLead = .milliseconds(30)
    let charge = try fixture.engine.fireCue(.init(cue: "charge", tag: "charge"), by: me)
    let felt = try #require(charge.hapticAtUs)
    let snap = try fixture.engine.fireCue(
      .init(cue: "snap", tag: "snap", after: "charge", afterUs: 3_000_000), by: me)
    #expect(felt > 1_000_000 && snap.scheduledUs == felt + 3_000_000 && snap.lateUs == 0)
    _ = fixture.run(to: 2_000_000)
    _ = try fixture.engine.stopCue(.init(tag: "snap"), by: me)
    #expect(fixture.run(to: 5_000_000).soundStarts.isEmpty)
  }

  @Test func oneBehindWhatIsOnlyHeardIsCountedFromItsZeroAlsoWhenThatIsOver() throws {
    var fixture = try fixture()
    let first = try fixture.engine.fireCue(.init(cue: "snap", tag: "first"), by: me)
    let second = try fixture.engine.fireCue(.init(cue: "snap", after: "first", afterUs: 500_000), by: me)
    #expect(second.scheduledUs == first.scheduledUs + 500_000)
    _ = fixture.run(to: 3_000_000)
    let third = try fixture.engine.fireCue(.init(cue: "snap", after: "first", afterUs: 5_000_000), by: me)
    #expect(third.scheduledUs == first.scheduledUs + 5_000_000)
    let late = try fixture.engine.fireCue(.init(cue: "snap", after: "first"), by: me)
    #expect(late.lateUs == late.scheduledUs - first.scheduledUs && late.lateUs > 0)
  }

  @Test func whatIsSuppressedTakesNoTagOver() throws {
    var fixture = try fixture()
    let first = try fixture.engine.fireCue(.init(cue: "rare", tag: "a"), by: me)
    #expect(try fixture.engine.fireCue(.init(cue: "rare", tag: "a"), by: me).suppressed)
    let behind = try fixture.engine.fireCue(.init(cue: "snap", after: "a", afterUs: 1_000_000), by: me)
    #expect(behind.scheduledUs == first.scheduledUs + 1_000_000)
  }

  @Test(arguments: [
    CueFire.Params(cue: "snap", atUs: 2_000_000, after: "a"), CueFire.Params(cue: "snap", afterUs: 1),
    CueFire.Params(cue: "snap", after: "a", afterUs: -1),
    CueFire.Params(cue: "snap", after: "a", afterUs: 3_600_000_001),
  ])
  func anInstantAndAnotherFiringExcludeEachOther(params: CueFire.Params) throws {
    var fixture = try fixture()
    _ = try fixture.engine.fireCue(.init(cue: "snap", tag: "a"), by: me)
    #expect(kind { _ = try fixture.engine.fireCue(params, by: me) } == "invalidParams")
  }

  @Test func aStopNamesOneFiring() throws {
    var fixture = try fixture()
    var both = CueStop.Params(id: 1)
    both.tag = "a"
    #expect(kind { _ = try fixture.engine.stopCue(both, by: me) } == "invalidParams")
    both.id = nil
    both.tag = nil
    #expect(kind { _ = try fixture.engine.stopCue(both, by: me) } == "invalidParams")
  }
}
