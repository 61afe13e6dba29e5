// SPDX-License-Identifier: Apache-2.0

import Partitioning
import Timing

extension HapticMixer {
  /// How many changes a millisecond may be looked at one by one while so many patterns play: each look asks all of them.
  public static func looks(for players: Int) -> Int { max(4, 128 / max(players, 1)) }

  /// Lets time pass from `start` (not before `now`) up to, not including, `end`, and shows what is felt: at the start, and
  /// at every change, where there are no more than `most`. Of more, between any two commands or turns, the instants at
  /// which something strong begins and the last change; so that a look takes a bounded time whatever is played. With
  /// `beforeChanges` also just before every change, where what rises stands highest. Answers how many changes there are.
  @discardableResult
  public mutating func look(
    from start: Instant, to end: Instant, most: Int, beforeChanges: Bool = false,
    _ body: (_ at: Instant, HapticLevel) -> Void
  ) -> Int {
    let moment = Interval(nanoseconds: 1)
    var at = max(start, now)
    var changes = 0
    var left = most
    while at < end {
      _ = advance(to: at)
      body(at, level(at: at))
      let boundary = min(nextBoundary ?? end, end)
      let ahead = changeCount(after: at, before: boundary)
      if ahead > left {
        for instant in landmarks(after: at, before: boundary) { body(instant, level(at: instant)) }
        if beforeChanges { body(boundary - moment, level(at: boundary - moment)) }
        changes += ahead
        at = boundary
      } else {
        guard let next = nextChange(after: at), next < end else { break }
        if beforeChanges, next - moment > at { body(next - moment, level(at: next - moment)) }
        left = max(left - 1, 0)
        at = next
      }
      changes += 1
    }
    return changes
  }

  /// How many edges and bends lie between two instants, with no command or turn between them.
  private func changeCount(after start: Instant, before end: Instant) -> Int {
    if isMuted { return 0 }
    return players.reduce(0) { $0 + $1.changeCount(after: start, before: end) }
  }

  /// The instants between two others, with no command or turn between them, at which the strongest taps and vibrations
  /// begin, and the last change; in order.
  private func landmarks(after start: Instant, before end: Instant) -> [Instant] {
    var strongest: [(at: Instant, strength: Double)] = []
    var last: Instant?
    for player in players {
      for landmark in player.strongestStarts(after: start, before: end) {
        let place = strongest.partitioningIndex { $0.strength < landmark.strength }
        if place < 2 { strongest.insert(landmark, at: place) }
        if strongest.count > 2 { strongest.removeLast() }
      }
      if let change = player.lastEdge(after: start, before: end), change > (last ?? start) { last = change }
    }
    var instants = strongest.map(\.at)
    if let last, !instants.contains(last) { instants.append(last) }
    return instants.sorted()
  }
}

extension HapticPlayer {
  private var isFelt: Bool { hasStarted && !isPaused && !isMuted }

  /// How many edges of its pattern and bends of its controls lie between two instants.
  fileprivate func changeCount(after start: Instant, before end: Instant) -> Int {
    if !isFelt { return 0 }
    return pattern.edgeRange(after: position(at: start), before: position(at: end)).count
      + tracks.reduce(0) { $0 + $1.bendCount(after: start.nanoseconds, before: end.nanoseconds) }
  }

  /// When the strongest tap and the strongest vibration begin between two instants, and how strong they are there.
  fileprivate func strongestStarts(after start: Instant, before end: Instant) -> [(at: Instant, strength: Double)] {
    if !isFelt { return [] }
    return pattern.strongestStarts(after: position(at: start), before: position(at: end)).compactMap { time, strength in
      guard let at = instant(of: time), at > start, at < end else { return nil }
      return (at, strength * factor(at: at))
    }
  }

  /// The last edge of its pattern between two instants.
  fileprivate func lastEdge(after start: Instant, before end: Instant) -> Instant? {
    if !isFelt { return nil }
    let range = pattern.edgeRange(after: position(at: start), before: position(at: end))
    guard let last = range.last, let at = instant(of: Interval(nanoseconds: pattern.feltEdges[last])) else {
      return nil
    }
    return at > start && at < end ? at : nil
  }
}

extension HapticPattern {
  /// The indices of the edges between two times.
  fileprivate func edgeRange(after start: Interval, before end: Interval) -> Range<Int> {
    let low = feltEdges.partitioningIndex { $0 > start.nanoseconds }
    return low..<max(feltEdges.partitioningIndex { $0 >= end.nanoseconds }, low)
  }

  /// When the strongest tap and the strongest continuous event begin between two times, with their intensities.
  fileprivate func strongestStarts(after start: Interval, before end: Interval) -> [(time: Interval, strength: Double)]
  {
    var starts: [(time: Interval, strength: Double)] = []
    let taps = strongestTaps.pieces
    let firstTap = taps.partitioningIndex { $0.start > start.nanoseconds }
    let lastTap = taps.partitioningIndex { $0.start >= end.nanoseconds }
    if firstTap < lastTap, let index = tapTree.greatest(in: firstTap..<lastTap) {
      starts.append(sample(at: taps[index].start, taps[index].intensity))
    }
    let first = continuous.partitioningIndex { $0.start > start.nanoseconds }
    let last = continuous.partitioningIndex { $0.start >= end.nanoseconds }
    if first < last, let index = continuousTree.greatest(in: first..<last) {
      starts.append(sample(at: continuous[index].start, continuous[index].intensity))
    }
    return starts
  }

  private func sample(at time: Int64, _ strength: Double) -> (time: Interval, strength: Double) {
    (Interval(nanoseconds: time), strength * unitClamp(intensity.value(at: time)))
  }
}

extension ControlTrack {
  fileprivate func bendCount(after start: Int64, before end: Int64) -> Int {
    let low = pieces.partitioningIndex { $0.start > start }
    return max(pieces.partitioningIndex { $0.start >= end } - low, 0)
  }
}
