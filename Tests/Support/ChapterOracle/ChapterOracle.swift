// SPDX-License-Identifier: Apache-2.0

/// Judges one run of a random chapter by visiting every microsecond of the daemon's clock: it knows no cells, no deadlines
/// and no stretches of time, asks which beat is nearest, and tries every instant to see whether a beat can still be hit.
public struct ChapterOracle {
  /// What of the run an instant was.
  private enum Lived {
    case moment(Int64)
    case again
    case nothing
  }

  private let chapter: RandomChapter
  private let stalls: [ClosedRange<Int64>]
  private let pauses: [Pause]
  private let span: ClosedRange<Int64>
  /// When each beat is heard, as moments of the run: song time since its beginning, as much shorter as the song is faster.
  public let beats: [Int64]
  /// How long the song's part is, as a player waits for it.
  public let length: Int64
  /// When the run is over, as a moment: its length has passed and nothing can be hit, had all been missed or not.
  public private(set) var end: Int64 = 0
  /// When the song's own beginning would have been heard: at or before the run's.
  public let songBegins: Int64
  /// Beats that take no part: they could be tapped before the place where the run begins.
  public private(set) var out: Set<Int> = []
  private var hit: Set<Int> = []
  private var missed: Set<Int> = []
  private var voided: Set<Int> = []
  private var grades: [Int]
  private var combo = 0
  private var longestCombo = 0
  private var ghosts = 0
  private var assistedFrom: Int64?
  private var waiting: [(moment: Int64, tap: Delivery)] = []
  private var verdicts: [String] = []
  /// What is told of taps and misses, each behind the instant at which it is decided.
  public private(set) var told: [String] = []
  /// Taps that are refused, each behind the instant at which it came.
  public private(set) var refused: [String] = []
  /// What is told ahead of beats, each behind its instant.
  public private(set) var announced: [String] = []
  /// By how much each pause puts off all that is to come.
  public private(set) var moved: [Int64] = []
  /// For each pause, from when on nothing comes for the second time.
  public private(set) var goesOn: [Int64] = []
  /// What there was to be seen each time that somebody looked.
  public private(set) var seen: [Sight] = []
  private var over = false
  /// For each beat, the last instant that belongs to it.
  private var lastInstants: [Int64] = []
  /// What every instant was, the moment that was heard then, and when every moment came first.
  private var lived: ByInstant<Lived>
  private var heard: ByInstant<Int64>
  private var instants: ByInstant<Int64?>

  /// Of instants in `span`, which begins before the first that matters. An end of a pause that nobody knows is `Int64.max`.
  public init(
    chapter: RandomChapter, stalls: [ClosedRange<Int64>] = [], pauses: [Pause], span: ClosedRange<Int64>
  ) {
    self.chapter = chapter
    self.stalls = stalls
    self.pauses = pauses
    self.span = span
    lived = ByInstant(.nothing, span)
    heard = ByInstant(0, span)
    // A moment is one of the run, which begins with its start.
    instants = ByInstant(nil, span.lowerBound - chapter.start...span.upperBound - chapter.start)
    func instant(_ position: Int64) -> Int64 {
      nearest(1_000 * (position - chapter.position), over: Int64((chapter.rate * 1_000).rounded()))
    }
    beats = chapter.beats.map { instant($0.at) }
    length = instant(chapter.length)
    songBegins = instant(0)
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
    findEnd()
    live()
  }

  /// Lets a clock run that stands still in pauses and is put back behind them.
  private mutating func live() {
    var moment = span.lowerBound - chapter.start
    var newest = moment - 1
    var coming = pauses[...]
    for instant in span {
      while let pause = coming.first, instant == pause.to {
        moment -= pause.countIn
        moved.append(instant - moment)
        goesOn.append(instant + newest + 1 - moment)
        coming.removeFirst()
      }
      heard[instant] = moment
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
  private func owner(_ moment: Int64, _ lane: Int?) -> Int? {
    var nearest: Int?
    for beat in beats.indices where chapter.beats[beat].lane == lane {
      if let known = nearest, abs(beats[known] - moment) <= abs(beats[beat] - moment) { continue }
      nearest = beat
    }
    guard let near = nearest else { return nil }
    let opens = beats[near] - chapter.window
    var reach = chapter.window
    if let assistedFrom, opens > assistedFrom {
      if moment < assistedFrom { return nil }
      reach = chapter.wide
    }
    return abs(beats[near] - moment) <= reach ? near : nil
  }

  /// Finds them by trying every moment.
  private mutating func findLastInstants() {
    lastInstants = beats.indices.map { beat in
      (beats[beat]...(beats[beat] + chapter.wide)).last { owner($0, chapter.beats[beat].lane) == beat } ?? beats[beat]
    }
  }

  /// Nothing opens for longer than where every beat is missed: help comes soonest then.
  private mutating func findEnd() {
    let misses = beats.indices.filter { !out.contains($0) }.map { lastInstants[$0] }.sorted()
    if misses.count >= chapter.misses { assistedFrom = misses[chapter.misses - 1] + chapter.grace }
    findLastInstants()
    end = max(length, (lastInstants.max() ?? 0) + chapter.grace)
    assistedFrom = nil
    findLastInstants()
  }

  /// Plays the taps up to and including `last`, after which the run is broken off. Each look is at an instant, once so many
  /// taps have come.
  public mutating func play(_ deliveries: [Delivery], until last: Int64 = .max, looks: [(at: Int64, taps: Int)] = []) {
    var coming = deliveries[...]
    var looking = looks[...]
    var current = span.lowerBound - chapter.start - 1
    for instant in span.lowerBound...min(last, span.upperBound) {
      if case .moment(let moment) = lived[instant] {
        announce(moment, at: instant)
        visit(moment, at: instant)
        current = moment
      }
      while true {
        while let look = looking.first, look.at == instant, look.taps == deliveries.count - coming.count {
          looking.removeFirst()
          seen.append(sight(at: instant, current))
        }
        guard let tap = coming.first, (tap.stall?.lowerBound ?? tap.now) == instant else { break }
        coming.removeFirst()
        if !over { take(tap, at: instant, current) }
      }
    }
  }

  private func sight(at instant: Int64, _ current: Int64) -> Sight {
    let reached = max(heard[instant], current)
    let pending = Set(beats.indices).subtracting(out).subtracting(hit).subtracting(missed).subtracting(voided)
    return Sight(
      isOver: over, moment: heard[instant],
      inSight: pending.filter { beats[$0] <= reached + chapter.spawnLead }.sorted(), verdicts: verdicts, tally: tally,
      assisted: assistedFrom.flatMap { instants[$0] })
  }

  /// How the run stands, or stood when it was over.
  public var tally: SeenTally {
    SeenTally(hits: hit.count, misses: missed.count, ghosts: ghosts, longestCombo: longestCombo)
  }

  /// Spawns come before beats of the same instant.
  private mutating func announce(_ moment: Int64, at instant: Int64) {
    for beat in beats.indices where !out.contains(beat) && beats[beat] - chapter.spawnLead == moment {
      // The instant that is promised knows of a pause to come only where its end is known.
      var promised = instant + chapter.spawnLead
      for pause in pauses where pause.known < instant && instant < pause.from && pause.from <= promised {
        promised += pause.to - pause.from + pause.countIn
      }
      announced.append("\(instant) spawn \(beat) for \(promised)")
    }
    for beat in beats.indices where !out.contains(beat) && beats[beat] == moment {
      announced.append("\(instant) beat \(beat)")
    }
  }

  private var counts: String { "\(missed.count), combo \(combo) of \(hit.count)" }

  private mutating func visit(_ moment: Int64, at instant: Int64) {
    if over { return }
    for beat in beats.indices
    where !out.contains(beat) && !hit.contains(beat) && !missed.contains(beat) && !voided.contains(beat)
      && lastInstants[beat] + chapter.grace == moment
    {
      let last = instants[lastInstants[beat]] ?? 0
      if nobodyListened(to: beat) {
        voided.insert(beat)
        verdicts.append("\(beat) void")
        told.append("\(instant) void \(beat) at \(last), \(counts)")
        continue
      }
      missed.insert(beat)
      verdicts.append("\(beat) miss")
      combo = 0
      told.append("\(instant) miss \(beat) at \(last), \(counts)")
      if missed.count == chapter.misses {
        assistedFrom = moment
        findLastInstants()
        told.append("\(instant) assist")
      }
    }
    for (stamp, tap) in waiting where stamp == moment { decide(stamp, tap, at: instant) }
    if moment >= end {
      for (stamp, _) in waiting.filter({ $0.moment > moment }).sorted(by: { $0.moment < $1.moment }) {
        ghosts += 1
        told.append("\(instant) ghost \(instants[stamp] ?? 0), \(missed.count)")
      }
      over = true
      told.append("\(instant) complete \(beats.count - out.count) \(grades) \(longestCombo)")
    }
  }

  /// Whether every moment of the beat came first in one stall.
  private func nobodyListened(to beat: Int) -> Bool {
    let own = (beats[beat] - chapter.wide...beats[beat] + chapter.wide).filter {
      owner($0, chapter.beats[beat].lane) == beat
    }
    return stalls.contains { stall in own.allSatisfy { stall.contains(instants[$0] ?? .min) } }
  }

  /// Decided at the last moment that was lived through: `current`.
  private mutating func take(_ tap: Delivery, at instant: Int64, _ current: Int64) {
    let decided = instants[current] ?? instant
    switch lived[tap.stamp] {
    case .nothing: refused.append("\(instant) in a pause")
    case .again:
      ghosts += 1
      told.append("\(decided) ghost \(tap.stamp), \(missed.count)")
    case .moment(let stamp):
      if tap.stall != nil, stamp > current {
        waiting.append((stamp, tap))
        return
      }
      let beat = owner(stamp, tap.lane)
      if let beat, !out.contains(beat), lastInstants[beat] + chapter.grace <= current {
        refused.append("\(instant) too late for \(beat)")
      } else if beat == nil, stamp > current, assistedFrom == nil {
        waiting.append((stamp, tap))
      } else {
        decide(stamp, tap, at: decided)
      }
    }
  }

  private mutating func decide(_ moment: Int64, _ tap: Delivery, at instant: Int64) {
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
      verdicts.append("\(beat) hit \(error) \(grade ?? -1)")
      told.append("\(instant) hit \(beat) at \(tap.stamp) \(error) \(grade ?? -1), \(counts)")
    } else {
      ghosts += 1
      told.append("\(instant) ghost \(tap.stamp), \(missed.count)")
    }
  }
}

/// The whole number nearest to a quotient, of two the later: found by trying.
public func nearest(_ dividend: Int64, over divisor: Int64) -> Int64 {
  let near = dividend / divisor
  return (near - 2...near + 2).reversed().min { abs($0 * divisor - dividend) < abs($1 * divisor - dividend) } ?? near
}
