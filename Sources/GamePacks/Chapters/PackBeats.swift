// SPDX-License-Identifier: Apache-2.0

import JSON
import Rhythm
import Suggestions
import Timing

/// A beat as written: its lane by name, and where it is.
struct PackBeat: Sendable {
  var at: Interval
  var lane: String?
  var index: Int
  /// Whether it is what was meant: nothing was noted of it.
  var isKnown: Bool

  enum Keys: String, PackKey {
    case at, lane

    var rule: FieldRule {
      switch self {
      case .at: .must(.seconds(0...maximumSeconds), "when it is heard, in seconds from the track's beginning")
      case .lane: .may(.reference, "one of the chapter's lanes")
      }
    }
  }

  /// Several.
  static let list = ValueRule.list(.object(Keys.self), 1...BeatMap.maximumBeats)

  init(_ file: PackFile, _ index: Int) {
    let before = file.faultCount
    let fields = PackFields(file, index, keys: Keys.self)
    at = fields.seconds(.at)
    lane = fields.optionalName(.lane)
    self.index = index
    isKnown = file.faultCount == before
  }
}

struct PackGrid: Equatable, Sendable {
  var bpm: Double
  var offset: Interval
  var every: Int
  var count: Int?

  enum Keys: String, PackKey {
    case bpm, offset, every, count

    var rule: FieldRule {
      switch self {
      case .bpm: .must(.number(1...1000), "beats a minute")
      case .offset: .may(.seconds(0...maximumSeconds), "when the first is, in seconds", standard: "0")
      case .every:
        .may(.whole(1...1000), "1 has a beat on every beat of the tempo, 2 on every second, and so on", standard: "1")
      case .count: .may(.whole(1...BeatMap.maximumBeats), "how many there are; else up to the chapter's end")
      }
    }
  }

  init(_ file: PackFile, _ index: Int) {
    let fields = PackFields(file, index, keys: Keys.self)
    bpm = fields.number(.bpm)
    offset = fields.optionalSeconds(.offset) ?? .zero
    every = fields.optionalWhole(.every) ?? 1
    count = fields.optionalWhole(.count)
  }
}

/// What beats are held against.
struct BeatPlace {
  /// The chapter's lanes; none where it has none.
  let lanes: [String]
  /// Its length in microseconds.
  let length: Int64
  /// Which lane has a name.
  let numbers: [String: Int]

  init(lanes: [String], length: Int64) {
    self.lanes = lanes
    self.length = length
    numbers = Dictionary(zip(lanes, lanes.indices)) { first, _ in first }
  }
}

/// Of so many beats in unknown lanes it is said which lane was most likely meant: whoever sends a map of nothing else must not
/// have every name looked for.
private let mostLooks = 16

/// A map of `beats`, whose list is at `list`; nil where they are none, of which `file` is told.
func placedMap(_ beats: [PackBeat], in place: BeatPlace?, _ file: PackFile, _ list: Int) -> BeatMap? {
  guard let place else { return nil }
  // A beat in a lane that is not there has been told of, and is in its place all the same.
  var isLost: Set<Int> = []
  var placed: [Beat?] = []
  for (number, beat) in beats.enumerated() {
    guard beat.isKnown else {
      placed.append(nil)
      continue
    }
    let index = beat.lane.flatMap { place.numbers[$0] }
    if let name = beat.lane, index == nil {
      noteUnknown(name, of: beat, among: place.lanes, isLookedFor: isLost.count < mostLooks, file)
      isLost.insert(number)
    }
    placed.append(Beat(at: beat.at.microseconds, lane: index))
  }
  for fault in BeatMap.faults(of: placed, lanes: place.lanes, length: place.length) {
    if case .beatWithoutLane(let beat) = fault, isLost.contains(beat) { continue }
    file.note(
      .invalidValue, at: fault.beat.map { beats[$0].index } ?? list, fault.reasonInSeconds,
      advice: fault.advice(place), isBeyondSchema: fault != .noBeats)
  }
  return try? BeatMap(beats: placed.compactMap { $0 }, lanes: place.lanes, length: place.length)
}

/// The map of a grid, which is at `index`; nil where it is none, of which `file` is told.
func gridMap(_ grid: PackGrid, in place: BeatPlace?, _ file: PackFile, _ index: Int) -> BeatMap? {
  guard let place else { return nil }
  do throws(BeatMapError) {
    let map = try BeatMap.grid(
      bpm: grid.bpm, offset: grid.offset.microseconds, every: grid.every, count: grid.count, lanes: place.lanes,
      length: place.length)
    if let count = grid.count, map.beats.count < count {
      file.warn(
        at: file.tape.member("count", of: index) ?? index,
        "is \(count), and \(map.beats.count) beats are all that fit into the chapter",
        advice: "write \(map.beats.count), or make the chapter longer")
    }
    return map
  } catch {
    file.note(
      .invalidValue, at: index, error.reasonInSeconds, advice: error.advice(place), isBeyondSchema: true)
    return nil
  }
}

private func noteUnknown(
  _ name: String, of beat: PackBeat, among lanes: [String], isLookedFor: Bool, _ file: PackFile
) {
  if file.isOnlyCounted() { return }
  let place = file.tape.member("lane", of: beat.index) ?? beat.index
  if lanes.isEmpty {
    file.note(
      .unknownName, at: place, "is \"\(excerpt(name))\", but the chapter has no lanes",
      advice: "remove it, or give the chapter \"lanes\": [\"\(excerpt(name))\"]", isBeyondSchema: true)
  } else {
    let near = isLookedFor ? nearest(to: name, among: lanes) : []
    file.note(
      .unknownName, at: place, "no lane \(excerpt(name))" + didYouMean(oneOf: near),
      advice: "name one of the chapter's lanes: \(listed(lanes))", isBeyondSchema: true, candidates: near)
  }
}

/// Names for a message, the first dozen of them.
func listed(_ names: some Collection<String>) -> String {
  names.prefix(12).map { excerpt($0) }.joined(separator: ", ") + (names.count > 12 ? ", ..." : "")
}

extension BeatMapError {
  /// What to do about it.
  fileprivate func advice(_ place: BeatPlace) -> String {
    switch self {
    case .noBeats: "add some, as in [{\"at\": 0.5}]"
    case .tooManyBeats: "remove some, or make several chapters of it"
    case .tooManyLanes: "give beats that are tapped alike one lane"
    case .outsideTrack(_, let at, let length):
      at / 1_000 <= length && at > length * 10
        ? "times are in seconds: if \(decimalSeconds(at)) ms was meant, write \(decimalSeconds(at / 1_000))"
        : "move it into the chapter, or make the chapter's length more than \(decimalSeconds(at))"
    case .notIncreasing: "sort the beats by time"
    case .tooClose: "remove one of the two, or move it"
    case .beatWithoutLane: "add \"lane\", one of \(listed(place.lanes))"
    default: "move the offset into the chapter"
    }
  }

  /// The reason with times as files write them.
  fileprivate var reasonInSeconds: String {
    switch self {
    case .lengthOutOfRange(let length): "a length of \(decimalSeconds(length)) s is outside 0.000001 to 86400 s"
    case .outsideTrack(let beat, let at, let length):
      "beat \(beat) at \(decimalSeconds(at)) s is outside the chapter, which lasts from 0 to \(decimalSeconds(length)) s"
    case .notIncreasing(let beat, let at, let previous):
      "beat \(beat) at \(decimalSeconds(at)) s is not after the one before it at \(decimalSeconds(previous)) s"
    case .tooClose(let beat, let spacing, let minimum):
      "beat \(beat) is \(decimalSeconds(spacing)) s after the one before it; the least is \(decimalSeconds(minimum)) s"
    default: description
    }
  }
}

/// A beat map in a file of its own: `{"bpm": 85, "beats": [{"at": 0.706, "lane": "left"}, ...]}`, times in seconds.
public struct BeatMapFile: Sendable {
  /// The tempo the map was made for; nil where it does not say.
  public var bpm: Double?
  private let beats: [PackBeat]
  private let list: Int
  /// Whether there is a list at all.
  private let isList: Bool
  private let read: PackFile.Noted

  enum Keys: String, PackKey {
    case bpm, beats
    case schema = "$schema"

    var rule: FieldRule {
      switch self {
      case .bpm: .may(.number(1...1000), "the tempo that it was made for")
      case .beats: .must(PackBeat.list, "in the order of their times, at least 20 ms apart")
      case .schema: .may(.anyText, "where the schema is, for editors")
      }
    }
  }

  /// Reads the bytes of a beat map; `path` is what faults call the file. Throws what is no JSON; all else that is wrong is
  /// told by `map`, with what is wrong for its chapter.
  public static func parse(_ bytes: [UInt8], path: String) throws(PackFaults) -> BeatMapFile {
    BeatMapFile(try PackFile(bytes, path: path))
  }

  private init(_ file: PackFile) {
    let fields = PackFields(file, 0, keys: Keys.self)
    bpm = fields.optionalNumber(.bpm)
    _ = fields.optional(.schema).map { file.text(at: $0) }
    list = fields.required(.beats) ?? 0
    isList = list != 0 && file.tape.nodes[list].kind == .array
    beats = list == 0 ? [] : file.list(at: list).map { PackBeat(file, $0) }
    read = file.noted
  }

  /// What is wrong with a beat map whose chapter is not known: the lanes that it names count as the chapter's.
  public static func faults(in bytes: [UInt8], path: String) -> PackFaults? {
    do throws(PackFaults) {
      _ = try map(in: bytes, path: path)
      return nil
    } catch {
      return error
    }
  }

  /// The map of a file whose chapter is not known: its lanes are those that it names, in the order in which they come.
  public static func map(in bytes: [UInt8], path: String) throws(PackFaults) -> BeatMap {
    let file = try parse(bytes, path: path)
    var named: Set<String> = []
    let lanes = file.beats.compactMap { beat in beat.lane.flatMap { named.insert($0).inserted ? $0 : nil } }
    return try file.map(lanes: lanes, length: BeatMap.maximumLength)
  }

  /// What is wrong with it in whatever chapter.
  public var faults: PackFaults? { PackFile(read).takeFaults() }

  /// The map for a chapter of that length (microseconds) with those lanes.
  public func map(lanes: [String], length: Int64) throws(PackFaults) -> BeatMap {
    let file = PackFile(read)
    let map = isList ? placedMap(beats, in: BeatPlace(lanes: lanes, length: length), file, list) : nil
    if let faults = file.takeFaults() { throw faults }
    guard let map else { throw PackFaults(PackError(.invalidValue, path: read.path, "holds no beats")) }
    return map
  }
}
