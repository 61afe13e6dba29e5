// SPDX-License-Identifier: Apache-2.0

import Engine
import FoundationEssentials
import SeededNumbers
import Testing
import Timing
import Wire

@testable import Host

/// Leads that are set at random while sounds, cues and music are planned: all that is recorded is in its place, but for the frames
/// that are told as lost, and what is told is as if none had been.
@Suite struct RandomLeadTests {
  private static let sounds = 12
  private static let fadeFrames = 240
  private static let originUs: Int64 = 1_000_000

  /// How long each sound is, and what of it is heard: no two places of it are alike for long.
  private static func length(_ sound: Int) -> Int { 480 + 1_201 * sound }
  private static func sample(_ sound: Int, _ frame: Int) -> Int16 {
    Int16((frame * (2 * sound + 3)) % 61 * 8 + frame / 97 % 16 * 4 + 8)
  }

  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1", "tracks": {"song": {"file": "song.wav"}},
     "sounds": {\((0..<sounds).map { "\"s\($0)\": {\"file\": \"s\($0).wav\"}" }.joined(separator: ", "))},
     "cues": {"two": {"steps": [{"sound": "s3"}, {"at": 0.15, "sound": "s2"}]}},
     "chapters": {"one": {"track": "song", "title": "One", "length": 1.5, "spawnLead": 0.2, "beats": [{"at": 0.5}, {"at": 1}]}}}
    """

  /// What is to be heard, by the instant it was told for.
  private struct Part: CustomStringConvertible {
    var sound: Int
    var atUs: Int64
    /// What it is told by.
    var id: Int64?
    var stop: (atUs: Int64, fadeUs: Int64)?

    var description: String { "s\(sound) at \(atUs)" + (stop.map { " until \($0.atUs) + \($0.fadeUs)" } ?? "") }
  }

  private static let songFrames = 96_000

  private func rig() throws -> HostRig {
    let rig = try HostRig(
      manifest: Self.manifest, files: [], records: true,
      change: { directory in
        func write(_ name: String, _ frames: Int, _ sample: @escaping (Int) -> Int16) throws {
          let wave = HostRig.wave(seconds: (Double(frames) + 0.5) / 48_000, sample)
          try Data(wave).write(to: URL(filePath: "\(directory)/\(name).wav"))
        }
        for sound in 0..<Self.sounds { try write("s\(sound)", Self.length(sound)) { Self.sample(sound, $0) } }
        try write("song", Self.songFrames) { Self.sample(20, $0) }
      })
    rig.host.topics = [.sound, .timeline, .cue, .music, .rhythm]
    return rig
  }

  private static func frame(_ us: Int64) -> Int { Int((Double(us - originUs) * 0.048).rounded()) }

  /// Plans sounds, a cue and music at random up to some instants behind what a lead may pass over.
  private func plan(_ rig: HostRig, _ random: inout SeededRandom, stops: Bool, _ parts: inout [Part]) throws {
    let nowUs = rig.host.now.microseconds
    for _ in 0..<random.integer(1...6) {
      let atUs = nowUs + random.integer(0...(random.oneIn(3) ? 120_000 : 800_000))
      if random.oneIn(5) {
        let fired: CueFire.Result = try rig.result("cue.fire", #"{"cue":"two","atUs":\#(atUs)}"#)
        parts.append(Part(sound: 3, atUs: fired.scheduledUs))
        parts.append(Part(sound: 2, atUs: fired.scheduledUs + 150_000))
        continue
      }
      let sound = random.next(below: Self.sounds)
      let played: SoundPlay.Result = try rig.result("sound.play", #"{"sound":"s\#(sound)","atUs":\#(atUs)}"#)
      var part = Part(sound: sound, atUs: played.scheduledUs, id: played.id)
      if stops, random.oneIn(3), let id = played.id {
        let fadeUs = random.integer(5_000...60_000)
        let stopUs = played.scheduledUs + random.integer(1_000...200_000)
        let stopped: SoundStop.Result = try rig.result(
          "sound.stop", #"{"id":\#(id),"atUs":\#(stopUs),"fadeUs":\#(fadeUs)}"#)
        part.stop = (stopped.scheduledUs, fadeUs)
      }
      parts.append(part)
    }
  }

  /// What was told of frames that nobody hears.
  private struct Lost: CustomStringConvertible {
    var first: Int
    var end: Int

    var description: String { "\(first) to \(end)" }
  }

  /// Holds the recording against the sum of all parts, but where it fades.
  private func check(
    _ heard: [Float], _ parts: [Part], songUs: Int64?, _ lost: [Lost], late: Int = 0
  ) throws {
    var expected = [Float](repeating: 0, count: heard.count)
    var isUnsure = [Bool](repeating: false, count: heard.count)
    func doubt(_ frames: Range<Int>) {
      for frame in frames.clamped(to: 0..<heard.count) { isUnsure[frame] = true }
    }
    for part in parts {
      let first = Self.frame(part.atUs)
      var count = Self.length(part.sound)
      if let stop = part.stop, stop.atUs > part.atUs {
        let from = Self.frame(stop.atUs)
        doubt(from..<from + Self.frame(Self.originUs + stop.fadeUs) + 2)
        count = min(count, from - first)
      }
      if late > 0, lost.contains(where: { first >= $0.end && first < $0.end + late }) {
        // It could be told no sooner, and begins so much later.
        doubt(first..<first + Self.length(part.sound) + late)
        continue
      }
      for frame in 0..<count where first + frame < heard.count {
        expected[first + frame] += Float(Self.sample(part.sound, frame)) / 32_768
      }
    }
    if let songUs {
      let first = Self.frame(songUs)
      doubt(first..<first + Self.fadeFrames)
      for frame in 0..<Self.songFrames where first + frame < heard.count {
        expected[first + frame] += Float(Self.sample(20, frame)) / 32_768
      }
    }
    for lost in lost {
      for frame in lost.first..<min(lost.end, heard.count) { (expected[frame], isUnsure[frame]) = (0, false) }
      doubt(lost.end..<lost.end + Self.fadeFrames + late)
    }
    let wrong = heard.indices.first { !isUnsure[$0] && abs(heard[$0] - expected[$0]) > 1e-6 }
    try hold(
      wrong == nil,
      "frame \(wrong ?? 0) is \(heard[wrong ?? 0] * 32_768), not \(expected[wrong ?? 0] * 32_768); "
        + "lost \(lost), song \(songUs ?? 0), \(parts)")
  }

  /// What was told of sounds' ends is as if nothing had been lost.
  private func check(
    _ told: [(tUs: Int64, payload: SoundFinished)], _ parts: [Part], _ lost: [Lost], late: Int = 0
  ) throws {
    for part in parts where part.stop == nil {
      guard let id = part.id else { continue }
      let ends = told.filter { $0.payload.id == id }
      let expected = part.atUs + Int64(Self.length(part.sound)) * 1_000 / 48
      let first = Self.frame(part.atUs)
      let isLate = lost.contains { first >= $0.end && first < $0.end + late }
      let latest = expected + 45 + (isLate ? Int64(late) * 21 : 0)
      try hold(
        ends.count == 1 && ends[0].payload.reason == .ended && ends[0].tUs >= expected - 45 && ends[0].tUs <= latest,
        "\(part) is to end at \(expected), and is told as \(ends); lost \(lost)")
    }
  }

  private func lost(_ told: [(tUs: Int64, payload: TimelineCorrected)]) -> [Lost] {
    told.map { Lost(first: Int($0.payload.frame), end: Int($0.payload.frame + $0.payload.lostFrames)) }
  }

  /// One reading of all that was told.
  private struct Told {
    var ends: [(tUs: Int64, payload: SoundFinished)] = []
    var losses: [(tUs: Int64, payload: TimelineCorrected)] = []
    var fired: [(tUs: Int64, payload: CueFired)] = []
    var music: [(tUs: Int64, payload: MusicChanged)] = []
    var beats: [(tUs: Int64, payload: RhythmBeat)] = []

    mutating func take(_ rig: HostRig) throws {
      for notification in rig.host.takeNotifications() {
        guard case .notification(let name, _, let tUs, let params) = ServerMessage(line: notification.line(seq: 1))
        else { continue }
        switch name {
        case SoundFinished.name: ends.append((tUs, try decodeJSON(SoundFinished.self, from: params)))
        case TimelineCorrected.name: losses.append((tUs, try decodeJSON(TimelineCorrected.self, from: params)))
        case CueFired.name: fired.append((tUs, try decodeJSON(CueFired.self, from: params)))
        case MusicChanged.name: music.append((tUs, try decodeJSON(MusicChanged.self, from: params)))
        case RhythmBeat.name: beats.append((tUs, try decodeJSON(RhythmBeat.self, from: params)))
        default: break
        }
      }
    }
  }

  /// What a client sets is known before, so all of it is where it was told, stops and their fades included.
  @Test func whatALeadPassesOverIsLostAndNothingElse() throws {
    try search(upTo: 20) { random in
      let rig = try rig()
      var (parts, told, songUs) = ([Part](), Told(), Int64?.none)
      for _ in 0..<random.integer(2...4) {
        try plan(rig, &random, stops: true, &parts)
        if songUs == nil, random.oneIn(2) {
          // What is asked for late enters in place, which is another matter.
          let soonUs = rig.host.now.microseconds + rig.host.status().audio.leadUs
          let atUs = soonUs + random.integer(0...500_000)
          let played: MusicPlay.Result = try rig.result("music.play", #"{"track":"song","loop":false,"atUs":\#(atUs)}"#)
          songUs = played.scheduledUs
        }
        rig.step(microseconds: random.integer(0...(random.oneIn(2) ? 5_000 : 150_000)))
        let lead = random.pick([0, 5_000, random.integer(-90_000...100_000), random.integer(100_000...700_000)])
        let set = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":\#(lead)}"#)
        try hold(set.contains(#""deviceLeadUs":\#(lead)"#), set)
        rig.step(microseconds: random.integer(0...400_000))
      }
      rig.step(microseconds: 3_500_000)
      try told.take(rig)
      try hold(rig.host.status().audio.lateStarts == 0, "\(rig.host.status().audio.lateStarts) begin later than told")
      let lost = lost(told.losses)
      try check(told.ends, parts, lost)
      if let songUs {
        let started = told.music.filter { $0.payload.change == .started }
        try hold(started.count == 1 && started[0].tUs == songUs, "\(started) for \(songUs)")
      }
      try check(try rig.heard(), parts, songUs: songUs, lost)
    }
  }

  /// A device that takes another's place brings a lead that nobody knew of: what was told is heard in its place all the same, but for
  /// what could not be told the mixer by then, a period and what it looks ahead behind the lost frames.
  @Test func whatADeviceThatTakesAnothersPlacePassesOverIsLostAndNothingElse() throws {
    let late = SteppedAudio.period + 48 + Self.fadeFrames
    try search(upTo: 20) { random in
      let rig = try rig()
      guard case .stepped(let audio) = rig.host.driver else { return }
      var (parts, told, beats) = ([Part](), Told(), [Int64]())
      var songUs: Int64?
      if random.oneIn(2) {
        let started: RhythmStart.Result = try rig.result("rhythm.start", #"{"chapter":"one"}"#)
        songUs = started.startUs
        beats = [started.startUs + 500_000, started.startUs + 1_000_000]
      }
      for _ in 0..<random.integer(1...3) {
        try plan(rig, &random, stops: false, &parts)
        rig.step(microseconds: random.integer(0...(random.oneIn(2) ? 5_000 : 150_000)))
        if let lost = audio.setLead(.microseconds(random.integer(-50_000...600_000))) {
          rig.host.tell(.skipped(at: lost.first, lost: lost.count))
        }
        rig.step(microseconds: random.integer(150_000...400_000))
      }
      rig.step(microseconds: 1_000_000)
      // The chapter ends and takes its song along.
      let endUs = rig.host.now.microseconds
      rig.step(microseconds: 2_500_000)
      try told.take(rig)
      let lost = lost(told.losses)
      try check(told.ends, parts, lost, late: late)
      let toldBeats = told.beats.map(\.tUs)
      try hold(toldBeats == beats, "\(toldBeats) for \(beats)")
      let heard = try rig.heard()
      let chapterEnd = songUs.map { min(endUs, $0 + 1_500_000) } ?? endUs
      try check(
        Array(heard.prefix(Self.frame(chapterEnd))), parts, songUs: songUs, lost, late: late)
    }
  }
}
