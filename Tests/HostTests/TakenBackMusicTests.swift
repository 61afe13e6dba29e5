// SPDX-License-Identifier: Apache-2.0

import Engine
import Host
import Testing
import Timing
import Wire

/// Music that is planned, taken back and planned anew, down to the streams behind it.
@Suite struct TakenBackMusicTests {
  private func lines(_ rig: HostRig) -> [String] {
    rig.host.takeNotifications().map { String(decoding: $0.line(seq: 1), as: UTF8.self) }
  }

  /// Each of the verbs comes before seven tracks that are carried out already, and none is mixed in between.
  @Test(arguments: [1, 2, 8]) func everyTrackPlaysOrIsCalledOffHoweverOftenItIsTakenBack(verbs: Int) throws {
    let rig = try HostRig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 500_000)
    _ = lines(rig)
    let now = rig.host.now.microseconds
    for turn in 0..<7 {
      let at = now + 50_000 + Int64(turn) * 6_000
      let answer = rig.ask("music.play", #"{"track":"finale","atUs":\#(at),"crossfadeUs":5000}"#)
      #expect(answer.contains(#""plan""#))
    }
    for turn in 0..<verbs {
      #expect(
        rig.ask("music.gain", #"{"gain":0.5,"atUs":\#(now + 40_000 - Int64(turn) * 1_000)}"#).contains(#""plan""#))
    }
    rig.step(microseconds: 500_000)
    let told = lines(rig)
    let played = told.count { $0.contains(#""change":"crossfaded""#) }
    let calledOff = told.count { $0.contains(#""reason":"unavailable""#) }
    #expect(played == 7 && calledOff == 0, "\(played) played, \(calledOff) called off")
    #expect(rig.host.status().music.state == .playing)
    #expect(rig.host.status().audio.activeVoices == 1)
    _ = rig.ask("music.stop", #"{"fadeUs":5000}"#)
    rig.step(microseconds: 500_000)
    let left = rig.host.holdings.filter { $0.value != 0 }
    #expect(left.isEmpty, "\(left)")
  }

  @Test func aTrackTooShortToRepeatIsCalledOffAndWhatPlayedGoesOn() throws {
    let manifest = """
      {"name": "game", "title": "Game", "version": "1",
       "tracks": {"main": {"file": "main.wav"}, "tiny": {"file": "sfx_tiny.wav", "loop": false}}}
      """
    let rig = try HostRig(manifest: manifest, files: ["main", "sfx_tiny"])
    #expect(rig.ask("music.play", #"{"track":"main"}"#).contains(#""plan""#))
    rig.step(microseconds: 100_000)
    _ = lines(rig)
    #expect(rig.ask("music.play", #"{"track":"tiny","loop":true}"#).contains(#""kind":"unavailable""#))
    rig.step(microseconds: 100_000)
    let told = lines(rig)
    #expect(told.count { $0.contains(#""reason":"unavailable""#) } == 1)
    #expect(!told.contains { $0.contains(#""music.changed""#) })
    #expect(rig.host.status().problems.contains { $0.reason.contains("cannot be played") })
    #expect(rig.host.status().music.track == "game:main")
  }
}
