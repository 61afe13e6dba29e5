// SPDX-License-Identifier: Apache-2.0

import Engine
import FoundationEssentials
import Host
import SeededNumbers
import Testing
import Timing
import Wire

/// Control that is not let run in the middle of its work: what the mixer has gone on to meanwhile is not what was meant.
/// What is told of the music in the end is what is heard of it.
@Suite struct LateMusicTests {
  /// A frame of `main` tells how far into 0.3 s it is, one of `finale` the same below zero: both last whole numbers of that.
  private static let turn = 14_400

  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {"main": {"file": "main.wav"}, "finale": {"file": "finale.wav"}},
     "cues": {"hush": {"steps": [{"music": {"gain": 0.5, "fade": 0.005}}]}}}
    """

  private func rig() throws -> HostRig {
    try HostRig(manifest: Self.manifest, files: [], records: true) { directory in
      for (name, sign) in [("main", 1), ("finale", -1)] {
        let wave = HostRig.wave(seconds: 3) { Int16(sign * (1 + $0 % Self.turn)) }
        try Data(wave).write(to: URL(filePath: "\(directory)/\(name).wav"))
      }
    }
  }

  /// What is told to be heard at an instant.
  private struct Told {
    var frame: Int
    var music: MusicStatus.Result
    var gain: Double
  }

  private func status(_ rig: HostRig, gain: Double = 1) -> Told {
    Told(frame: Int((rig.host.now.microseconds - 1_000_000) * 6 / 125), music: rig.host.status().music, gain: gain)
  }

  /// What of a status is not what is heard; nil where all is.
  private func fault(_ told: Told, _ heard: [Float]) -> String? {
    guard told.frame < heard.count else { return "nothing was put out" }
    let sample = Double(heard[told.frame]) * 32_768
    guard told.music.state == .playing, let position = told.music.positionUs else {
      return sample == 0 ? nil : "\(told.music.state) is \(sample)"
    }
    let sign = told.music.track == "game:main" ? 1.0 : -1.0
    let frame = Double((Int(position) * 6 + 62) / 125 % Self.turn)
    let off = abs(sample * sign / told.gain - 1 - frame)
    // Positions are told in whole microseconds.
    return min(off, Double(Self.turn) - off) < 2 ? nil : "\(position) us of \(told.music.track ?? "") is \(sample)"
  }

  private func late(_ rig: HostRig, by lateUs: Int64, _ ask: () -> Void) {
    rig.host.handsOverLate = .always(by: .microseconds(lateUs))
    ask()
    rig.host.handsOverLate = nil
  }

  /// Nobody is there any more to be told that it was too late.
  @Test func aGainOfAClientThatLeavesTooLateForTheMixerIsNone() throws {
    let rig = try rig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 500_000)
    let fired = rig.ask("cue.fire", #"{"cue":"hush","atUs":\#(rig.host.now.microseconds + 60_000)}"#, client: 2)
    #expect(fired.contains(#""result""#), "\(fired)")
    late(rig, by: 80_000) { rig.host.clientLeft(ClientID(rawValue: 2)) }
    rig.step(microseconds: 300_000)
    let told = status(rig)
    #expect(told.music.state == .playing)
    rig.step(microseconds: 1_000)
    let heard = try rig.heard()
    #expect(fault(told, heard) == nil)
  }

  @Test(arguments: ["pause", "resume"]) func whatComesLateIsInPlaceOnceItPlays(verb: String) throws {
    let rig = try rig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 500_000)
    late(rig, by: verb == "pause" ? 30_000 : 0) { _ = rig.ask("music.pause") }
    rig.step(microseconds: 400_000)
    late(rig, by: verb == "resume" ? 30_000 : 0) { _ = rig.ask("music.resume") }
    rig.step(microseconds: 300_000)
    let told = status(rig)
    rig.step(microseconds: 1_000)
    #expect(try fault(told, rig.heard()) == nil)
  }

  /// Verbs that change each other's plans, most of them told late; in between all comes to rest.
  @Test(arguments: 1...24 as ClosedRange<UInt64>) func whatIsToldInTheEndIsWhatIsHeard(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let rig = try rig()
    var rests: [Told] = []
    for _ in 0..<6 {
      // What went silent begins anew, and one gain is as good as another.
      for verb in ["music.resume", "music.gain"] { _ = rig.ask(verb, verb == "music.gain" ? #"{"gain":1}"# : "{}") }
      if rig.host.status().music.state != .playing {
        _ = rig.ask("music.play", #"{"track":"main","crossfadeUs":20000}"#)
      }
      rig.step(microseconds: random.integer(200_000...400_000))
      var plans: [String] = []
      for _ in 0..<random.integer(2...6) {
        if random.oneIn(2) {
          rig.host.handsOverLate = LateHandover(
            by: .microseconds(random.integer(1_000...70_000)), times: 1 + Int(random.next(below: 4)))
        }
        let at = rig.host.now.microseconds + random.integer(0...60_000)
        let fade = random.pick([5_000, 12_000, 30_000])
        let answer =
          switch random.integer(0...7) {
          case 0: rig.ask("music.pause", #"{"atUs":\#(at),"fadeUs":\#(fade)}"#)
          case 1: rig.ask("music.resume", #"{"atUs":\#(at),"fadeUs":\#(fade)}"#)
          case 2: rig.ask("music.seek", #"{"atUs":\#(at),"positionUs":1000000,"crossfadeUs":\#(fade)}"#)
          case 3: rig.ask("music.play", #"{"atUs":\#(at),"track":"finale","crossfadeUs":\#(fade)}"#)
          case 4: rig.ask("music.play", #"{"atUs":\#(at),"track":"main","from":"continue","crossfadeUs":\#(fade)}"#)
          case 5: rig.ask("music.gain", #"{"atUs":\#(at),"gain":0.5,"fadeUs":\#(fade)}"#)
          default: plans.isEmpty ? "" : rig.ask("music.cancel", #"{"plan":\#(plans.remove(at: 0))}"#)
          }
        rig.host.handsOverLate = nil
        if let plan = answer.split(separator: #""plan":"#).dropFirst().last?.prefix(while: { $0.isNumber }) {
          plans.append(String(plan))
        }
        if random.oneIn(3) { rig.step(microseconds: random.integer(1_000...20_000)) }
      }
      rig.step(microseconds: 600_000)
      // Of which gain it came to the last is asked for.
      _ = rig.ask("music.gain", #"{"gain":0.25}"#)
      rig.step(microseconds: 100_000)
      rests.append(status(rig, gain: 0.25))
    }
    rig.step(microseconds: 1_000)
    let heard = try rig.heard()
    let faults = rests.compactMap { fault($0, heard) }
    #expect(faults.isEmpty, "\(faults)")
    #expect(rests.contains { $0.music.state == .playing })
  }
}
