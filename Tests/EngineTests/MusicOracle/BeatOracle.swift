// SPDX-License-Identifier: Apache-2.0

import MusicOracle
import Timing
import Wire

/// The beats and markers that must be heard, found by going through every frame of every track of the model.
struct BeatOracle {
  struct Heard: Equatable, CustomStringConvertible {
    var tUs: Int64
    var track: String
    /// "beat 3 bar 0.3 count 7", or a marker's name.
    var what: String

    var description: String { "\(track) \(what) at \(tUs)" }

    /// Whether it is what a word names that one can wait for.
    func isNamed(_ word: Quantise) -> Bool {
      switch word {
      case .beat: what.hasPrefix("beat ")
      case .bar: what.hasPrefix("beat ") && what.contains(".0 count ")
      default: what == word.rawValue
      }
    }
  }

  /// What a track of the model has, in seconds as the manifest of the fixture says.
  struct Landmarks {
    var bpm: Double
    var firstBeat: Double
    var beatsPerBar: Int
    var markers: [String: Double]
  }

  static let landmarks: [String: Landmarks] = [
    // A loop of a beat and a half.
    "main": Landmarks(bpm: 120, firstBeat: 0, beatsPerBar: 4, markers: ["seam": 0.833333, "early": 0.05]),
    "other": Landmarks(bpm: 397.3, firstBeat: 0.01234, beatsPerBar: 3, markers: [:]),
    "far": Landmarks(bpm: 613.7, firstBeat: 0.3, beatsPerBar: 5, markers: ["drop": 1.2, "same": 1.2]),
  ]

  /// The fields of a track of the manifest.
  static func fields(_ track: String) -> String {
    guard let found = landmarks[track] else { return "" }
    let markers = found.markers.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
    return "\"bpm\": \(found.bpm), \"firstBeat\": \(found.firstBeat), \"beatsPerBar\": \(found.beatsPerBar), "
      + "\"markers\": {\(markers.joined(separator: ", "))}"
  }

  /// All that is heard before output frame `end`, in order.
  static func expected(_ model: MusicModel, before end: Int64) -> [Heard] {
    let leaders = leaders(model, before: end)
    let courses = model.fold().courses
    var heard: [(frame: Int64, Heard)] = []
    for (number, course) in courses.enumerated() {
      guard let landmarks = landmarks[course.track.name] else { continue }
      let own = leaders.filter { $0.course == number }
      let (first, step) = (landmarks.firstBeat * 48_000, 60 / landmarks.bpm * 48_000)
      // Which beat of the track is at each of its frames.
      var beats: [Int64: Int] = [:]
      var beat = 0
      while case let place = Int64((first + Double(beat) * step).rounded()), place < course.track.frames {
        beats[place] = beat
        beat += 1
      }
      let markers = landmarks.markers.map { (name: $0.key, place: Int64(($0.value * 48_000).rounded())) }
        .sorted { $0.name < $1.name }
      var isMarked = [Bool](repeating: false, count: Int(course.track.frames))
      for place in beats.keys where place >= 0 { isMarked[Int(place)] = true }
      for marker in markers where marker.place < course.track.frames { isMarked[Int(marker.place)] = true }
      // As if the track had been played from its beginning.
      var count = beats.keys.count { $0 < course.runs[0].position }
      for run in course.runs {
        let last = min(run.end, course.over, course.naturalEnd, end)
        var place = course.track.place(run.position, course.loops)
        let seam = course.loops ? course.track.loop.upperBound : .max
        var next = run.start
        while next < last {
          let frame = next
          if frame > run.start {
            place += 1
            if place == seam { place = course.track.loop.lowerBound }
          }
          next += 1
          guard place < course.track.frames, isMarked[Int(place)] else { continue }
          let beat = beats[place]
          let isHeard = own.contains { $0.frames.contains(frame) }
          // Told in whole microseconds, never before it is heard.
          let at = (model.timeline.instant(ofFrame: frame).nanoseconds + 999) / 1_000
          if let beat {
            let bar = "\(beat / landmarks.beatsPerBar).\(beat % landmarks.beatsPerBar)"
            let told = Heard(tUs: at, track: course.track.name, what: "beat \(beat) bar \(bar) count \(count)")
            if isHeard { heard.append((frame, told)) }
            count += 1
          }
          for marker in markers where isHeard && marker.place == place {
            heard.append((frame, Heard(tUs: at, track: course.track.name, what: marker.name)))
          }
        }
      }
    }
    // Sorting keeps the order of equals apart: those of one frame are of one track.
    return heard.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }.map(\.element.1)
  }

  /// Which course leads in which frames.
  static func leaders(_ model: MusicModel, before end: Int64) -> [(course: Int, frames: Range<Int64>)] {
    let frames = Set(model.verbs.map { model.timeline.frame(at: $0.at) } + [end]).sorted()
    var leaders: [(course: Int, frames: Range<Int64>)] = []
    for (from, to) in zip(frames, frames.dropFirst()) {
      let last = model.verbs.filter { model.timeline.frame(at: $0.at) == from }.map(\.at).max()
      guard let last else { continue }
      let fold = model.fold(upTo: last)
      var frame = from
      if let current = fold.current {
        let still = min(fold.standsFrom ?? .max, fold.courses[current].naturalEnd, to)
        if still > frame {
          leaders.append((current, frame..<still))
          frame = still
        }
      }
      for tail in fold.leaving.reversed() {
        let course = fold.courses[tail]
        let over = min(course.over, course.naturalEnd, course.runs.last?.end ?? .max, to)
        guard over > frame else { continue }
        leaders.append((tail, frame..<over))
        frame = over
      }
    }
    return leaders
  }
}

/// What a client hears of the beats: those that come at their instants unless they are recalled before.
struct BeatHearing {
  private(set) var heard: [BeatOracle.Heard] = []
  /// When each of these was told ahead.
  private(set) var toldAhead: [Int64] = []
  private var waiting: [(group: String?, at: Int64, heard: BeatOracle.Heard)] = []
  /// What was told ahead and has not come.
  private var ahead: [BeatOracle.Heard: Int64] = [:]
  /// Why what was told cannot be.
  private(set) var fault: String?

  /// How far ahead all is told that was not brought by what was asked just then.
  static let lead: Int64 = 250_000

  /// Takes in a notification that the engine gave out at `nowUs`; `isFresh` is whether something was asked since the last.
  mutating func take(_ notification: OutgoingNotification, nowUs: Int64, isFresh: Bool) throws {
    pass(to: nowUs)
    if let group = notification.recalls { waiting.removeAll { $0.group == group } }
    let line = notification.line(seq: 1)
    guard case .notification(let method, _, let tUs, let params)? = ServerMessage(line: line) else { return }
    switch method {
    case MusicBeatAhead.name:
      let beat = try decodeJSON(MusicBeatAhead.self, from: params)
      let place = "\(beat.bar).\(beat.beatInBar)"
      foretell(
        .init(
          tUs: beat.beatUs, track: MusicOracleFixture.name(in: beat.track),
          what: "beat \(beat.beat) bar \(place) count \(beat.count)"), nowUs,
        isFresh)
    case MusicMarkerAhead.name:
      let marker = try decodeJSON(MusicMarkerAhead.self, from: params)
      foretell(
        .init(tUs: marker.markerUs, track: MusicOracleFixture.name(in: marker.track), what: marker.marker), nowUs,
        isFresh
      )
    case MusicBeat.name:
      let beat = try decodeJSON(MusicBeat.self, from: params)
      let what = "beat \(beat.beat) bar \(beat.bar).\(beat.beatInBar) count \(beat.count)"
      wait(notification, .init(tUs: tUs, track: MusicOracleFixture.name(in: beat.track), what: what), nowUs)
    case MusicMarker.name:
      let marker = try decodeJSON(MusicMarker.self, from: params)
      wait(notification, .init(tUs: tUs, track: MusicOracleFixture.name(in: marker.track), what: marker.marker), nowUs)
    case MusicBeatRecalled.name:
      let beat = try decodeJSON(MusicBeatRecalled.self, from: params)
      let key = ahead.keys.first {
        $0.tUs == beat.beatUs && $0.track == MusicOracleFixture.name(in: beat.track)
          && $0.what.hasSuffix(" count \(beat.count)")
      }
      recall(key, beat.beatUs, nowUs)
    case MusicMarkerRecalled.name:
      let marker = try decodeJSON(MusicMarkerRecalled.self, from: params)
      let key = BeatOracle.Heard(
        tUs: marker.markerUs, track: MusicOracleFixture.name(in: marker.track), what: marker.marker)
      recall(ahead[key].map { _ in key }, marker.markerUs, nowUs)
    default: break
    }
  }

  /// Time passes: what waits for its instant is heard.
  mutating func pass(to nowUs: Int64) {
    for due in waiting.filter({ $0.at <= nowUs }).sorted(by: { $0.at < $1.at }) {
      let told = ahead.removeValue(forKey: due.heard)
      if told == nil { fault = fault ?? "\(due.heard) comes and was not told ahead" }
      toldAhead.append(told ?? due.at)
      heard.append(due.heard)
    }
    waiting.removeAll { $0.at <= nowUs }
  }

  /// What was told ahead and neither came nor was recalled.
  var left: [BeatOracle.Heard] { ahead.keys.map(\.self) }

  private mutating func foretell(_ heard: BeatOracle.Heard, _ nowUs: Int64, _ isFresh: Bool) {
    if ahead.updateValue(nowUs, forKey: heard) != nil { fault = fault ?? "\(heard) is told ahead twice" }
    if heard.tUs - nowUs < Self.lead, !isFresh {
      fault = fault ?? "\(heard) is told \(heard.tUs - nowUs) us ahead, at \(nowUs)"
    }
  }

  private mutating func wait(_ notification: OutgoingNotification, _ heard: BeatOracle.Heard, _ nowUs: Int64) {
    waiting.append((notification.group, max(notification.sendAtUs ?? nowUs, nowUs), heard))
    pass(to: nowUs)
  }

  private mutating func recall(_ key: BeatOracle.Heard?, _ at: Int64, _ nowUs: Int64) {
    guard let key else {
      fault = fault ?? "what was never told for \(at) is recalled at \(nowUs)"
      return
    }
    ahead[key] = nil
    if at <= nowUs { fault = fault ?? "\(key) is recalled at \(nowUs)" }
  }
}

extension BeatOracle.Heard: Hashable {}
