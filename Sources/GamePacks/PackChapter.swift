import Rhythm
import Timing

/// A rhythm chapter: music to be tapped along with.
public struct PackChapter: Equatable, Sendable, Decodable {
  /// For people.
  public var title: String
  /// The track it is played to.
  public var track: String
  /// How taps are judged, and how long the chapter lasts.
  public var rules: RhythmRules
  /// Names of the lanes; empty where there are none.
  public var lanes: [String]
  /// Where its beats are.
  public var beats: BeatSource
  /// Cues fired on what happens.
  public var feedback: Feedback

  /// Where a chapter's beats are.
  public enum BeatSource: Equatable, Sendable {
    /// In a file of their own, relative to the pack.
    case file(String)
    /// In the manifest.
    case map(BeatMap)
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
  public func beatMap(from file: BeatMapFile) throws(PackError) -> BeatMap {
    try file.map(lanes: lanes, length: rules.length)
  }

  enum Keys: String, CodingKey, CaseIterable {
    case title, track, length, window, assist, grace, spawnLead, lanes, beats, feedback
  }

  /// Decodes what the manifest says; names are checked by `PackManifest.parse`.
  public init(from decoder: any Decoder) throws {
    let fields = try PackFields(decoder, keys: Keys.self)
    title = try fields.text(.title)
    track = try fields.required(.track)
    rules = try Self.rules(fields)
    lanes = try fields.optional(.lanes) ?? []
    for (index, lane) in lanes.enumerated() where !isName(lane) {
      throw FieldError(
        path: decoder.codingPath + [Keys.lanes, FieldKey(index)], code: .invalidValue, reason: refusalOfName(lane))
    }
    beats = try Self.beats(fields, lanes: lanes, length: rules.length)
    feedback = try fields.optional(.feedback) ?? Feedback()
  }

  private static func rules(_ fields: PackFields<Keys>) throws -> RhythmRules {
    let assist: Assist? = try fields.optional(.assist)
    let (window, grace) = try (
      fields.seconds(.window, default: .milliseconds(150)), fields.seconds(.grace, default: .milliseconds(50))
    )
    let (lead, length) = try (fields.seconds(.spawnLead, default: .milliseconds(2_000)), fields.seconds(.length))
    do throws(RhythmRulesError) {
      return try RhythmRules(
        window: window.microseconds, assist: assist?.rule, grace: grace.microseconds, spawnLead: lead.microseconds,
        length: length.microseconds)
    } catch {
      throw FieldError(
        path: fields.container.codingPath + error.field.split(separator: ".").map { FieldKey(String($0)) },
        code: .invalidValue, reason: error.reason)
    }
  }

  private static func beats(_ fields: PackFields<Keys>, lanes: [String], length: Int64) throws -> BeatSource {
    guard fields.has(.beats) else { throw fields.refusal(.beats, "is missing", code: .missingField) }
    let path = fields.container.codingPath + [Keys.beats]
    if (try? fields.container.decode(String.self, forKey: .beats)) != nil { return .file(try fields.file(.beats)) }
    if (try? fields.container.nestedUnkeyedContainer(forKey: .beats)) != nil {
      return .map(try GamePacks.beatMap(fields.required(.beats), lanes: lanes, length: length, path: path))
    }
    guard (try? fields.container.nestedContainer(keyedBy: FieldKey.self, forKey: .beats)) != nil else {
      throw fields.refusal(
        .beats, "must be the name of a file, a list of beats, or a grid with bpm, offset, every, count",
        code: .wrongType)
    }
    let grid: PackGrid = try fields.required(.beats)
    do throws(BeatMapError) {
      return .map(
        try BeatMap.grid(
          bpm: grid.bpm, offset: grid.offset.microseconds, every: grid.every, count: grid.count, lanes: lanes,
          length: length))
    } catch {
      throw FieldError(path: path, code: .invalidValue, reason: error.description)
    }
  }

  private struct Assist: Decodable {
    var rule: RhythmRules.Assist

    enum Keys: String, CodingKey, CaseIterable {
      case after, window
    }

    init(from decoder: any Decoder) throws {
      let fields = try PackFields(decoder, keys: Keys.self)
      rule = RhythmRules.Assist(
        misses: try fields.whole(.after, in: 1...BeatMap.maximumBeats),
        window: try fields.seconds(.window).microseconds)
    }
  }
}

extension PackChapter.Feedback: Decodable {
  enum Keys: String, CodingKey, CaseIterable {
    case hit, miss, ghost, assist, complete
  }

  /// Decodes what the manifest says; names are checked by `PackManifest.parse`.
  public init(from decoder: any Decoder) throws {
    let fields = try PackFields(decoder, keys: Keys.self)
    hit = try fields.optional(.hit)
    miss = try fields.optional(.miss)
    ghost = try fields.optional(.ghost)
    assist = try fields.optional(.assist)
    complete = try fields.optional(.complete)
  }

  /// Each event that fires a cue, with the cue's name.
  var named: [(event: Keys, cue: String)] {
    [(Keys.hit, hit), (.miss, miss), (.ghost, ghost), (.assist, assist), (.complete, complete)].compactMap {
      event, cue in
      cue.map { (event, $0) }
    }
  }
}
