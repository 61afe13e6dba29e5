// SPDX-License-Identifier: Apache-2.0

import Engine
import Testing
import Timing

@testable import Host

/// What is set and asked for while the engine stands holds as all goes on.
@Suite struct SetWhilePausedTests {
  /// The mixer has looked a millisecond ahead, and a bus takes 5 ms to be silent, in which all comes up from silence.
  @Test func whoMutesInAPauseHearsSixMillisecondsOfWhatComesUp() throws {
    let rig = try HostRig(records: true)
    _ = rig.ask("sound.play", #"{"sound":"sfx_click","loop":true}"#)
    rig.step(microseconds: 200_000)
    _ = rig.ask("engine.pause")
    rig.step(microseconds: 500_000)
    _ = rig.ask("settings.set", #"{"masterVolume":0}"#)
    rig.step(microseconds: 500_000)
    _ = rig.ask("engine.resume")
    rig.step(microseconds: 200_000)
    let heard = try rig.heard()
    let sounding = heard.indices.filter { heard[$0] != 0 }
    let gap = try #require(zip(sounding, sounding.dropFirst()).first { $1 - $0 > 10_000 })
    let behind = heard[gap.1...].filter { $0 != 0 }
    #expect(behind.count <= 48 + 240, "\(behind.count) frames")
    let (loudest, before) = (behind.map(abs).max() ?? 0, heard[..<gap.0].map(abs).max() ?? 0)
    #expect(loudest < before * 0.37, "\(loudest) of \(before)")
  }

  @Test func whileItStandsAllIsReachedThatTheMixerHasNotLookedAhead() {
    var pausing = EnginePausing()
    #expect(pausing.reachable(9_000, mixed: 10, lookahead: 48) == 9_000)
    let second = Instant(nanoseconds: 1_000_000_000)
    let timeline = AudioTimeline(frame: 0, instant: second, nanosecondsPerFrame: 1e9 / 48_000, errorBound: .zero)
    let turn = Turn(now: second, timeline: timeline, reachableFrame: 512, hapticLead: .zero)
    let frame = pausing.stand(turn, rate: 48_000)
    #expect(pausing.reachable(frame + 300, mixed: frame - 100, lookahead: 48) == frame + 48)
    #expect(pausing.reachable(frame + 300, mixed: frame + 48, lookahead: 48) == frame + 48)
    #expect(pausing.reachable(frame + 20, mixed: frame - 100, lookahead: 48) == frame + 20)
    // It was told too late, and stands further on.
    #expect(pausing.reachable(frame + 300, mixed: frame + 49, lookahead: 48) == frame + 300)
    let stood = pausing.goOn(notBefore: frame + 48_000, timeline, rate: 48_000)
    #expect(stood ?? 0 >= 48_000)
    #expect(pausing.reachable(frame + 300, mixed: frame + 48, lookahead: 48) == frame + 300)
  }
}
