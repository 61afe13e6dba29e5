// SPDX-License-Identifier: Apache-2.0

/// One beat of a chapter: when it is heard and, on a laned map, which lane it is tapped in.
public struct Beat: Hashable, Sendable {
  /// Song time in whole microseconds.
  public var at: Int64
  /// Index into the map's `lanes`; nil on a map without lanes.
  public var lane: Int?

  /// A beat at `at` microseconds of song time, in the lane with that index.
  public init(at: Int64, lane: Int? = nil) {
    self.at = at
    self.lane = lane
  }
}

/// The beats of a chapter in order of time: strictly increasing, inside the chapter, never closer than the spacing.
public struct BeatMap: Equatable, Sendable {
  /// Microseconds by which any two beats differ at least, unless a map asks for another: closer ones cannot be tapped.
  public static let defaultMinimumSpacing: Int64 = 20_000
  /// The longest chapter in microseconds (24 hours): sums of song times stay far from the integers' ends.
  public static let maximumLength: Int64 = 86_400_000_000
  /// The most beats of one map, an hour and a half at three a second: whoever starts a chapter has each of them placed.
  public static let maximumBeats = 16_384
  /// The most lanes of one map: whoever asks how a chapter stands is told all of them.
  public static let maximumLanes = 64

  /// In order of time; never empty.
  public let beats: [Beat]
  /// Names of the lanes; empty on a map without lanes.
  public let lanes: [String]

  /// A map of `beats` within 0...`length` microseconds of song time.
  ///
  /// With `lanes` every beat names one of them by index, without lanes none does.
  public init(
    beats: [Beat], lanes: [String] = [], length: Int64, minimumSpacing: Int64 = defaultMinimumSpacing
  ) throws(BeatMapError) {
    let faults = Self.faults(of: beats, lanes: lanes, length: length, minimumSpacing: minimumSpacing, most: 1)
    if let first = faults.first { throw first }
    self.beats = beats
    self.lanes = lanes
  }

  /// What keeps beats from being a map, `most` faults at most: of the whole of them, or else one of each beat at fault. A
  /// beat that is nil is known to be wrong, and passed over.
  public static func faults(
    of beats: [Beat?], lanes: [String] = [], length: Int64, minimumSpacing: Int64 = defaultMinimumSpacing,
    most: Int = .max
  ) -> [BeatMapError] {
    if beats.isEmpty { return [.noBeats] }
    if beats.count > maximumBeats { return [.tooManyBeats(count: beats.count)] }
    guard (1...maximumLength).contains(length) else { return [.lengthOutOfRange(length: length)] }
    if lanes.count > maximumLanes { return [.tooManyLanes(count: lanes.count)] }
    var named: Set<String> = []
    for lane in lanes where !named.insert(lane).inserted { return [.laneNamedTwice(lane)] }
    var faults: [BeatMapError] = []
    var previous: Int64?
    for (index, beat) in beats.enumerated() where faults.count < most {
      guard let beat else { continue }
      let spacing = previous.map { beat.at - $0 } ?? .max
      if !(0...length).contains(beat.at) {
        // What comes after it is held against what is inside.
        faults.append(.outsideTrack(beat: index, at: beat.at, length: length))
        continue
      }
      if spacing <= 0 {
        faults.append(.notIncreasing(beat: index, at: beat.at, previous: beat.at - spacing))
      } else if spacing < minimumSpacing {
        faults.append(.tooClose(beat: index, spacing: spacing, minimum: minimumSpacing))
      } else if let lane = beat.lane, !lanes.indices.contains(lane) {
        faults.append(.unknownLane(beat: index, lane: lane))
      } else if beat.lane == nil, !lanes.isEmpty {
        faults.append(.beatWithoutLane(beat: index))
      }
      previous = beat.at
    }
    return faults
  }

  /// Whether a tap has to say which lane it is in.
  public var isLaned: Bool { !lanes.isEmpty }

  /// The index of the lane with that name.
  public func lane(named name: String) -> Int? { lanes.firstIndex(of: name) }
}

/// Why beats do not make a map; `beat` counts from 0, times are microseconds of song time.
public enum BeatMapError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No beat at all.
  case noBeats
  /// More than `BeatMap.maximumBeats`.
  case tooManyBeats(count: Int)
  /// The chapter lasts no time, or more than a day.
  case lengthOutOfRange(length: Int64)
  /// More than `BeatMap.maximumLanes`.
  case tooManyLanes(count: Int)
  /// Two lanes have one name.
  case laneNamedTwice(String)
  /// A beat before the chapter or after it.
  case outsideTrack(beat: Int, at: Int64, length: Int64)
  /// A beat not after the one before it.
  case notIncreasing(beat: Int, at: Int64, previous: Int64)
  /// Two beats closer than the minimum spacing.
  case tooClose(beat: Int, spacing: Int64, minimum: Int64)
  /// A beat without a lane on a map with lanes.
  case beatWithoutLane(beat: Int)
  /// A beat in a lane that is not there.
  case unknownLane(beat: Int, lane: Int)
  /// A grid's tempo is outside 1 to 1000 BPM.
  case tempoOutOfRange(bpm: Double)
  /// A grid's offset is outside the chapter, or its step outside 1 to 1000 beats.
  case gridOutOfRange

  /// The index of the beat at fault, where one is.
  public var beat: Int? {
    switch self {
    case .outsideTrack(let beat, _, _), .notIncreasing(let beat, _, _), .tooClose(let beat, _, _),
      .beatWithoutLane(let beat), .unknownLane(let beat, _):
      beat
    case .noBeats, .tooManyBeats, .lengthOutOfRange, .tooManyLanes, .laneNamedTwice, .tempoOutOfRange, .gridOutOfRange:
      nil
    }
  }

  /// The reason and the remedy in words, without the name of the map.
  public var description: String {
    switch self {
    case .noBeats: "there are no beats; a chapter needs at least one"
    case .tooManyBeats(let count): "\(count) beats are too many; the most is \(BeatMap.maximumBeats)"
    case .lengthOutOfRange(let length): "a length of \(length) us is outside 1 us to 24 h"
    case .tooManyLanes(let count): "\(count) lanes are too many; the most is \(BeatMap.maximumLanes)"
    case .laneNamedTwice(let name): "lane \(name) is named twice; each lane needs a name of its own"
    case .outsideTrack(let beat, let at, let length):
      "beat \(beat) at \(at) us is outside the chapter, which lasts from 0 to \(length) us"
    case .notIncreasing(let beat, let at, let previous):
      "beat \(beat) at \(at) us is not after the one before it at \(previous) us; sort the beats by time"
    case .tooClose(let beat, let spacing, let minimum):
      "beat \(beat) is \(spacing) us after the one before it; the least is \(minimum) us"
    case .beatWithoutLane(let beat): "beat \(beat) names no lane, but the chapter has lanes"
    case .unknownLane(let beat, let lane): "beat \(beat) names lane number \(lane), which the chapter does not have"
    case .tempoOutOfRange(let bpm): "a tempo of \(bpm) BPM is outside 1 to 1000"
    case .gridOutOfRange: "a grid needs an offset inside the chapter and at least 1 beat between beats"
    }
  }
}
