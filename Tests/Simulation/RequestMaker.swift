// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Wire

/// A request to be sent: most are good, many are at an edge, some are wrong.
struct Request {
  var method: String
  var params: String
  var sent: SimulatedClient.Sent

  func line(id: Int64) -> [UInt8] {
    Array("{\"id\":\(id),\"method\":\"\(method)\",\"params\":\(params)}".utf8)
  }
}

/// Draws requests of every method that could be sent now.
struct RequestMaker {
  /// What the requests may speak of.
  struct World {
    var nowUs: Int64
    var sounds: [Int64]
    var players: [Int64]
    /// Verbs of music that were planned.
    var plans: [Int64]
    /// Cues that were fired.
    var cues: [Int64]
    /// What there is to be played, and the number of the last run.
    var chapters: [SimulatedPack.Chapter]
    var run: Int64
    /// The chapter that runs: its beats' instants and lanes.
    var beats: [Int64]
    var lanes: [String]
    /// Nothing louder or rougher than what is known not to click.
    var isCalm: Bool
  }

  let world: World
  var fields: [String] = []
  var atUs: Int64?
  private var fadeUs: Int64?
  var named: String?
  var otherPlayer: Int64?

  /// One request of any method but `clock.step`, which is the simulation's own.
  static func any(_ world: World, _ random: inout SeededRandom) -> Request {
    make(random.pick(methods), world, &random)
  }

  /// One request of `method`.
  static func make(_ method: String, _ world: World, _ random: inout SeededRandom) -> Request {
    var maker = RequestMaker(world: world)
    var sent = SimulatedClient.Sent(id: 0, method: method)
    maker.fill(method, &sent, &random)
    if random.oneIn(60) { maker.fields.append("\"gian\":1") }
    if random.oneIn(60) {
      // One character for people, up to 24 000 bytes: beyond 128 it is refused with whatever stands around it.
      let marks = random.integer(1...random.pick([63, 63, 12_000]))
      maker.fields.append("\"a\(String(repeating: "\u{301}", count: Int(marks)))\":1")
      sent.isRefused = marks > 63
    }
    sent.otherPlayer = maker.otherPlayer
    sent.atUs = maker.atUs
    sent.fadeUs = maker.fadeUs
    sent.named = maker.named
    return Request(method: method, params: "{\(maker.fields.joined(separator: ","))}", sent: sent)
  }

  private init(world: World) { self.world = world }

  private static let methods =
    repeatElement(
      [
        "sound.play", "sound.play", "sound.set", "sound.stop", "music.play", "music.play", "music.stop", "music.pause",
        "music.resume", "music.seek", "music.gain", "music.cancel", "haptics.play", "haptics.play", "haptics.transient",
        "haptics.continuous", "haptics.stop", "haptics.pause", "haptics.resume", "haptics.seek", "haptics.set",
        "haptics.sendParameters", "haptics.scheduleCurve", "cue.fire", "cue.stop", "rhythm.start", "rhythm.tap",
        "rhythm.tap", "rhythm.pause", "rhythm.resume",
        "settings.set", "devices.set", "parameter.set", "parameter.set",
      ], count: 3
    ).joined() + [
      "rhythm.stop", "rhythm.status", "rhythm.restart", "rhythm.takeOver", "rhythm.bind", "rhythm.unbind",
      "settings.get",
      "parameter.list",
      "devices.list", "engine.status", "music.status", "pack.list",
      "trace.explain", "trace.explain", "trace.read", "engine.stats",
      "clock.now", "session.hello", "session.use", "session.use", "rpc.discover", "events.subscribe",
      "events.unsubscribe", "no.such",
    ]

  private mutating func fill(_ method: String, _ sent: inout SimulatedClient.Sent, _ random: inout SeededRandom) {
    switch method {
    case "sound.play":
      name(
        "sound", ["click", "click", "word", "game:click", "other:click"],
        ["lost", "clik", "", "x:click", "other:word"], &random)
      at(&random, farthest: 3_000_000_000)
      number("gain", 0...(world.isCalm ? 1 : 4), &random)
      number("pan", -1...1, &random)
      let before = fields.count
      number("pitch", 0.25...(world.isCalm ? 1.5 : 4), &random)
      let loops = random.oneIn(12)
      if loops { fields.append("\"loop\":true") }
      sent.endsByItself = fields.count == before
      microseconds("keepAfterDisconnectUs", 0...4_000_000, &random)
    case "sound.set":
      let id = world.sounds.isEmpty || random.oneIn(12) ? extreme(&random) : random.pick(world.sounds.suffix(8))
      fields.append("\"id\":\(id)")
      at(&random)
      number("gain", 0...(world.isCalm ? 1 : 4), &random)
      number("pan", -1...1, &random)
      let before = fields.count
      number("pitch", 0.25...(world.isCalm ? 1.5 : 4), &random)
      if fields.count > before { sent.retunedSound = id }
      microseconds("fadeUs", 0...500_000, &random)
    case "sound.stop":
      if !world.sounds.isEmpty, !random.oneIn(3) { sent.stoppedSound = random.pick(world.sounds.suffix(8)) }
      if random.oneIn(20) { sent.stoppedSound = extreme(&random) }
      if let sound = sent.stoppedSound { fields.append("\"id\":\(sound)") }
      at(&random)
      microseconds("fadeUs", 0...2_000_000, &random)
    case "music.play": fillMusic(&sent, &random)
    case "music.cancel":
      let plan = world.plans.isEmpty || random.oneIn(12) ? extreme(&random) : random.pick(world.plans.suffix(6))
      fields.append("\"plan\":\(plan)")
    case "music.stop", "music.pause", "music.resume":
      at(&random)
      microseconds("fadeUs", 0...2_000_000, &random)
    case "music.seek":
      fields.append("\"positionUs\":\(random.oneIn(12) ? extreme(&random) : random.integer(0...2_200_000))")
      at(&random)
      microseconds("crossfadeUs", 0...700_000, &random)
    case "music.gain":
      if random.oneIn(2) {
        number("gain", 0...(world.isCalm ? 1 : 4), &random)
      } else {
        number("gainDb", -120...(world.isCalm ? 0 : 12), &random)
      }
      if random.oneIn(3) { fields.append("\"stem\":\"\(random.oneIn(8) ? "none" : "bells")\"") }
      at(&random)
      microseconds("fadeUs", 0...2_000_000, &random)
    case "cue.fire":
      name(
        "cue", ["hit", "miss", "over", "broken", "hush", "burst", "burst", "press", "press", "other:hit", "game:over"],
        ["hitt", "none", ":hit"], &random)
      at(&random)
      quantise(&random)
      sent.isForNow = atUs == nil && !fields.contains { $0.hasPrefix("\"quantise\"") }
      if random.oneIn(3) {
        let align = random.pick(["together", "soundFirst", "asap"])
        fields.append("\"align\":\"\(align)\"")
        sent.isAsap = align == "asap"
        sent.waitsForSound = align == "soundFirst"
      } else {
        sent.waitsForSound = sent.isForNow
      }
      microseconds("keepAfterDisconnectUs", 0...4_000_000, &random)
    case "cue.stop":
      let cue = world.cues.isEmpty || random.oneIn(12) ? extreme(&random) : random.pick(world.cues.suffix(6))
      fields.append("\"id\":\(cue)")
      sent.stoppedCue = cue
      microseconds("fadeUs", 0...500_000, &random)
    case "parameter.set":
      name("parameter", ["low", "low", "dull", "game:dull", "touch", "other:low"], ["lo", "", "x:low"], &random)
      fields.append("\"value\":\(random.oneIn(20) ? "1.001" : "\(Double.random(in: 0...1, using: &random))")")
      at(&random)
      quantise(&random)
      microseconds("overUs", 0...700_000, &random)
    case "rhythm.start":
      name("chapter", ["open", "laned", "game:laned"], ["shut", "other:open"], &random)
      at(&random)
      if random.oneIn(4) { fields.append("\"unrecorded\":true") }
      fillRun(&sent, &random)
    case "rhythm.resume": count("countInBeats", 0...16, &random)
    case "rhythm.takeOver": microseconds("leaseUs", 0...3_000_000, &random)
    case "rhythm.tap": fillTap(&random)
    case "rhythm.bind": fields.append("\"control\":\"\(random.pick(["BTN_SOUTH", "ABS_X+", "nothing"]))\"")
    case "rhythm.unbind": if random.oneIn(2) { fields.append("\"binding\":\(extreme(&random))") }
    case "settings.set":
      for key in ["music", "sound", "haptics"] where random.oneIn(4) {
        fields.append("\"\(key)\":\(random.oneIn(3) ? false : true)")
      }
      for key in ["master", "music", "sound", "voice", "haptics"] { number(key + "Volume", 0...1, &random) }
    case "devices.set":
      fields.append("\"device\":\"\(random.pick(["none", "log", "pad"]))\"")
      fields.append("\"gain\":\(random.pick(["0", "0.5", "1", "2"]))")
    case "trace.explain": fillExplaining(&random)
    case "engine.stats": microseconds("overUs", 100_000...60_000_000, &random)
    case "trace.read":
      if random.oneIn(2) {
        fields.append("\"from\":\(random.oneIn(8) ? extreme(&random) : random.integer(0...20_000))")
      }
      if random.oneIn(2) { fields.append("\"sinceUs\":\(random.oneIn(8) ? extreme(&random) : world.nowUs)") }
    case "session.hello": if random.oneIn(2) { fields.append("\"protocol\":\(random.pick(["1", "2", "-1"]))") }
    case "session.use":
      if !random.oneIn(4) { name("pack", ["game", "other", "other"], ["gamed", "", "other:click"], &random) }
    case "events.subscribe", "events.unsubscribe":
      if random.oneIn(2) {
        fields.append("\"topics\":[\"\(random.pick(["sound", "music", "beats", "haptics", "rhythm", "weather"]))\"]")
      }
    default: fillHaptics(method, &sent, &random)
    }
  }

  /// The life of something that was asked for, or that never was.
  private mutating func fillExplaining(_ random: inout SeededRandom) {
    let (kind, ids) = random.pick([
      ("sound", world.sounds), ("cue", world.cues), ("haptics", world.players), ("music", world.plans), ("tap", [1]),
      ("beat", [0, 1]), ("musicBeat", [0, 1]), ("weather", []),
    ])
    if !random.oneIn(4) { fields.append("\"kind\":\"\(kind)\"") }
    guard random.oneIn(2) else { return }
    fields.append("\"id\":\(ids.isEmpty || random.oneIn(12) ? extreme(&random) : random.pick(ids.suffix(6)))")
  }

  mutating func count(_ key: String, _ range: ClosedRange<Int64>, _ random: inout SeededRandom) {
    guard random.oneIn(2) else { return }
    fields.append("\"\(key)\":\(random.oneIn(10) ? extreme(&random) : random.integer(range))")
  }

  /// As long as a name may be, and nobody's.
  private static let longestName = String(repeating: "q", count: 128)

  mutating func name(_ key: String, _ good: [String], _ bad: [String], _ random: inout SeededRandom) {
    let name = random.pick(random.oneIn(12) ? bad + [Self.longestName] : good)
    fields.append("\"\(key)\":\"\(name)\"")
    named = name
  }

  mutating func quantise(_ random: inout SeededRandom) {
    guard random.oneIn(6) else { return }
    fields.append("\"quantise\":\"\(random.pick(["beat", "bar", "drop", "half", "dropp"]))\"")
    // The grid decides.
    atUs = nil
  }

  /// Nothing, soon, later, past, or beyond all bounds. What cannot be called off again is within three seconds.
  mutating func at(_ random: inout SeededRandom, farthest: Int64 = 3_000_000) {
    let at: Int64
    switch random.next(below: 20) {
    case 0..<8: return
    case 8..<14: at = world.nowUs + random.integer(0...300_000)
    case 14..<17: at = world.nowUs + random.integer(0...3_000_000)
    case 17: at = world.nowUs + random.integer(0...farthest)
    case 18: at = world.nowUs - random.integer(0...5_000_000)
    default:
      let value = extreme(&random)
      // What is in bounds would stay planned beyond the end.
      at = value > world.nowUs && value < world.nowUs + 3_700_000_000 ? .max : value
    }
    fields.append("\"atUs\":\(at)")
    atUs = at
  }

  mutating func number(_ key: String, _ range: ClosedRange<Double>, _ random: inout SeededRandom) {
    guard random.oneIn(3) else { return }
    let text: String
    switch random.next(below: 12) {
    case 0: text = "\(range.lowerBound)"
    case 1: text = "\(range.upperBound)"
    case 2: text = random.pick(["-0.001", "1e308", "-1e308", "1e-320", "null", "\"1\"", "12345678901234567890"])
    default: text = "\(Double.random(in: range, using: &random))"
    }
    fields.append("\"\(key)\":\(text)")
  }

  mutating func microseconds(_ key: String, _ range: ClosedRange<Int64>, _ random: inout SeededRandom) {
    guard random.oneIn(3) else { return }
    let value = random.oneIn(10) ? extreme(&random) : random.integer(range)
    if key == "fadeUs" { fadeUs = value }
    fields.append("\"\(key)\":\(value)")
  }

  func extreme(_ random: inout SeededRandom) -> Int64 {
    random.pick(Self.extremes)
  }

  static let extremes: [Int64] = [
    .min, -9_223_372_036_854_775_807, -1_000_000, -1, 0, 1, 60_000_001, 9_223_372_036_854_775, 9_223_372_036_854_776,
    9_223_372_036_854_775_806, .max,
  ]
}
