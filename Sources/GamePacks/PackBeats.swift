import Rhythm
import Suggestions
import Timing

/// A beat as written: its lane by name.
struct PackBeat: Equatable, Sendable, Decodable {
  var at: Interval
  var lane: String?

  enum Keys: String, CodingKey, CaseIterable {
    case at, lane
  }

  init(from decoder: any Decoder) throws {
    let fields = try PackFields(decoder, keys: Keys.self)
    at = try fields.seconds(.at)
    lane = try fields.optional(.lane)
  }
}

/// A grid as written.
struct PackGrid: Equatable, Sendable, Decodable {
  var bpm: Double
  var offset: Interval
  var every: Int
  var count: Int?

  enum Keys: String, CodingKey, CaseIterable {
    case bpm, offset, every, count
  }

  init(from decoder: any Decoder) throws {
    let fields = try PackFields(decoder, keys: Keys.self)
    bpm = try fields.number(.bpm, in: 1...1000)
    offset = try fields.seconds(.offset, default: .zero)
    every = try fields.whole(.every, in: 1...1000, default: 1)
    count = fields.has(.count) ? try fields.whole(.count, in: 1...BeatMap.maximumBeats) : nil
  }
}

/// A map of `beats` whose lanes are named; faults carry `path` as the list's own.
func beatMap(
  _ beats: [PackBeat], lanes: [String], length: Int64, path: [any CodingKey]
) throws(FieldError) -> BeatMap {
  var placed: [Beat] = []
  for (index, beat) in beats.enumerated() {
    var lane: Int?
    if let name = beat.lane {
      lane = lanes.firstIndex(of: name)
      if lane == nil {
        throw FieldError(
          path: path + [FieldKey(index), FieldKey("lane")], code: .unknownName,
          reason: lanes.isEmpty
            ? "is \"\(name)\", but the chapter has no lanes" : "no lane \(name)" + didYouMean(name, among: lanes),
          candidates: nearest(to: name, among: lanes))
      }
    }
    placed.append(Beat(at: beat.at.microseconds, lane: lane))
  }
  do throws(BeatMapError) {
    return try BeatMap(beats: placed, lanes: lanes, length: length)
  } catch {
    throw FieldError(
      path: path + (error.beat.map { [FieldKey($0)] } ?? []), code: .invalidValue, reason: error.description)
  }
}

/// A beat map in a file of its own: `{"bpm": 85, "beats": [{"at": 0.706, "lane": "left"}, ...]}`, times in seconds.
public struct BeatMapFile: Equatable, Sendable {
  /// The tempo the map was made for; nil where it does not say.
  public var bpm: Double?
  let beats: [PackBeat]
  let path: String

  /// Reads the bytes of a beat map; `path` is what faults call the file.
  public static func parse(_ bytes: [UInt8], path: String) throws(PackError) -> BeatMapFile {
    let written = try decode(Written.self, from: bytes, path: path)
    return BeatMapFile(bpm: written.bpm, beats: written.beats, path: path)
  }

  /// The map for a chapter of that length (microseconds) with those lanes.
  public func map(lanes: [String], length: Int64) throws(PackError) -> BeatMap {
    do throws(FieldError) {
      return try beatMap(beats, lanes: lanes, length: length, path: [FieldKey("beats")])
    } catch {
      throw PackError(error.code, path: path, field: dotted(error.path), error.reason, candidates: error.candidates)
    }
  }

  private struct Written: Decodable {
    var bpm: Double?
    var beats: [PackBeat]

    enum Keys: String, CodingKey, CaseIterable {
      case bpm, beats
    }

    init(from decoder: any Decoder) throws {
      let fields = try PackFields(decoder, keys: Keys.self)
      bpm = fields.has(.bpm) ? try fields.number(.bpm, in: 1...1000) : nil
      beats = try fields.required(.beats)
    }
  }
}
