// SPDX-License-Identifier: Apache-2.0

import JSON
import Problems
import Rhythm
import Timing

/// A rhythm chapter: music to be tapped along with.
public struct PackChapter: Equatable, Sendable {
  /// What the chapter is called where people read it.
  public var title: String
  /// The track it is played to.
  public var track: String
  /// The gains of the track's stems, linear; what is not named is as the track has it.
  public var stems: [String: Double]
  /// How taps are judged, and how long the chapter lasts.
  public var rules: RhythmRules
  /// Names of the lanes; empty where there are none.
  public var lanes: [String]
  /// Where its beats are.
  public var beats: BeatSource
  /// Cues fired on what happens.
  public var feedback: Feedback
  /// Whether lanes and length are what was meant: false only in a manifest with faults.
  public private(set) var isKnown: Bool
  /// Whether its window is in the manifest, and what was meant.
  private let isWindowWritten: Bool

  /// Where a chapter's beats are.
  public enum BeatSource: Equatable, Sendable {
    /// In a file of their own, relative to the pack.
    case file(String)
    /// In the manifest.
    case map(BeatMap)
    /// What the manifest has in their place is none, for these reasons: the chapter is left out.
    case faulty(PackFaults)
  }

  /// Names of the cues fired on what happens; nil fires none.
  public struct Feedback: Equatable, Sendable {
    /// A beat was hit.
    public var hit: String?
    /// A beat was missed.
    public var miss: String?
    /// A tap claimed nothing.
    public var ghost: String?
    /// The windows became wider.
    public var assist: String?
    /// The chapter is over.
    public var complete: String?
  }

  /// The chapter's beats; `file` is what `beats` names, where it names one.
  public func beatMap(from file: BeatMapFile) throws(PackFaults) -> BeatMap {
    try file.map(lanes: lanes, length: rules.length)
  }

  enum Keys: String, PackKey {
    case title, track, stems, length, window, assist, grace, spawnLead, grades, lanes, beats, feedback

    var rule: FieldRule {
      switch self {
      case .title: .must(.text, "what people read")
      case .track: .must(.reference, "the music that is tapped along with")
      case .stems: .may(.named(.number(0...8), most: PackTrack.mostStems), "gains of the track's stems in this chapter")
      case .length: .must(.seconds(leastSeconds...maximumSeconds, usual: 3_600), "how long it lasts, in seconds")
      case .window: .may(PackChapter.window, "how far from its beat a tap may be, in seconds", standard: "0.15")
      case .assist: .may(.object(AssistKeys.self), "help from a number of misses on")
      case .grace:
        .may(PackChapter.window, "how much later a tap may arrive that was made in time, in seconds", standard: "0.05")
      case .spawnLead:
        .may(.seconds(0...60), "how long before its beat a spawn is told, in seconds", standard: "2")
      case .grades:
        .may(.named(PackChapter.window, most: Grade.most), "names of hits with windows, the narrowest first")
      case .lanes: .may(.set(.laneName, most: BeatMap.maximumLanes), "their names")
      case .beats:
        .must(.anyOf([.fileName, PackBeat.list, .object(PackGrid.Keys.self)]), "a file, a list of beats, or a grid")
      case .feedback: .may(.object(Feedback.Keys.self), "the cues fired on what happens")
      }
    }
  }

  /// A tap further away than this is meant for another beat.
  private static let window = ValueRule.seconds(leastSeconds...10)

  init(_ manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: Keys.self)
    title = fields.text(.title)
    track = fields.name(.track)
    stems = fields.numbers(.stems)
    let before = manifest.faultCount
    let length = fields.seconds(.length).microseconds
    lanes = Self.lanes(fields)
    // Beats are held against lanes and length only where these are what was meant.
    isKnown = manifest.faultCount == before && fields.optional(.length) != nil
    let beforeWindow = manifest.faultCount
    let window = fields.optionalSeconds(.window)?.microseconds ?? 150_000
    let isWindowKnown = manifest.faultCount == beforeWindow
    isWindowWritten = isWindowKnown && fields.optional(.window) != nil
    rules = Self.rules(fields, length: length, window: window, isWindowKnown: isWindowKnown)
    beats = Self.beats(fields, in: isKnown ? BeatPlace(lanes: lanes, length: length) : nil)
    if isWindowWritten, case .map(let map) = beats, let written = fields.optional(.window),
      let (reason, advice) = Self.narrowing(of: window, by: map)
    {
      manifest.warn(at: written, reason, advice: advice)
    }
    feedback = fields.optional(.feedback).map { Feedback(manifest, $0) } ?? Feedback()
  }

  private static func rules(
    _ fields: PackFields<Keys>, length: Int64, window: Int64, isWindowKnown: Bool
  ) -> RhythmRules {
    // Other windows are held against it only where it is what was meant.
    let known = isWindowKnown ? window : nil
    let grace = (fields.optionalSeconds(.grace) ?? .milliseconds(50)).microseconds
    let lead = (fields.optionalSeconds(.spawnLead) ?? .milliseconds(2_000)).microseconds
    let help = fields.optional(.assist).map { Self.assist(fields.file, $0, window: known) }
    let grades = Self.grades(fields, window: known)
    let rules = try? RhythmRules(
      window: window, assist: help, grace: grace, spawnLead: lead, length: length, grades: grades)
    if let rules { return rules }
    // Whatever keeps them from being rules was told above. Beats are held against the length all the same.
    var standard = RhythmRules.standard
    standard.length = length
    return standard
  }

  /// What is said of a window that is written when its beats come from a file: nil where it is as wide as it says.
  public func windowWarning(for map: BeatMap) -> Problem? {
    guard isWindowWritten, let (reason, advice) = Self.narrowing(of: rules.window, by: map) else { return nil }
    return Problem(.invalidValue, reason, remedy: advice)
  }

  /// What is said of a window that is wider than the beats of a lane are apart: it is cut half way to the next.
  private static func narrowing(of window: Int64, by map: BeatMap) -> (reason: String, advice: String)? {
    var last: [Int: Int64] = [:]
    var least = Int64.max
    for beat in map.beats {
      if let before = last[beat.lane ?? 0] { least = min(least, beat.at - before) }
      last[beat.lane ?? 0] = beat.at
    }
    guard least < .max, window > least / 2 else { return nil }
    return (
      "is \(decimalSeconds(window)) s, and beats\(map.isLaned ? " of a lane" : "") are \(decimalSeconds(least)) s apart: "
        + "it ends half way to the next beat",
      "write \(decimalSeconds(least / 2)) at most, or put the beats farther apart"
    )
  }

  /// Names of hits with their windows, the narrowest first, as they are written.
  private static func grades(_ fields: PackFields<Keys>, window: Int64?) -> [Grade] {
    guard let value = fields.optional(.grades) else { return [] }
    let file = fields.file
    guard file.tape.nodes[value].kind == .object else {
      file.note(
        .wrongType, at: value, "must be an object of names and windows",
        advice: "write them by name, as in {\"perfect\": 0.04}")
      return []
    }
    var grades: [Grade] = []
    file.tape.forEachMember(of: value) { nameIndex, entry in
      let name = file.tape.string(at: nameIndex)
      file.checkName(name, of: entry, at: nameIndex)
      let before = file.faultCount
      let own = fields.seconds(at: entry, by: Self.window).microseconds
      guard file.faultCount == before else { return }
      if let window, own > window {
        file.note(
          .invalidValue, at: entry,
          "is \(decimalSeconds(own)) s, wider than the hit window, \(decimalSeconds(window)) s",
          advice: "make it narrower, or the chapter's window wider", isBeyondSchema: true)
      } else if let last = grades.last, own <= last.window {
        file.note(
          .invalidValue, at: entry,
          "is \(decimalSeconds(own)) s, not wider than the grade before it; the narrowest comes first",
          advice: "order them by their windows", isBeyondSchema: true)
      } else {
        grades.append(Grade(name: name, window: own))
      }
    }
    if grades.count > Grade.most {
      fields.refuse(.grades, "has \(grades.count) grades; the most is \(Grade.most)", advice: "remove some")
      return []
    }
    return grades
  }

  enum AssistKeys: String, PackKey {
    case after, window

    var rule: FieldRule {
      switch self {
      case .after: .must(.whole(1...BeatMap.maximumBeats), "how many misses bring the help")
      case .window: .must(.seconds(0...10), "the wider window, in seconds")
      }
    }
  }

  private static func assist(_ manifest: PackFile, _ index: Int, window plain: Int64?) -> RhythmRules.Assist {
    let before = manifest.faultCount
    let fields = PackFields(manifest, index, keys: AssistKeys.self)
    let misses = fields.whole(.after)
    let window = fields.seconds(.window).microseconds
    if manifest.faultCount == before, let plain, window < plain {
      fields.refuse(
        .window, "is \(decimalSeconds(window)) s; the least is the chapter's own, \(decimalSeconds(plain)) s",
        advice: "make it wider than \(decimalSeconds(plain))", isBeyondSchema: true)
    }
    return RhythmRules.Assist(misses: misses, window: window)
  }

  private static func lanes(_ fields: PackFields<Keys>) -> [String] {
    var lanes: [String] = []
    let list = fields.optionalList(.lanes)
    guard list.count <= BeatMap.maximumLanes else {
      fields.refuse(
        .lanes, "has \(list.count) lanes; \(BeatMap.maximumLanes) is the most",
        advice: "give beats that are tapped alike one lane, or make several chapters of it")
      return []
    }
    for element in list {
      let before = fields.file.faultCount
      let lane = fields.file.text(at: element)
      guard fields.file.faultCount == before else { continue }
      fields.file.checkName(lane, of: element)
      if lanes.contains(lane) {
        fields.file.note(
          .invalidValue, at: element, "lane \(excerpt(lane)) is named twice; each needs a name of its own",
          advice: "name it otherwise")
      }
      lanes.append(lane)
    }
    return lanes
  }

  private static func beats(_ fields: PackFields<Keys>, in place: BeatPlace?) -> BeatSource {
    var source: BeatSource?
    let faults = fields.file.apart { source = readBeats(fields, in: place) }
    // Where lanes or length are at fault the manifest is refused for these.
    return faults.map(BeatSource.faulty) ?? source ?? .file("")
  }

  private static func readBeats(_ fields: PackFields<Keys>, in place: BeatPlace?) -> BeatSource? {
    guard let value = fields.required(.beats) else { return nil }
    let manifest = fields.file
    let map: BeatMap?
    switch manifest.tape.nodes[value].kind {
    case .string: return .file(fields.file(.beats))
    case .array: map = placedMap(manifest.list(at: value).map { PackBeat(manifest, $0) }, in: place, manifest, value)
    case .object: map = gridMap(PackGrid(manifest, value), in: place, manifest, value)
    default:
      fields.refuse(
        .beats, "must be the name of a file, a list of beats, or a grid with bpm, offset, every, count", .wrongType,
        advice: "write the name of a file, [{\"at\": 0.5}], or {\"bpm\": 120}")
      map = nil
    }
    return map.map(BeatSource.map)
  }
}

extension PackChapter.Feedback {
  enum Keys: String, PackKey {
    case hit, miss, ghost, assist, complete

    /// Whether it may come as often as beats or taps do.
    var isOfEachBeat: Bool { self == .hit || self == .miss || self == .ghost }

    var rule: FieldRule {
      switch self {
      case .hit: .may(.reference, "the cue fired on a hit")
      case .miss: .may(.reference, "the cue fired on a miss")
      case .ghost: .may(.reference, "the cue fired on a tap that claimed no beat")
      case .assist: .may(.reference, "the cue fired when the help begins")
      case .complete: .may(.reference, "the cue fired when the chapter is over")
      }
    }
  }

  init(_ manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: Keys.self)
    hit = fields.optionalName(.hit)
    miss = fields.optionalName(.miss)
    ghost = fields.optionalName(.ghost)
    assist = fields.optionalName(.assist)
    complete = fields.optionalName(.complete)
  }

  /// Each event that fires a cue, with the cue's name.
  var named: [(event: Keys, cue: String)] {
    [(Keys.hit, hit), (.miss, miss), (.ghost, ghost), (.assist, assist), (.complete, complete)].compactMap {
      event, cue in
      cue.map { (event, $0) }
    }
  }
}
