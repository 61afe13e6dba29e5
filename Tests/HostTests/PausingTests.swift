// SPDX-License-Identifier: Apache-2.0

import Engine
import Host
import Testing
import Timing
import Wire

/// Who holds the engine, and what that makes of time.
@Suite struct PausingTests {
  @Test func anInstantThatIsRefusedIsToldWithWhatCanBeDone() throws {
    let rig = try HostRig()
    _ = rig.ask("engine.pause", client: 2)
    let at = rig.host.now.microseconds + 5_000_000
    let refused = rig.ask("music.play", #"{"track":"main","atUs":\#(at)}"#)
    #expect(refused.contains("the engine is paused, and nobody knows when atUs \(at) will be"))
    #expect(refused.contains("leave atUs out, and it waits until all goes on; engine.status counts who pauses it"))
    #expect(rig.ask("music.play", #"{"track":"main"}"#).contains("scheduledUs"))
  }

  private func resumed(_ rig: HostRig) -> [Int64] {
    rig.host.takeNotifications().compactMap { told in told.goesOnByUs }
  }

  @Test func beforeASleepItStandsAndAfterItWaitsForWhoWelcomesBack() throws {
    let rig = try HostRig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 200_000)
    let silent = rig.host.prepareForSleep()
    #expect(silent > rig.host.now && silent - rig.host.now < .milliseconds(50))
    #expect(rig.host.status().paused == PauseState(atUs: silent.microseconds, clients: 0, sleep: true))
    // Nobody welcomes back before it has slept.
    #expect(rig.ask("engine.resume").contains("notRunning"))
    rig.step(microseconds: 5_000_000)
    rig.host.wokeUp(isListening: true)
    rig.step(microseconds: 2_000_000)
    #expect(rig.host.status().paused?.sleep == true && resumed(rig).isEmpty)
    let answer = rig.ask("engine.resume", client: 7)
    #expect(answer.contains("movedUs") && !answer.contains("paused\":{"), "\(answer)")
    #expect(rig.host.status().paused == nil && resumed(rig).count == 1)
    rig.step(microseconds: 500_000)
    #expect(rig.host.status().music.state == .playing)
  }

  @Test func whereNobodyListensItGoesOnAtOnce() throws {
    let rig = try HostRig()
    _ = rig.host.prepareForSleep()
    rig.step(microseconds: 1_000_000)
    rig.host.wokeUp(isListening: false)
    #expect(rig.host.status().paused == nil && resumed(rig).count == 1)
  }

  @Test func whoListenedAndLeftIsNotWaitedFor() throws {
    let rig = try HostRig()
    _ = rig.host.prepareForSleep()
    rig.host.endSleep()
    #expect(rig.host.status().paused != nil, "it sleeps still")
    rig.host.wokeUp(isListening: true)
    rig.host.endSleep()
    #expect(rig.host.status().paused == nil)
  }

  @Test func aClientThatPausedBeforeTheSleepIsStillAskedAfterIt() throws {
    let rig = try HostRig()
    _ = rig.ask("engine.pause", client: 3)
    _ = rig.host.prepareForSleep()
    rig.host.wokeUp(isListening: false)
    #expect(rig.host.status().paused?.clients == 1 && rig.host.status().paused?.sleep == false)
    rig.host.clientLeft(ClientID(rawValue: 3))
    #expect(rig.host.status().paused == nil)
  }

  @Test func theMusicIsToldAsPausedWhileItStandsNotFromTheAnswerOn() throws {
    let rig = try HostRig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 100_000)
    func instant(_ name: String, of answer: String) throws -> Int64 {
      try #require(Regex(#""\#(name)":(\d+)"#).firstMatch(in: answer)?[1].substring.flatMap { Int64($0) }, "\(answer)")
    }
    func isPaused() -> Bool {
      let status = rig.ask("music.status")
      #expect(status.contains(#""state":"paused""#) == status.contains(#""pausedBy":["engine"]"#), "\(status)")
      return status.contains(#""state":"paused""#)
    }
    func step(to us: Int64) { rig.step(microseconds: us - rig.host.now.microseconds) }
    let stands = try instant("atUs", of: rig.ask("engine.pause"))
    #expect(stands > rig.host.now.microseconds && !isPaused())
    step(to: stands - 1)
    #expect(!isPaused())
    step(to: stands)
    #expect(isPaused())
    rig.step(microseconds: 1_000_000)
    let goesOn = try instant("resumedUs", of: rig.ask("engine.resume"))
    #expect(goesOn > rig.host.now.microseconds && isPaused())
    step(to: goesOn - 1)
    #expect(isPaused())
    step(to: goesOn)
    #expect(!isPaused())
  }

  @Test(arguments: [44_100, 48_000, 96_000]) func aPauseIsAWholeNumberOfFramesAndOfMicroseconds(_ rate: Int) throws {
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.rate = rate
    let rig = try HostRig(configuration)
    for length in [0, 1, 999_999, 12_345_678] as [Int64] {
      rig.step(microseconds: 50_001)
      _ = rig.ask("engine.pause")
      if length > 0 { rig.step(microseconds: length) }
      let answer = rig.ask("engine.resume")
      let moved = try #require(answer.firstMatch(of: #/"movedUs":(\d+)/#).flatMap { Int64($0.1) }, "\(answer)")
      #expect(moved * Int64(rate) % 1_000_000 == 0)
    }
  }

  /// The mixer, which has not come to the first of them, fades out for each.
  @Test func onesAtOneInstantFollowEachOtherByAFade() throws {
    let rig = try HostRig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 100_000)
    var stands: [Int64] = []
    for _ in 0..<3 {
      let answer = rig.ask("engine.pause")
      stands.append(try #require(answer.firstMatch(of: #/"atUs":(\d+)/#).flatMap { Int64($0.1) }, "\(answer)"))
      #expect(rig.ask("engine.resume").contains("\"movedUs\":0"))
    }
    #expect(zip(stands, stands.dropFirst()).allSatisfy { $1 - $0 == 5_000 }, "\(stands)")
  }

  /// What is called off by the hundred is told a few at a time, while it stands as ever, and for the instants that all has when
  /// it is told.
  @Test func whatIsToldAFewAtATimeGoesOnBeingToldAndMoves() throws {
    func play(for us: Int64) throws -> (moved: Int64, told: [Int64], whilePaused: Int) {
      let rig = try HostRig()
      _ = rig.ask("music.play", #"{"track":"main"}"#)
      rig.step(microseconds: 100_000)
      let far = rig.host.now.microseconds + 1_000_000_000
      for index in 0..<150 { _ = rig.ask("music.gain", #"{"gain":1,"atUs":\#(far + Int64(index) * 40_000)}"#) }
      _ = rig.ask("engine.pause")
      rig.step(microseconds: 200_000)
      _ = rig.host.takeNotifications()
      _ = rig.ask("music.stop")
      if us > 0 { rig.step(microseconds: us) }
      func planned() -> [Int64] {
        rig.host.takeNotifications().compactMap { told in
          String(decoding: told.line(seq: 1), as: UTF8.self).firstMatch(of: #/"plannedUs":(\d+)/#).flatMap {
            Int64($0.1)
          }.map { $0 - far }
        }
      }
      var told = planned()
      let whilePaused = told.count
      let answer = rig.ask("engine.resume")
      rig.step(microseconds: 100_000)
      told += planned()
      return (
        try #require(answer.firstMatch(of: #/"movedUs":(\d+)/#).flatMap { Int64($0.1) }, "\(answer)"), told, whilePaused
      )
    }
    let slow = try play(for: 50_000)
    #expect(slow.whilePaused == 150 && slow.told == (0..<150 as Range<Int64>).map { $0 * 40_000 })
    let quick = try play(for: 0)
    #expect(quick.whilePaused == 8)
    #expect(quick.told == (0..<150 as Range<Int64>).map { $0 * 40_000 + ($0 < 8 ? 0 : quick.moved) })
  }

  @Test func anInstantBeyondTheHourIsNamedAsItWasAskedFor() throws {
    let rig = try HostRig()
    _ = rig.ask("engine.pause")
    rig.step(microseconds: 1_234_567)
    _ = rig.ask("engine.resume")
    rig.step(microseconds: 100_000)
    let far = rig.host.now.microseconds + 4_000_000_000
    #expect(rig.ask("music.play", #"{"track":"main","atUs":\#(far)}"#).contains("\(far)"))
    for extreme in [Int64.min, .max] {
      #expect(rig.ask("sound.play", #"{"sound":"sfx_click","atUs":\#(extreme)}"#).contains("\"id\":1"))
    }
  }
}
