// SPDX-License-Identifier: Apache-2.0

import Wire

/// The beats and markers of the music: each is told ahead, and comes at its instant or is recalled before.
struct BeatLedger {
  private struct Moment: Hashable {
    var tUs: Int64
    var track: String
    /// "beat 3/7", or a marker's name.
    var what: String
  }

  /// What was told ahead and is to come, with the instant at which it was told.
  private var ahead: [Moment: Int64] = [:]
  private var lastUs: [String: Int64] = [:]
  /// The last beat that came, and when the music was changed last.
  private var last: (beat: MusicBeat, tUs: Int64)?
  private var changedUs: Int64 = 0

  /// All in game time.
  mutating func hear(
    method: String, tUs: Int64, params: ArraySlice<UInt8>, _ time: GameTime, nowUs: Int64
  ) throws {
    switch method {
    case MusicBeatAhead.name:
      let beat = try time.read(MusicBeatAhead.self, params)
      try ensure(beat.beatInBar >= 0 && beat.beat >= 0 && beat.count >= beat.beat, "a beat of \(beat)")
      try foretell(.init(tUs: beat.beatUs, track: beat.track, what: "beat \(beat.beat)/\(beat.count)"), at: tUs)
    case MusicMarkerAhead.name:
      let marker = try time.read(MusicMarkerAhead.self, params)
      try foretell(.init(tUs: marker.markerUs, track: marker.track, what: marker.marker), at: tUs)
    case MusicBeat.name:
      let beat = try time.read(MusicBeat.self, params)
      try come(.init(tUs: tUs, track: beat.track, what: "beat \(beat.beat)/\(beat.count)"), "beats", nowUs)
      try follow(beat, at: tUs)
    case MusicMarker.name:
      let marker = try time.read(MusicMarker.self, params)
      try come(.init(tUs: tUs, track: marker.track, what: marker.marker), "markers", nowUs)
    case MusicBeatRecalled.name:
      let beat = try time.read(MusicBeatRecalled.self, params)
      try recall(.init(tUs: beat.beatUs, track: beat.track, what: "beat \(beat.beat)/\(beat.count)"), at: tUs)
    case MusicMarkerRecalled.name:
      let marker = try time.read(MusicMarkerRecalled.self, params)
      try recall(.init(tUs: marker.markerUs, track: marker.track, what: marker.marker), at: tUs)
    default: break
    }
  }

  private mutating func foretell(_ moment: Moment, at tUs: Int64) throws {
    try ensure(ahead.updateValue(tUs, forKey: moment) == nil, "\(moment) is told ahead twice")
  }

  private mutating func come(_ moment: Moment, _ kind: String, _ nowUs: Int64) throws {
    try ensure(ahead.removeValue(forKey: moment) != nil, "\(moment) came, and was not told ahead or was recalled")
    try ensure(moment.tUs <= nowUs, "\(moment) is told at \(nowUs)")
    try ensure(moment.tUs >= lastUs[kind] ?? 0, "\(moment) came after that of \(lastUs[kind] ?? 0)")
    lastUs[kind] = moment.tUs
  }

  /// The music is told to have changed.
  mutating func noteChange(at tUs: Int64) { changedUs = max(changedUs, tUs) }

  /// While nothing is asked of it the music goes on from beat to beat as its pack has it.
  private mutating func follow(_ beat: MusicBeat, at tUs: Int64) throws {
    defer { last = (beat, tUs) }
    guard let last, last.beat.track == beat.track, last.tUs > changedUs, beat.count == last.beat.count + 1 else {
      return
    }
    var expected = 60_000_000 / beat.bpm
    if beat.beat != last.beat.beat + 1, beat.track != "game:main" {
      // Others go round whole, where they are asked to.
      return try ensure(beat.beat == 0, "\(beat) follows \(last.beat)")
    }
    if beat.beat != last.beat.beat + 1 {
      // Through the seam: from the last beat before the loop's end to the first behind its start.
      let loop = SimulatedPack.loopUs
      let isFirst =
        Double(beat.beat) * Self.stepUs >= Double(loop.lowerBound)
        && Double(beat.beat - 1) * Self.stepUs < Double(loop.lowerBound)
      try ensure(isFirst, "\(beat) follows \(last.beat)")
      let turn = Double(loop.upperBound - loop.lowerBound) / Self.stepUs
      expected *= Double(beat.beat - last.beat.beat) + turn
    }
    // Each is told at its nearest frame, and in whole microseconds.
    try ensure(
      abs(Double(tUs - last.tUs) - expected) <= 45,
      "\(beat) is \(tUs - last.tUs) us after \(last.beat), not \(expected)")
  }

  /// Between two beats of the track that has a loop, as it was made; a chapter may play it faster or slower.
  private static let stepUs = 500_000.0

  private mutating func recall(_ moment: Moment, at tUs: Int64) throws {
    try ensure(ahead.removeValue(forKey: moment) != nil, "\(moment) is recalled, and was not told ahead")
    try ensure(moment.tUs > tUs, "\(moment) is recalled at \(tUs), after it was heard")
  }

  /// All that was told ahead has come or was recalled; after a stall, what was heard in it may not be told any more.
  func settle(_ stalls: Stalls) throws {
    for (moment, told) in ahead {
      try ensure(
        stalls.meet(told...(moment.tUs + 100_000)), "\(moment) was told ahead at \(told) and never came")
    }
  }
}
