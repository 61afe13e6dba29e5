// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Wire

/// Words over music, alone at the end of a run: what the music should be turned down to and when, from what was asked for.
///
/// The music is the pack's sine, whose peak shows in every whole period; the words are panned to the right, so that the left
/// holds nothing but the music.
struct DuckingScene {
  /// The rule of the pack.
  private static let depth: Float = 0.5
  private static let attackUs: Int64 = 20_000
  private static let holdUs: Int64 = 100_000
  private static let releaseUs: Int64 = 200_000
  /// What instants may be off by: the ramp of a switch, the limiter, a period of the sine.
  private static let slackUs: Int64 = 40_000
  private static let periodUs: Int64 = 10_000

  /// When the music alone is to be heard, and nothing but what is listed here happens.
  private(set) var span: Range<Int64> = 0..<0
  private(set) var words: [Range<Int64>] = []
  private var samples: [Float] = []

  /// A scene that begins at `start`.
  mutating func begin(at start: Int64) { span = start..<start }

  mutating func add(_ word: Range<Int64>) { words.append(word) }

  mutating func end(at end: Int64) { span = span.lowerBound..<end }

  /// Takes what was recorded at an instant on the left.
  mutating func hear(_ sample: Float, at us: Int64) { if span.contains(us) { samples.append(sample) } }

  /// What the music's peak should be in the period that begins at `us`; nil where it is on its way.
  private func expected(at us: Int64) -> Float? {
    let period = us..<us + Self.periodUs
    let isDown = words.contains { word in
      period.lowerBound >= word.lowerBound + Self.attackUs + Self.slackUs
        && period.upperBound <= word.upperBound + Self.holdUs - Self.slackUs
    }
    if isDown { return SimulatedPack.musicAmplitude * Self.depth }
    let isUp = words.allSatisfy { word in
      period.upperBound <= word.lowerBound - Self.slackUs
        || period.lowerBound >= word.upperBound + Self.holdUs + Self.releaseUs + Self.slackUs
    }
    return isUp ? SimulatedPack.musicAmplitude : nil
  }

  /// Throws where the music was louder or softer than it should be.
  func check() throws {
    var checked = (down: 0, up: 0)
    for (index, place) in stride(from: 0, to: samples.count - 479, by: 480).enumerated() {
      let us = span.lowerBound + Int64(index) * Self.periodUs
      guard let wanted = expected(at: us) else { continue }
      let peak = samples[place..<place + 480].reduce(0) { max($0, abs($1)) }
      try ensure(abs(peak - wanted) < 0.01, "the music's peak is \(peak) at \(us), not \(wanted); words: \(words)")
      if wanted < SimulatedPack.musicAmplitude { checked.down += 1 } else { checked.up += 1 }
    }
    try ensure(checked.down > 20 && checked.up > 20, "the ducking of \(words) was not heard: \(checked)")
  }
}

extension Simulation {
  /// Plays words over music: one after another or over each other, loops that are stopped, some while the switch is off.
  mutating func duck() throws {
    try ask(0, "music.play", #"{"track":"main"}"#)
    try settle()
    try step(700_000)
    try settle()
    ducking.begin(at: checks.nowUs)
    for _ in 0..<3 + random.next(below: 4) {
      switch random.next(below: 6) {
      case 0: try duckUnheard()
      case 1: try duckSkipped()
      case 2: try duckSwitchedOff()
      default: try duckHeard()
      }
    }
    if ducking.words.isEmpty { try duckHeard() }
    try step(untilAllIsOver + 900_000)
    try settle()
    ducking.end(at: checks.nowUs)
    try ask(0, "music.stop", #"{"fadeUs":0}"#)
    try settle()
    try step(200_000)
    try settle()
  }

  /// How long the last of the words goes on.
  private var untilAllIsOver: Int64 { max(0, (ducking.words.map(\.upperBound).max() ?? 0) - checks.nowUs) }

  /// A word while the switch is off, after all others.
  private mutating func duckUnheard() throws {
    try step(untilAllIsOver)
    try ask(0, "settings.set", #"{"sound":false}"#)
    try settle()
    // The switch takes its time to come down.
    try step(50_000)
    try ask(0, "sound.play", #"{"sound":"word","pan":1}"#)
    try settle()
    try step(500_000)
    try ask(0, "settings.set", #"{"sound":true}"#)
    try settle()
  }

  /// A word whose instant comes while the switch is off, which comes on in the middle of what it would have been.
  private mutating func duckSkipped() throws {
    try step(untilAllIsOver)
    try settle()
    let start = checks.nowUs + random.integer(50_000...300_000)
    try ask(0, "sound.play", "{\"sound\":\"word\",\"pan\":1,\"atUs\":\(start)}")
    try settle()
    if random.oneIn(2) { try step(random.integer(1...(start - checks.nowUs - 30_000))) }
    try ask(0, "settings.set", #"{"sound":false}"#)
    try settle()
    try step(start + 100_000 - checks.nowUs)
    try ask(0, "settings.set", #"{"sound":true}"#)
    try settle()
    try step(500_000)
    try settle()
  }

  /// A loop that the switch ends, and a word that comes all the same, because the switch is on again by its instant.
  private mutating func duckSwitchedOff() throws {
    try step(untilAllIsOver)
    try settle()
    let start = checks.nowUs + 100_000
    try ask(0, "sound.play", "{\"sound\":\"word\",\"pan\":1,\"loop\":true,\"atUs\":\(start)}")
    try settle()
    try step(500_000)
    try settle()
    let again = checks.nowUs + 80_000
    try ask(0, "sound.play", "{\"sound\":\"word\",\"pan\":1,\"atUs\":\(again)}")
    try ask(0, "settings.set", #"{"sound":false}"#)
    try settle()
    ducking.add(start..<checks.nowUs + 50_000)
    try step(random.integer(1...40_000))
    try ask(0, "settings.set", #"{"sound":true}"#)
    try settle()
    ducking.add(again..<again + 400_000)
  }

  /// A word, and what time passes before the next.
  private mutating func duckHeard() throws {
    let start = checks.nowUs + random.integer(50_000...400_000)
    let loops = random.oneIn(3)
    let pitch = random.pick([0.5, 1, 1.25])
    try ask(0, "sound.play", "{\"sound\":\"word\",\"pan\":1,\"pitch\":\(pitch),\"loop\":\(loops),\"atUs\":\(start)}")
    try settle()
    var end = start + Int64(400_000 / pitch)
    if loops {
      end = start + random.integer(100_000...2_000_000)
      let fade = random.integer(0...600_000)
      var sent = SimulatedClient.Sent(id: takeID(), method: "sound.stop", atUs: end, fadeUs: fade)
      let sound = ledger.recentSounds.last ?? 0
      sent.stoppedSound = sound
      let params = "{\"id\":\(sound),\"atUs\":\(end),\"fadeUs\":\(fade)}"
      clients[0].send(
        Array("{\"id\":\(sent.id),\"method\":\"sound.stop\",\"params\":\(params)}".utf8), sent)
      end += fade
    }
    ducking.add(start..<end)
    try step(random.integer(50_000...1_200_000))
    try settle()
  }
}
