// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SeededNumbers
import Testing
import Wire

@testable import Host

/// What `cue.stop` answers of random cues among what others ask, by docs/protocol.md: each step that was not told as skipped is in
/// one of the lists, and what is told of the music says the same.
@Suite struct CueListsTests {
  @Test func eachStepIsInOneList() throws {
    try search(upTo: 12) { random in
      let cues = (0..<6).map { _ in CueSteps(using: &random) }
      let stage = try CueStage(cues)
      for _ in 0..<10 { try stage.play(random.next(below: cues.count), using: &random) }
    }
  }
}

/// The steps of a cue that is drawn, as its pack has them and as `cue.stop` names them.
struct CueSteps {
  private(set) var json: [String] = []
  private(set) var names: [String] = []

  init(using random: inout SeededRandom) {
    var (sounds, tracks) = (["a", "b", "c"], ["x", "y", "z"])
    for _ in 0..<random.integer(1...7) {
      let at = random.pick([0, 0, 0.001, 0.02, 0.05, 0.08, 0.1, 0.15, 0.3])
      let fade = random.pick([0, 0.05])
      switch random.next(below: 15) {
      case 0...1 where !sounds.isEmpty:
        let sound = sounds.remove(at: random.next(below: sounds.count))
        add(at, #""sound": "\#(sound)", "loop": \#(random.oneIn(2))"#, "sound game:\(sound)")
      case 2...3: add(at, #""pattern": "hum", "loop": \#(random.oneIn(2))"#, "pattern game:hum")
      case 4: add(at, #""transient": {"intensity": 1, "sharpness": 1}"#, "transient")
      case 5: add(at, #""parameter": "par", "value": \#(random.pick([0, 0.5, 1])), "over": 0.02"#, "parameter game:par")
      case 6: add(at, #""stop": {"sounds": true}"#, "stop of sounds")
      case 7: add(at, #""stop": {"haptics": true}"#, "stop of haptics")
      case 8...9 where !tracks.isEmpty:
        let track = tracks.remove(at: random.next(below: tracks.count))
        add(at, #""music": {"play": "\#(track)", "crossfade": \#(fade)}"#, "music.play game:\(track)")
      case 10...12: add(at, #""music": {"gain": \#(random.pick([0.5, 1])), "fade": \#(fade)}"#, "music.gain")
      default: add(at, #""music": {"stop": true, "fade": \#(fade)}"#, "music.stop")
      }
    }
  }

  private mutating func add(_ at: Double, _ step: String, _ name: String) {
    json.append(#"{"at": \#(at), \#(step)}"#)
    names.append(name)
  }
}

/// A host that fires cues for one client, while another asks for this and that.
private final class CueStage {
  private let cues: [CueSteps]
  private let rig: HostRig
  private var told: [ServerMessage] = []

  private static let hum = #"""
    {"Pattern": [{"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": 0.2,
      "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.8}]}}]}
    """#

  init(_ cues: [CueSteps]) throws {
    self.cues = cues
    let all = cues.indices.map { #""q\#($0)": {"steps": [\#(cues[$0].json.joined(separator: ", "))]}"# }
    let manifest = """
      {"name": "game", "title": "Game", "version": "1",
       "tracks": {"w": {"file": "main.wav"}, "x": {"file": "main.wav"}, "y": {"file": "sfx_short.wav", "loop": false},
                  "z": {"file": "main.wav", "loop": false}},
       "sounds": {"a": {"file": "sfx_short.wav"}, "b": {"file": "word.wav"}, "c": {"file": "sfx_short.wav"}},
       "patterns": {"hum": {"file": "hum.ahap"}},
       "parameters": {"par": {"targets": [{"bus": "sound", "gain": {"power": 1, "from": 0.5}}]}},
       "cues": {\(all.joined(separator: ",\n"))}}
      """
    rig = try HostRig(
      manifest: manifest, files: ["main", "sfx_short", "word"], seconds: 0.5,
      change: { try Data(Self.hum.utf8).write(to: URL(filePath: $0 + "/hum.ahap")) })
    try hold(rig.host.problems.isEmpty, "\(rig.host.problems)")
    rig.host.topics = Set(Topic.allCases)
  }

  private func pass(_ us: Int64) {
    if us > 0 { rig.step(microseconds: us) }
    told += rig.host.takeNotifications().compactMap { ServerMessage(line: $0.line(seq: 1)) }
  }

  /// What was told by that name.
  private func told<Told: WireNotification>(_ type: Told.Type) -> [Told] {
    told.compactMap { message in
      guard case .notification(Told.name, _, _, let params) = message else { return nil }
      return try? decodeJSON(Told.self, from: params)
    }
  }

  private func result<Method: WireMethod>(
    of method: Method.Type, _ params: String, client: UInt64
  ) throws -> Method.Result? where Method.Result: Decodable {
    let reply = rig.ask(Method.name, params, client: client)
    return reply.contains(#""error""#) ? nil : try HostRig.result(reply, Method.Result.self)
  }

  /// Fires a cue and stops it, with something else before or between.
  func play(_ number: Int, using random: inout SeededRandom) throws {
    told = []
    if !random.oneIn(3) { _ = rig.ask("music.play", #"{"track":"w","crossfadeUs":0}"#, client: 2) }
    pass(30_000)
    let leadUs = random.pick([0, 0, 50_000, 200_000]) as Int64
    let at = leadUs == 0 ? "" : #","atUs":\#(rig.host.now.microseconds + leadUs)"#
    let keepUs = random.pick([0, 100_000])
    guard
      let fired = try result(
        of: CueFire.self, #"{"cue":"q\#(number)","keepAfterDisconnectUs":\#(keepUs)\#(at)}"#, client: 1),
      let id = fired.id
    else { throw Unmet("cue \(number) was refused") }
    let behind = random.oneIn(3) ? random.pick([0, 1, 20_000, 50_000, 100_000]) : random.integer(0...450_000)
    let stopAt = random.oneIn(4) ? random.integer(0...leadUs) : leadUs + behind
    let others = (0..<random.next(below: 3)).map { _ in random.integer(0...stopAt) }.sorted()
    let hasLeft = random.oneIn(4)
    var passed: Int64 = 0
    for other in others {
      pass(other - passed)
      passed = other
      interfere(using: &random)
    }
    pass(stopAt - passed)
    if hasLeft {
      rig.host.clientLeft(.init(rawValue: 1))
      pass(random.integer(0...200_000))
    }
    let stopped = try result(of: CueStop.self, #"{"id":\#(id)}"#, client: 2)
    pass(0)
    if let stopped { try check(stopped, of: number, fired, hasLeft) }
    for method in ["music.stop", "sound.stop", "haptics.stop"] { _ = rig.ask(method, client: 2) }
    _ = rig.ask("settings.set", #"{"sound":true,"haptics":true,"music":true}"#, client: 2)
    pass(700_000)
    if let stopped { try checkMusic(stopped) }
  }

  private func interfere(using random: inout SeededRandom) {
    switch random.next(below: 9) {
    case 0: _ = rig.ask("music.stop", client: 2)
    case 1: _ = rig.ask("music.stop", #"{"atUs":\#(rig.host.now.microseconds + 60_000)}"#, client: 2)
    case 2: _ = rig.ask("music.play", #"{"track":"w"}"#, client: 2)
    case 3: _ = rig.ask("sound.stop", client: 2)
    case 4: _ = rig.ask("haptics.stop", client: 2)
    case 5: _ = rig.ask("settings.set", #"{"sound":\#(random.oneIn(2))}"#, client: 2)
    case 6: _ = rig.ask("settings.set", #"{"haptics":\#(random.oneIn(2))}"#, client: 2)
    case 7: _ = rig.ask("music.pause", client: 2)
    default: _ = rig.ask("music.resume", client: 2)
    }
  }

  private func check(_ stopped: CueStop.Result, of number: Int, _ fired: CueFire.Result, _ hasLeft: Bool) throws {
    let skipped = told(CueFired.self).last { $0.id == fired.id }?.skipped ?? fired.skipped
    let lists = (stopped.calledOff + stopped.stopped + stopped.tooLate + skipped.map(\.step)).sorted()
    try hold(
      lists == cues[number].names.sorted(),
      "\(cues[number].json) is \(stopped), skipped \(skipped.map(\.step)), its client \(hasLeft ? "gone" : "there")")
  }

  /// A track that is called off is never told to begin, and one that it is too late for is.
  private func checkMusic(_ stopped: CueStop.Result) throws {
    let begun = told(MusicChanged.self).filter { [.started, .crossfaded].contains($0.change) }.map(\.track)
    func tracks(_ list: [String]) -> [String] {
      list.filter { $0.hasPrefix("music.play ") }.map { String($0.dropFirst("music.play ".count)) }
    }
    try hold(tracks(stopped.calledOff).allSatisfy { !begun.contains($0) }, "\(stopped), and \(begun) began")
    try hold(tracks(stopped.tooLate).allSatisfy(begun.contains), "\(stopped), and \(begun) began")
  }
}
