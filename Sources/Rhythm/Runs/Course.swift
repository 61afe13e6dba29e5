// SPDX-License-Identifier: Apache-2.0

/// A chapter as one run of it goes: from a place in the song on, at a rate. Its times are the player's, whole microseconds
/// since the run began; song times are turned into them once, and all that is judged follows from what came of it.
///
/// It never changes, and many hold it: all the same one.
public final class Course: Sendable {
  /// The beats in song time.
  public let map: BeatMap
  /// How they are judged, in the player's time whatever the rate; the length alone is song time.
  public let rules: RhythmRules
  /// The song time at which it begins.
  public let position: Int64
  /// How fast the song goes.
  public let rate: SongRate
  /// How much later than a beat is heard it is to be tapped: of what is judged alone, whatever is told. Frozen for the run.
  public let judgingOffset: Int64
  /// The beats in the player's time, as they are heard; those before `position` lie before 0.
  public let beats: [Beat]
  /// How long the song's part lasts.
  public let length: Int64
  /// When the run is over: its length has passed, and no beat can be open any more, by whatever help there could have been.
  public let end: Int64
  /// For each beat, whether it is to be tapped: not where it is heard or its cell opened before `position`.
  public let takesPart: [Bool]
  let layout: CellLayout

  /// The run of `map` from `position` on, which lies within the chapter; its cells lie `judgingOffset` microseconds after
  /// what is heard, or before where that is negative.
  public init(
    map: BeatMap, rules: RhythmRules, from position: Int64 = 0, rate: SongRate = .normal, judgingOffset: Int64 = 0
  ) {
    self.map = map
    self.rules = rules
    self.position = position
    self.rate = rate
    beats = map.beats.map { Beat(at: rate.playerTime(of: $0.at - position), lane: $0.lane) }
    length = rate.playerTime(of: rules.length - position)
    self.judgingOffset = judgingOffset
    let judged = judgingOffset == 0 ? beats : beats.map { Beat(at: $0.at + judgingOffset, lane: $0.lane) }
    let layout = CellLayout(beats: judged, laneCount: map.lanes.count, rules: rules)
    let heard = beats
    takesPart = beats.indices.map { beat in
      position == 0 || heard[beat].at >= 0 && layout.cell(of: beat, assistedFrom: nil).start >= 0
    }
    self.layout = layout
    end = max(length, layout.lastEnd(assistedFrom: Self.earliestHelp(layout, takesPart, rules)) + rules.grace)
  }

  /// When help would begin if every beat was missed; nil where there are too few of them.
  private static func earliestHelp(_ layout: CellLayout, _ takesPart: [Bool], _ rules: RhythmRules) -> Int64? {
    guard let assist = rules.assist else { return nil }
    let ends = takesPart.indices.filter { takesPart[$0] }.map { layout.cell(of: $0, assistedFrom: nil).end }.sorted()
    return assist.misses <= ends.count ? ends[assist.misses - 1] + rules.grace : nil
  }

  /// How many beats are to be tapped.
  public var beatCount: Int { takesPart.count { $0 } }

  /// When the first beat that takes part is heard; nil where none does.
  public var firstBeat: Int64? { takesPart.firstIndex(of: true).map { beats[$0].at } }

  /// Where the song is after `time` of the player's.
  public func songPosition(at time: Int64) -> Int64 { position + rate.songTime(of: time) }
}
