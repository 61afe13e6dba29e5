// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing
import Wire

@testable import Engine

/// Who plays is judged by how late they tap, and nothing else moves.
@Suite struct JudgingProfileTests {
  private func refusal(_ fixture: inout EngineFixture, _ params: SettingsSet.Params) -> String? {
    do throws(RPCError) {
      _ = try fixture.engine.changeSettings(params, by: .daemon)
      return nil
    } catch { return error.data.kind }
  }

  @Test func anOffsetIsOfTheProfileInForce() throws {
    var fixture = try EngineFixture()
    #expect(fixture.engine.currentSettings == Settings(profile: "player"))
    _ = try fixture.engine.changeSettings(SettingsSet.Params(judgingOffsetUs: 12_000), by: .daemon)
    let television = SettingsSet.Params(profile: "television", judgingOffsetUs: 83_000)
    let told = try fixture.engine.changeSettings(television, by: .daemon)
    let both = [
      JudgingProfile(profile: "player", judgingOffsetUs: 12_000),
      JudgingProfile(profile: "television", judgingOffsetUs: 83_000),
    ]
    #expect(told == Settings(profile: "television", judgingOffsetUs: 83_000, profiles: both))
    let back = try fixture.engine.changeSettings(SettingsSet.Params(profile: "player"), by: .daemon)
    #expect(back == Settings(profile: "player", judgingOffsetUs: 12_000, profiles: both))
    // What is told is what sets it, from one run to the next.
    var other = try EngineFixture()
    let kept = SettingsSet.Params(
      profile: back.profile, judgingOffsetUs: back.judgingOffsetUs, profiles: back.profiles)
    #expect(try other.engine.changeSettings(kept, by: .daemon) == back)
    let forgotten = try fixture.engine.changeSettings(SettingsSet.Params(judgingOffsetUs: 0), by: .daemon)
    #expect(forgotten == Settings(profile: "player", profiles: [both[1]]))
  }

  @Test func sixteenProfilesAreKeptAndNoneGivesWay() throws {
    var fixture = try EngineFixture()
    for number in 1...16 {
      _ = try fixture.engine.changeSettings(
        SettingsSet.Params(profile: "p\(number)", judgingOffsetUs: 1_000), by: .daemon)
    }
    let before = fixture.engine.currentSettings
    #expect(before.profiles.count == 16)
    #expect(refusal(&fixture, SettingsSet.Params(profile: "p17", judgingOffsetUs: 1_000)) == "invalidParams")
    #expect(fixture.engine.currentSettings == before)
    // One that needs no offset needs no room.
    #expect(refusal(&fixture, SettingsSet.Params(profile: "p17")) == nil)
    #expect(refusal(&fixture, SettingsSet.Params(profile: "")) == "invalidParams")
    let many = (0..<17).map { JudgingProfile(profile: "p\($0)", judgingOffsetUs: 0) }
    #expect(refusal(&fixture, SettingsSet.Params(profiles: many)) == "invalidParams")
    let far = [JudgingProfile(profile: "p1", judgingOffsetUs: 500_001)]
    #expect(refusal(&fixture, SettingsSet.Params(profiles: far)) == "invalidParams")
    #expect(refusal(&fixture, SettingsSet.Params(judgingOffsetUs: -500_001)) == "invalidParams")
  }

  /// The beat at 1 s of a chapter, tapped 83 ms after it is heard.
  @Test func aChapterIsJudgedByTheProfileItBeganWith() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.changeSettings(SettingsSet.Params(judgingOffsetUs: 83_000), by: .daemon)
    let started = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap"), by: .daemon)
    #expect(started.judgingOffsetUs == 83_000 && fixture.engine.chapterStatus().judgingOffsetUs == 83_000)
    // Set while it runs: of the next.
    _ = try fixture.engine.changeSettings(SettingsSet.Params(judgingOffsetUs: 7_000), by: .daemon)
    #expect(fixture.engine.chapterStatus().judgingOffsetUs == 83_000)
    _ = fixture.run(to: started.startUs + 1_100_000)
    let tapped = try fixture.engine.tap(
      RhythmTap.Params(atUs: started.startUs + 1_083_000), arrival: fixture.output.now)
    #expect(tapped.verdict == .hit && tapped.errorUs == 0)
    let again = try fixture.engine.restartedChapter()
    #expect(again.judgingOffsetUs == 83_000)
  }

  @Test func aClientMayBringItsOwn() throws {
    var fixture = try EngineFixture()
    _ = try fixture.engine.changeSettings(SettingsSet.Params(judgingOffsetUs: 83_000), by: .daemon)
    let plain = try fixture.engine.startChapter(
      RhythmStart.Params(chapter: "tap", judgingOffsetUs: 0), by: .daemon)
    #expect(plain.judgingOffsetUs == 0)
    _ = fixture.run(to: plain.startUs + 1_100_000)
    let tapped = try fixture.engine.tap(RhythmTap.Params(atUs: plain.startUs + 1_083_000), arrival: fixture.output.now)
    #expect(tapped.verdict == .hit && tapped.errorUs == 83_000)
    _ = try fixture.engine.stopChapter(by: .daemon)
    #expect(throws: RPCError.self) {
      try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap", judgingOffsetUs: 500_001), by: .daemon)
    }
  }

  @Test func whatIsHeardAndToldIsAlike() throws {
    let told = try [0, 251_000].map { (offset: Int64) -> [String] in
      var fixture = try EngineFixture()
      let started = try fixture.engine.startChapter(
        RhythmStart.Params(chapter: "tap", judgingOffsetUs: offset), by: .daemon)
      let actions = fixture.run(to: started.startUs + 1_050_000)
      let starts = actions.audio.compactMap { step -> String? in
        if case .start(let start) = step { "music at \(start.at)" } else { nil }
      }
      return starts + actions.lines.filter { $0.contains("rhythm.spawn") || $0.contains("rhythm.beat") }
    }
    #expect(told[0] == told[1] && told[0].contains { $0.contains("rhythm.beat") })
  }
}
