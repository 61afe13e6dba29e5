// SPDX-License-Identifier: Apache-2.0

import Timing

/// A piece of music.
public struct PackTrack: Equatable, Sendable {
  /// What is played again when its end is reached.
  public enum Loop: Equatable, Sendable {
    /// Nothing: the track ends.
    case none
    /// The whole file.
    case whole
    /// From `end` back to `start`, both from the file's beginning.
    case region(start: Interval, end: Interval)
  }

  /// The audio file, relative to the pack.
  public var file: String
  /// Tempo in beats a minute, for what goes with the music; nil where it has none.
  public var bpm: Double?
  /// When the first beat is heard, from the file's beginning.
  public var firstBeat: Interval
  /// Beats of one bar, 1 to 64; 4 where the pack does not say.
  public var beatsPerBar: Int
  /// What is played again.
  public var loop: Loop
  /// Linear, 0 to 8; 1 is as recorded.
  public var gain: Double
  /// Named places, from the file's beginning.
  public var markers: [String: Interval]
  /// What is played together with it, by name.
  public var stems: [String: Stem]

  /// A part of a track in a file of its own, which begins, loops and ends with it.
  public struct Stem: Equatable, Sendable {
    /// The audio file, relative to the pack: as long as the track's, and of its rate.
    public var file: String
    /// Linear, on top of the track's; 0 is not heard unless something turns it up.
    public var gain: Double

    enum Keys: String, PackKey {
      case file, gain

      var rule: FieldRule {
        switch self {
        case .file: .must(.fileName, "the audio file, as long as the track's and of its rate")
        case .gain: .may(.number(0...8), "linear, on top of the track's; 0 is not heard", standard: "1")
        }
      }
    }

    init(_ manifest: PackFile, _ index: Int) {
      let fields = PackFields(manifest, index, keys: Keys.self)
      file = fields.file(.file)
      gain = fields.gain(.gain)
    }
  }

  /// Its stems in the order in which they are counted.
  public var orderedStems: [(name: String, stem: Stem)] {
    stems.sorted { $0.key < $1.key }.map { (name: $0.key, stem: $0.value) }
  }

  /// How many markers a track may have.
  public static let mostMarkers = 64
  /// How many stems.
  public static let mostStems = 3

  enum Keys: String, PackKey {
    case file, bpm, firstBeat, beatsPerBar, loop, gain, markers, stems

    var rule: FieldRule {
      switch self {
      case .file: .must(.fileName, "the audio file, from the pack's folder on")
      case .bpm: .may(.number(1...1000), "beats a minute; without it the track has no beats")
      case .firstBeat: .may(PackTrack.place, "when the first beat is heard, in seconds", standard: "0")
      case .beatsPerBar: .may(.whole(1...64), "beats of one bar", standard: "4")
      case .loop:
        .may(
          .anyOf([.truth, .object(LoopKeys.self)]),
          "true: by the file's own loop points, else the whole; false: it ends; or from end back to start",
          standard: "true")
      case .gain: .may(.number(0...8), "linear; 1 is as recorded", standard: "1")
      case .markers: .may(.named(PackTrack.place, most: PackTrack.mostMarkers), "named places, in seconds")
      case .stems: .may(.named(.object(Stem.Keys.self), most: PackTrack.mostStems), "what is played together with it")
      }
    }
  }

  enum LoopKeys: String, PackKey {
    case start, end

    var rule: FieldRule {
      switch self {
      case .start: .must(PackTrack.place, "where it goes on from the end, in seconds")
      case .end: .must(PackTrack.place, "where it goes back, in seconds")
      }
    }
  }

  private static let place = ValueRule.seconds(0...maximumSeconds)

  init(_ manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: Keys.self)
    file = fields.file(.file)
    bpm = fields.optionalNumber(.bpm)
    firstBeat = fields.optionalSeconds(.firstBeat) ?? .zero
    beatsPerBar = fields.optionalWhole(.beatsPerBar) ?? 4
    gain = fields.gain(.gain)
    loop = Self.loop(fields)
    stems = fields.named(.stems) { Stem($0, $1) }
    if stems.count > Self.mostStems {
      fields.refuse(.stems, "has \(stems.count) stems; a track may have \(Self.mostStems)", advice: "remove some")
    }
    markers = fields.named(.markers) { .microseconds($0.microseconds(at: $1, by: Self.place)) }
    if markers.count > Self.mostMarkers {
      fields.refuse(
        .markers, "has \(markers.count) markers; a track may have \(Self.mostMarkers)", advice: "remove some")
    }
    // Whoever waits for one of them says so in one word.
    for taken in ["bar", "beat"] where markers[taken] != nil {
      fields.refuse(
        .markers, "names a marker \(taken), which is what the next \(taken) is waited for by",
        advice: "name it otherwise", isBeyondSchema: true)
    }
  }

  private static func loop(_ fields: PackFields<Keys>) -> Loop {
    guard let value = fields.optional(.loop) else { return .whole }
    switch fields.file.tape.nodes[value].kind {
    case .true: return .whole
    case .false: return .none
    case .object: break
    default:
      fields.refuse(
        .loop, "must be true, false, or an object with start and end in seconds", .wrongType,
        advice: "write true, false, or {\"start\": 4, \"end\": 68}")
      return .none
    }
    let before = fields.file.faultCount
    let region = PackFields(fields.file, value, keys: LoopKeys.self)
    let (start, end) = (region.seconds(.start), region.seconds(.end))
    if fields.file.faultCount == before, start >= end {
      region.refuse(.end, "must be after start", advice: "move the end behind the start", isBeyondSchema: true)
    }
    // What is no loop is not held against its file.
    guard fields.file.faultCount == before else { return .whole }
    return .region(start: start, end: end)
  }
}
