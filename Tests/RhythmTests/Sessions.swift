// SPDX-License-Identifier: Apache-2.0

@testable import Rhythm

/// A session on a map without lanes, or with lanes "0", "1", ... where beats name them.
func makeSession(
  _ beats: [Int64], lanes: [Int]? = nil, window: Int64 = 150_000, assist: RhythmRules.Assist? = .init(),
  grace: Int64 = 50_000, spawnLead: Int64 = 2_000_000, length: Int64 = 45_000_000
) throws -> RhythmSession {
  let names = lanes.map { (0...($0.max() ?? 0)).map(String.init) } ?? []
  let map = try BeatMap(
    beats: beats.enumerated().map { Beat(at: $1, lane: lanes?[$0]) }, lanes: names, length: length,
    minimumSpacing: 1)
  let rules = try RhythmRules(
    window: window, assist: assist, grace: grace, spawnLead: spawnLead, length: length, futureTolerance: 2_000)
  return RhythmSession(Course(map: map, rules: rules))
}

extension RhythmSession {
  /// The verdict of a tap delivered at its own stamp.
  mutating func tapNow(_ stamp: Int64, lane: Int? = nil) throws(TapError) -> TapVerdict {
    try tap(at: stamp, lane: lane, now: stamp).verdict
  }

  /// How a tap delivered at `now` is refused; nil when it is taken.
  mutating func refusal(of stamp: Int64, lane: Int? = nil, now: Int64) -> TapError? {
    do throws(TapError) {
      _ = try tap(at: stamp, lane: lane, now: now)
      return nil
    } catch { return error }
  }
}

extension [RhythmAction] {
  var judgements: [Judgement] {
    compactMap { if case .judgement(let judgement) = $0 { judgement } else { nil } }
  }
}

extension RhythmAction {
  /// The instant at which it is to be told; actions come in order of it.
  var at: Int64 {
    switch self {
    case .judgement(let judgement): judgement.declaredAt
    case .ghost(let ghost): ghost.declaredAt
    case .assist(let assist): assist.at
    case .complete(_, let at): at
    }
  }
}
