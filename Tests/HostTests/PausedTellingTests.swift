// SPDX-License-Identifier: Apache-2.0

import Testing

/// What is told while the engine stands, and of which instants.
@Suite struct PausedTellingTests {
  private struct Told: Equatable {
    var tUs: Int64
    var line: String
  }

  private func number(_ name: String, of line: String) throws -> Int64 {
    let found = try Regex(#""\#(name)":(-?\d+)"#).firstMatch(in: line)?[1].substring.flatMap { Int64($0) }
    return try #require(found, "\(line)")
  }

  private func told(_ method: String, by rig: HostRig) throws -> [Told] {
    let lines = rig.host.takeNotifications().map { String(decoding: $0.line(seq: 1), as: UTF8.self) }
    return try lines.filter { $0.contains("\"\(method)\"") }.map { Told(tUs: try number("tUs", of: $0), line: $0) }
  }

  private func rig() throws -> HostRig {
    let rig = try HostRig()
    rig.step(microseconds: 500_000)
    #expect(rig.host.now.microseconds == 1_500_000)
    return rig
  }

  @Test func theLevelFallsAsTheEngineStandsAndIsToldAnewAsItGoesOn() throws {
    let rig = try rig()
    _ = rig.ask("haptics.continuous", #"{"durationUs":3000000,"intensity":0.5,"sharpness":0.5}"#)
    rig.step(microseconds: 300_000)
    #expect(try told("haptics.level", by: rig).count == 1)
    let stands = try number("atUs", of: rig.ask("engine.pause"))
    rig.step(microseconds: 1_000_000)
    let silent = try told("haptics.level", by: rig)
    #expect(silent.map(\.tUs) == [stands])
    #expect(silent.first?.line.contains(#""intensity":0,"#) == true)
    let goesOn = try number("resumedUs", of: rig.ask("engine.resume"))
    rig.step(microseconds: 500_000)
    let anew = try told("haptics.level", by: rig)
    #expect(anew.map(\.tUs) == [goesOn])
    #expect(anew.first?.line.contains(#""intensity":0.5"#) == true)
  }

  @Test func whereNothingIsFeltNoLevelIsToldOfAPause() throws {
    let rig = try rig()
    _ = rig.ask("engine.pause")
    rig.step(microseconds: 1_000_000)
    _ = rig.ask("engine.resume")
    rig.step(microseconds: 500_000)
    #expect(try told("haptics.level", by: rig).isEmpty)
  }

  @Test func whatHappensInAPauseIsOfItsFirstInstant() throws {
    let rig = try rig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 300_000)
    let stands = try number("atUs", of: rig.ask("engine.pause"))
    rig.step(microseconds: 1_000_000)
    _ = rig.ask("settings.set", #"{"sound":false}"#)
    #expect(try told("settings.changed", by: rig).map(\.tUs) == [stands])
    #expect(try number("atUs", of: rig.ask("music.status")) == stands)
    #expect(try number("atUs", of: rig.ask("parameter.list")) == stands)
    // Answered to go on, it stands yet.
    let goesOn = try number("resumedUs", of: rig.ask("engine.resume"))
    _ = rig.ask("settings.set", #"{"sound":true}"#)
    #expect(try told("settings.changed", by: rig).map(\.tUs) == [goesOn])
    #expect(try number("atUs", of: rig.ask("music.status")) == goesOn)
  }

  /// The mixer has put out all of a sound up to a millisecond before its last is heard.
  @Test func aSoundWhoseLastIsHeardBehindAPauseIsToldBehindIt() throws {
    let rig = try HostRig()
    // 50 ms: its frames end 344 us behind the instant at which the engine will stand.
    _ = rig.ask("sound.play", #"{"sound":"sfx_click","atUs":1456334}"#)
    rig.step(microseconds: 500_000)
    #expect(try number("atUs", of: rig.ask("engine.pause")) == 1_505_990)
    rig.step(microseconds: 1_000_000)
    #expect(try told("sound.finished", by: rig).isEmpty)
    let moved = try number("movedUs", of: rig.ask("engine.resume"))
    rig.step(microseconds: 500_000)
    #expect(try told("sound.finished", by: rig).map(\.tUs) == [1_506_334 + moved])
  }

  @Test func aPauseDoesNotCountAsLateness() throws {
    let rig = try rig()
    let stands = try number("atUs", of: rig.ask("engine.pause"))
    rig.step(microseconds: 10_000_000)
    let goesOn = try number("resumedUs", of: rig.ask("engine.resume"))
    rig.step(microseconds: goesOn + 100_000 - rig.host.now.microseconds)
    for asked in [stands - 1, stands + 5_000_000] {
      let answer = rig.ask("sound.play", #"{"sound":"sfx_click","atUs":\#(asked)}"#)
      let late = try number("lateUs", of: answer)
      #expect(late == (try number("scheduledUs", of: answer)) - goesOn + 1)
    }
  }
}
