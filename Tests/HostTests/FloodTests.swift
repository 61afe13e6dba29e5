// SPDX-License-Identifier: Apache-2.0

import Engine
import FoundationEssentials
import Host
import Testing
import Timing
import Wire

/// A stepped host, asked for more than it can do.
@Suite struct FloodTests {
  @Test func aFloodOfSoundsIsThinnedOutAndEveryOneOfThemEnds() throws {
    let rig = try HostRig()
    var accepted = 0
    for _ in 0..<3_000 {
      let answer = rig.ask("sound.play", #"{"sound":"sfx_click"}"#)
      if answer.contains("scheduledUs") { accepted += 1 } else { #expect(answer.contains("busy")) }
    }
    // Its own and its part of what all share.
    #expect(accepted == 4 + 170)
    rig.step(microseconds: 1_000_000)
    let told = rig.host.takeNotifications().filter { $0.topic == .sound }
    #expect(told.count == accepted)
    #expect(rig.host.status().audio.activeVoices == 0)
  }

  /// As many ways as there are to take the mixer's room or its voices: ahead, at once, and by changes.
  @Test(arguments: [#","atUs":DUE"#, "", #","loop":true"#])
  func aFloodTakesNoSoundFromWhoPlaysFew(_ more: String) throws {
    let rig = try HostRig()
    var few: [String] = []
    for _ in 0..<4 {
      let due = rig.host.now.microseconds + 90_000
      for flooder in [1, 3] as [UInt64] {
        for _ in 0..<900 {
          let params = #"{"sound":"sfx_click"\#(more)}"#.replacing("DUE", with: "\(due)")
          _ = rig.ask("sound.play", params, client: flooder)
        }
      }
      few.append(rig.ask("sound.play", #"{"sound":"sfx_click","gain":0.01}"#, client: 2))
      rig.step(microseconds: 3_000)
    }
    rig.step(microseconds: 500_000)
    try expectHeardToTheirEnds(few, rig)
    #expect(rig.host.status().problems.isEmpty, "\(rig.host.status().problems)")
  }

  /// Each of these was granted, and ended once, by itself.
  private func expectHeardToTheirEnds(_ answers: [String], _ rig: HostRig) throws {
    #expect(answers.allSatisfy { $0.contains("scheduledUs") }, "\(answers)")
    let told = rig.host.takeNotifications().map { String(decoding: $0.line(seq: 1), as: UTF8.self) }
    for answer in answers {
      let id = try #require(answer.firstMatch(of: /"id":(\d+),"lateUs"/)?.1)
      let ends = told.filter { $0.contains("sound.finished") && $0.contains("\"id\":\(id),") }
      #expect(ends.count == 1 && ends.allSatisfy { $0.contains("\"ended\"") }, "\(ends)")
    }
  }

  /// Sounds, loops, stops and the music at once: what each client has to itself is granted, and heard to its end.
  @Test(arguments: [8, 47] as [UInt64]) func aCrowdTakesNothingFromWhoAsksForLittle(crowd: UInt64) throws {
    let rig = try HostRig()
    _ = rig.ask("music.play", #"{"track":"main"}"#, client: 60, user: 1)
    rig.step(microseconds: 300_000)
    var few: [String] = []
    for _ in 0..<4 {
      let now = rig.host.now.microseconds
      for flooder in 1...crowd {
        for number in 0..<24 {
          let at = now + 95_000 - 200 * Int64(number)
          let loops = number % 2 == 0
          _ = rig.ask("sound.play", #"{"sound":"sfx_click","loop":\#(loops)}"#, client: flooder, user: 1)
          _ = rig.ask("music.gain", #"{"gain":0.5,"atUs":\#(at)}"#, client: flooder, user: 1)
        }
        // Longer than all of this.
        _ = rig.ask("sound.stop", #"{"fadeUs":30000000,"atUs":\#(now + 90_000)}"#, client: flooder, user: 1)
      }
      for (client, user) in [(61, 1), (62, 2)] as [(UInt64, UInt32)] {
        few.append(rig.ask("sound.play", #"{"sound":"sfx_click","gain":0.01}"#, client: client, user: user))
        #expect(rig.ask("music.gain", #"{"gain":0.5}"#, client: client, user: user).contains("scheduledUs"))
      }
      rig.step(microseconds: 70_000)
    }
    #expect(rig.ask("sound.stop", client: 61, user: 1).contains("scheduledUs"))
    rig.step(microseconds: 500_000)
    try expectHeardToTheirEnds(few, rig)
    #expect(rig.host.status().problems.isEmpty, "\(rig.host.status().problems)")
    #expect(rig.host.status().music.state == .playing)
  }

  @Test func aFloodOfVolumesKeepsNoMusicFromBeginning() throws {
    let rig = try HostRig()
    for turn in 0..<400 { _ = rig.ask("settings.set", #"{"soundVolume":\#(turn % 2 == 0 ? 0.5 : 1)}"#) }
    #expect(rig.ask("music.play", #"{"track":"main"}"#).contains("scheduledUs"))
    rig.step(microseconds: 100_000)
    #expect(rig.host.status().music.state == .playing)
    #expect(rig.host.status().problems.isEmpty, "\(rig.host.status().problems)")
  }

  @Test func musicChangedAHundredTimesASecondGoesOnPlaying() throws {
    let rig = try HostRig()
    for turn in 0..<200 {
      let answer = rig.ask("music.play", #"{"track":"\#(turn % 2 == 0 ? "main" : "finale")"}"#)
      #expect(answer.contains("scheduledUs"))
      rig.step(microseconds: 10_000)
    }
    rig.step(microseconds: 2_000_000)
    let status = rig.host.status()
    #expect(status.music.state == .playing)
    #expect(status.music.track == "game:finale")
    #expect(status.music.fading.isEmpty)
    #expect(status.audio.activeVoices == 1)
    #expect(status.problems.isEmpty, "\(status.problems)")
  }

  /// More sounds than the mixer takes, from three clients, for 90 ms from now.
  private func flood(_ rig: HostRig) {
    let due = rig.host.now.microseconds + 90_000
    for client in 1...3 {
      for _ in 0..<600 { _ = rig.ask("sound.play", #"{"sound":"sfx_click","atUs":\#(due)}"#, client: UInt64(client)) }
    }
  }

  @Test func stopAndMuteGetThroughAFlood() throws {
    let rig = try HostRig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 500_000)
    flood(rig)
    #expect(rig.ask("settings.set", #"{"music":false,"sound":false}"#).contains("false"))
    #expect(rig.ask("music.stop").contains("scheduledUs"))
    rig.step(microseconds: 1_500_000)
    #expect(rig.host.status().audio.activeVoices == 0)
    #expect(rig.host.status().music.state == .stopped)
    // The music alone, at a quarter, was ever heard: the switch took hold before the flood's instant came.
    #expect(rig.host.status().audio.peak == 0.25)
  }

  @Test func musicGetsThroughAFlood() throws {
    let rig = try HostRig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 500_000)
    flood(rig)
    #expect(rig.ask("music.play", #"{"track":"finale"}"#).contains("scheduledUs"))
    rig.step(microseconds: 1_500_000)
    #expect(rig.host.status().music.state == .playing)
    #expect(rig.host.status().music.track == "game:finale")
  }

  @Test func aHundredPipelinedPlaysEndInMusic() throws {
    let rig = try HostRig()
    var lastAccepted = ""
    for turn in 0..<100 {
      let track = turn % 2 == 0 ? "main" : "finale"
      let answer = rig.ask("music.play", #"{"track":"\#(track)"}"#)
      if answer.contains("scheduledUs") { lastAccepted = track }
      #expect(answer.contains("scheduledUs") || answer.contains("busy"))
    }
    rig.step(microseconds: 1_000_000)
    let status = rig.host.status()
    #expect(status.music.state == .playing)
    #expect(status.music.track == "game:" + lastAccepted)
    #expect(status.audio.activeVoices == 1)
  }

  @Test func aPatternOfTinyLoopingTonesLeavesTheHostResponsive() throws {
    let rig = try HostRig()
    let pattern = #"{"Pattern":[{"Event":{"Time":0,"EventType":"AudioContinuous","EventDuration":1e-6}}]}"#
    for _ in 0..<10 { _ = rig.ask("haptics.play", #"{"ahap":\#(pattern),"loop":true,"rate":10}"#) }
    rig.step(microseconds: 500_000)
    #expect(rig.host.status().audio.activeVoices <= 64)
    _ = rig.ask("haptics.stop")
    rig.step(microseconds: 500_000)
    #expect(rig.host.status().audio.activeVoices == 0)
  }

  @Test func switchesFlippedWithoutPauseLeaveTheLastState() throws {
    let rig = try HostRig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    for turn in 0..<500 { _ = rig.ask("settings.set", #"{"music":\#(turn % 2 == 1),"haptics":\#(turn % 2 == 0)}"#) }
    rig.step(microseconds: 500_000)
    #expect(rig.host.status().settings == Settings(music: true, sound: true, haptics: false))
    #expect(rig.host.status().audio.peak > 0.2)
  }
}
