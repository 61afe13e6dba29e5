// SPDX-License-Identifier: Apache-2.0

@testable import Rhythm

/// Judges a random chapter by visiting every microsecond of the daemon's clock.
struct Oracle {
  /// What of the run an instant was.
  private enum Lived {
    case moment(Int64)
    case again
    case nothing
  }

  let chapter: RandomChapter
  let stalls: [ClosedRange<Int64>]
  let pauses: [Pause]
  /// When each beat is heard, as moments of the run: song time since its beginning, as much shorter as the song is faster.
  let beats: [Int64]
  let length: Int64
  var out: Set<Int> = []
  var hit: Set<Int> = []
  var missed: Set<Int> = []
  var voided: Set<Int> = []
  var grades: [Int]
  var combo = 0
  var longestCombo = 0
  var assistedFrom: Int64?
  private var waiting: [(moment: Int64, tap: Delivery)] = []
  var told: [String] = []
  var announced: [String] = []
  var moved: [Int64] = []
  var over = false
  /// For each beat, the last instant that belongs to it.
  var lastInstants: [Int64] = []
  /// What every instant was, and when every moment came first.
  private var lived = ByInstant<Lived>(.nothing)
  private var instants = ByInstant<Int64?>(nil)

  private static let first: Int64 = -400

  init(chapter: RandomChapter, stalls: [ClosedRange<Int64>], pauses: [Pause]) {
    self.chapter = chapter
    self.stalls = stalls
    self.pauses = pauses
    // The nearest, of two the later: found by trying.
    func heard(_ position: Int64) -> Int64 {
      let (song, rate) = (1_000 * (position - chapter.position), Int64((chapter.rate * 1_000).rounded()))
      let near = song / rate
      return (near - 2...near + 2).reversed().min { abs($0 * rate - song) < abs($1 * rate - song) } ?? near
    }
    beats = chapter.beats.map { heard($0.at) }
    length = heard(chapter.length)
    grades = chapter.grades.map { _ in 0 }
    if chapter.position > 0 {
      out = Set(
        beats.indices.filter { beat in
          (beats[beat] - chapter.window..<max(0, beats[beat] - chapter.window)).contains {
            owner($0, chapter.beats[beat].lane) == beat
          }
        })
    }
    findLastInstants()
    live()
  }

  /// Lets a clock run that stands still in pauses and is put back behind them.
  private mutating func live() {
    var moment = Self.first - chapter.start
    var newest = moment - 1
    var coming = pauses[...]
    for instant in Self.first...ByInstant<Lived>.last {
      if let pause = coming.first, instant == pause.to {
        moment -= pause.countIn
        moved.append(instant - moment)
        coming.removeFirst()
      }
      if let pause = coming.first, instant >= pause.from {
        lived[instant] = .nothing
        continue
      }
      if moment > newest {
        (newest, lived[instant], instants[moment]) = (moment, .moment(moment), instant)
      } else {
        lived[instant] = .again
      }
      moment += 1
    }
    // By how much each put everything off, beyond the one before.
    var zero = chapter.start
    moved = moved.map { next in
      defer { zero = next }
      return next - zero
    }
  }

  /// The nearest beat of the lane, the earlier of two equally near, if the moment is in its window.
  func owner(_ moment: Int64, _ lane: Int?) -> Int? {
    let near = beats.indices.filter { chapter.beats[$0].lane == lane }
      .min { abs(beats[$0] - moment) < abs(beats[$1] - moment) }
    guard let near else { return nil }
    let opens = beats[near] - chapter.window
    var reach = chapter.window
    if let assistedFrom, opens > assistedFrom {
      if moment < assistedFrom { return nil }
      reach = chapter.wide
    }
    return abs(beats[near] - moment) <= reach ? near : nil
  }

  /// Finds them by trying every moment.
  mutating func findLastInstants() {
    lastInstants = beats.indices.map { beat in
      (beats[beat]...(beats[beat] + chapter.wide)).last { owner($0, chapter.beats[beat].lane) == beat } ?? beats[beat]
    }
  }

  mutating func play(_ deliveries: [Delivery]) -> [String] {
    var coming = deliveries[...]
    var instant = Self.first
    var current = Self.first - chapter.start - 1
    while !over || !coming.isEmpty {
      if case .moment(let moment) = lived[instant] {
        announce(moment, at: instant)
        visit(moment, at: instant)
        current = moment
      }
      while let tap = coming.first, (tap.stall?.lowerBound ?? tap.now) == instant {
        coming.removeFirst()
        if !over { take(tap, at: instant, current) }
      }
      instant += 1
    }
    while instant <= ByInstant<Lived>.last {
      if case .moment(let moment) = lived[instant] { announce(moment, at: instant) }
      instant += 1
    }
    return told
  }

  /// Spawns come before beats of the same instant.
  private mutating func announce(_ moment: Int64, at instant: Int64) {
    for beat in beats.indices where !out.contains(beat) && beats[beat] - chapter.spawnLead == moment {
      // The instant that is promised knows of no pause to come.
      announced.append("\(instant) spawn \(beat) for \(instant + chapter.spawnLead)")
    }
    for beat in beats.indices where !out.contains(beat) && beats[beat] == moment {
      announced.append("\(instant) beat \(beat)")
    }
  }

  private var tally: String { "\(missed.count), combo \(combo) of \(hit.count)" }

  mutating func visit(_ moment: Int64, at instant: Int64) {
    if over { return }
    for beat in beats.indices
    where !out.contains(beat) && !hit.contains(beat) && !missed.contains(beat) && !voided.contains(beat)
      && lastInstants[beat] + chapter.grace == moment
    {
      let last = instants[lastInstants[beat]] ?? 0
      if nobodyListened(to: beat) {
        voided.insert(beat)
        told.append("\(instant) void \(beat) at \(last), \(tally)")
        continue
      }
      missed.insert(beat)
      combo = 0
      told.append("\(instant) miss \(beat) at \(last), \(tally)")
      if missed.count == chapter.misses {
        assistedFrom = moment
        findLastInstants()
        told.append("\(instant) assist")
      }
    }
    for (stamp, tap) in waiting where stamp == moment { decide(stamp, tap, at: instant) }
    let end = lastInstants.max() ?? 0
    if moment >= max(length, end + chapter.grace) {
      for (stamp, _) in waiting.filter({ $0.moment > moment }).sorted(by: { $0.moment < $1.moment }) {
        told.append("\(instant) ghost \(instants[stamp] ?? 0), \(missed.count)")
      }
      over = true
      told.append("\(instant) complete \(beats.count - out.count) \(grades) \(longestCombo)")
    }
  }

  /// Whether every moment of the beat came first in one stall.
  func nobodyListened(to beat: Int) -> Bool {
    let own = (beats[beat] - chapter.wide...beats[beat] + chapter.wide).filter {
      owner($0, chapter.beats[beat].lane) == beat
    }
    return stalls.contains { stall in own.allSatisfy { stall.contains(instants[$0] ?? .min) } }
  }

  /// Decided at the last moment that was lived through: `current`.
  mutating func take(_ tap: Delivery, at instant: Int64, _ current: Int64) {
    let decided = instants[current] ?? instant
    switch lived[tap.stamp] {
    case .nothing: told.append("\(instant) in a pause")
    case .again: told.append("\(decided) ghost \(tap.stamp), \(missed.count)")
    case .moment(let stamp):
      if tap.stall != nil, stamp > current {
        waiting.append((stamp, tap))
        return
      }
      let beat = owner(stamp, tap.lane)
      if let beat, !out.contains(beat), lastInstants[beat] + chapter.grace <= current {
        told.append("\(instant) too late for \(beat)")
      } else if beat == nil, stamp > current, assistedFrom == nil {
        waiting.append((stamp, tap))
      } else {
        decide(stamp, tap, at: decided)
      }
    }
  }

  mutating func decide(_ moment: Int64, _ tap: Delivery, at instant: Int64) {
    if let beat = owner(moment, tap.lane), !hit.contains(beat), !out.contains(beat) {
      hit.insert(beat)
      combo += 1
      longestCombo = max(longestCombo, combo)
      let error = moment - beats[beat]
      // The narrowest that holds it.
      let grade = chapter.grades.indices.filter { chapter.grades[$0] >= abs(error) }.min {
        chapter.grades[$0] < chapter.grades[$1]
      }
      if let grade { grades[grade] += 1 }
      told.append("\(instant) hit \(beat) at \(tap.stamp) \(error) \(grade ?? -1), \(tally)")
    } else {
      told.append("\(instant) ghost \(tap.stamp), \(missed.count)")
    }
  }
}

/// A value for every microsecond that a test may speak of.
private struct ByInstant<Value> {
  static var last: Int64 { 2_400 }
  private static var first: Int64 { -1_000 }
  private var values: [Value]

  init(_ value: Value) { values = [Value](repeating: value, count: Int(Self.last - Self.first) + 1) }

  subscript(instant: Int64) -> Value {
    get { values[Int(max(instant, Self.first) - Self.first)] }
    set { values[Int(instant - Self.first)] = newValue }
  }
}
