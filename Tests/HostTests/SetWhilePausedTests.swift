// SPDX-License-Identifier: Apache-2.0

import Engine
import SeededNumbers
import Testing
import Timing
import Wire

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

  /// A stretch in which the engine stood, by frames of the recording.
  private struct Stood {
    /// Where all sounds as loud as it can.
    var before: Int
    var from: Int
    var until: Int
    /// How loud it is then, by what was set last.
    var gain: Float
  }

  /// Whenever it comes to stand and goes on, and whenever in between volumes and the music's switch are set, and how often.
  @Test func sixMillisecondsBehindAPauseAllIsAsLoudAsItWasSetLast() throws {
    try search(upTo: 6) { random in
      let rig = try HostRig(files: ["main", "finale", "sfx_click"], seconds: 1, records: true)
      let beganUs = rig.host.now.microseconds
      // How far the mixer is ahead of what is heard.
      _ = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":\#(random.pick([0, 2_000, 30_000]))}"#)
      func frame(_ us: Int64) -> Int { Int((us - beganUs) * 48 / 1_000) }
      let isMusic = random.oneIn(2)
      if isMusic {
        _ = rig.ask("music.play", #"{"track":"main","loop":true,"crossfadeUs":0}"#)
      } else {
        _ = rig.ask("sound.play", #"{"sound":"sfx_click","loop":true}"#)
      }
      rig.step(microseconds: random.integer(90_000...120_000))
      var stood: [Stood] = []
      for _ in 0..<2 {
        _ = rig.ask("settings.set", #"{"masterVolume":1,"soundVolume":1,"musicVolume":1,"music":true}"#)
        rig.step(microseconds: random.integer(60_000...80_000))
        let before = frame(rig.host.now.microseconds) - 48
        let paused = try HostRig.result(rig.ask("engine.pause"), PauseState.self)
        let gain = set(rig, isMusic: isMusic, using: &random)
        rig.step(microseconds: random.integer(0...60_000))
        let resumed = try HostRig.result(rig.ask("engine.resume"), EngineResume.Result.self)
        guard let resumedUs = resumed.resumedUs else { throw Unmet("it does not go on: \(resumed)") }
        rig.step(microseconds: resumedUs + 30_000 - rig.host.now.microseconds)
        stood.append(Stood(before: before, from: frame(paused.atUs), until: frame(resumedUs), gain: gain))
      }
      let heard = try rig.heard()
      for stood in stood { try check(heard, stood) }
    }
  }

  /// Sets some of what there is, also before the engine stands and the mixer has come to that; the gain that this comes to.
  private func set(_ rig: HostRig, isMusic: Bool, using random: inout SeededRandom) -> Float {
    var volumes: [Double] = [1, 1]
    var isOn = true
    for _ in 0..<random.integer(1...3) {
      rig.step(microseconds: random.oneIn(2) ? random.integer(0...3_000) : random.integer(0...60_000))
      switch random.next(below: 3) {
      case 0:
        volumes[0] = random.pick([0, 0, 0.5, 1])
        _ = rig.ask("settings.set", #"{"masterVolume":\#(volumes[0])}"#)
      case 1:
        volumes[1] = random.pick([0, 0, 0.5, 1])
        _ = rig.ask("settings.set", #"{"\#(isMusic ? "music" : "sound")Volume":\#(volumes[1])}"#)
      default:
        isOn = random.oneIn(2)
        _ = rig.ask("settings.set", #"{"music":\#(isOn)}"#)
      }
    }
    // Of a slider its cube is heard.
    return isMusic && !isOn ? 0 : Float(volumes.map { $0 * $0 * $0 }.reduce(1, *))
  }

  private func check(_ heard: [Float], _ stood: Stood) throws {
    let loud = heard[stood.before]
    try hold(loud > 0.1, "\(loud) is heard before the engine stands")
    let sounding = (stood.from + 1..<max(stood.from + 1, stood.until)).first { heard[$0] != 0 }
    try hold(sounding == nil, "frame \(sounding ?? 0) of \(stood) is \(heard[sounding ?? 0])")
    // Six milliseconds, and a frame that lies between two microseconds.
    let wrong = (stood.until + 289..<stood.until + 1_400).first { abs(heard[$0] - loud * stood.gain) > 1e-5 }
    try hold(wrong == nil, "frame \(wrong ?? 0) of \(stood) is \(heard[wrong ?? 0]) of \(loud)")
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
