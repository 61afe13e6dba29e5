// SPDX-License-Identifier: Apache-2.0

import Partitioning
import Timing

extension HapticMixer {
  /// Of how long a time one change is told where they are dense: a millisecond for each of `lookPrice`.
  public var denseSpan: Interval { .milliseconds(Int64(lookPrice)) }

  /// As how many looks at a change one counts: 1, and one more for each 32 players, or as much as they come to, for a look asks
  /// all of them.
  package var lookPrice: Int { 1 + (weight - 1) / 32 }

  /// How many changes may be looked at one by one in a look, of `most`: as many more as there are fewer players to be asked.
  public func looks(atMost most: Int) -> Int { min(most, max(4, 128 / max(weight, 1))) }

  /// What the players come to that have begun and are not paused (`HapticPattern.weight`).
  private var weight: Int {
    var sum = 0
    forEachPlayer { if $0.hasStarted && !$0.isPaused { sum += $0.pattern.weight } }
    return sum
  }

  /// Lets time pass from `start` (not before `now`) up to, not including, `end`, and shows what is felt: at the start, and
  /// at every change, command and turn, where those are no more than `most`. Of more, from there on, the instants at which
  /// something strong begins and the last change: so a look takes a bounded time whatever is played, and however many play. With
  /// `beforeChanges` also just before every change, where what rises stands highest, or just before the end. Answers how
  /// many changes there are.
  @discardableResult
  public mutating func look(
    from start: Instant, to end: Instant, most: Int, beforeChanges: Bool = false,
    _ body: (_ at: Instant, HapticLevel) -> Void
  ) -> Int {
    let moment = Interval(nanoseconds: 1)
    var at = max(start, now)
    if at >= end { return 0 }
    var changes = 1
    while true {
      show(at, body)
      if changes > most || changeCount(after: at, before: min(nextBoundary ?? end, end)) > most - changes + 1 {
        changes += lookInParts(after: at, before: end, body)
        if beforeChanges, end - moment > at { show(end - moment, body) }
        return changes
      }
      guard let next = nextChange(after: at), next < end else { return changes }
      if beforeChanges, next - moment > at { body(next - moment, level(at: next - moment)) }
      at = next
      changes += 1
    }
  }

  private mutating func show(_ at: Instant, _ body: (_ at: Instant, HapticLevel) -> Void) {
    _ = advance(to: at)
    body(at, level(at: at))
  }

  /// Shows what is felt where the strongest taps and vibrations begin between two instants, at the first commands and at the last
  /// change. Answers about how many changes there are.
  private mutating func lookInParts(
    after start: Instant, before end: Instant, _ body: (_ at: Instant, HapticLevel) -> Void
  ) -> Int {
    var parts = HapticParts(after: start, before: end)
    if !isMuted { forEachPlayer { $0.add(to: &parts) } }
    // The commands that are to come are kept with the next of them last.
    let first = pending.partitioningIndex { $0.at < end }
    if first < pending.endIndex { parts.add(changes: pending.count - first, last: pending[first].at) }
    // What a command begins is not known before.
    for entry in pending[first...].suffix(HapticParts.mostCommands) { parts.add(command: entry.at) }
    for instant in parts.instants { show(instant, body) }
    return parts.changes
  }

  /// How many edges and bends lie between two instants, with no command or turn between them.
  private func changeCount(after start: Instant, before end: Instant) -> Int {
    if isMuted { return 0 }
    var count = 0
    forEachPlayer { count += $0.changeCount(after: start, before: end) }
    return count
  }
}

/// What all that play come to between two instants, of which only some are looked at.
private struct HapticParts {
  let start: Instant
  let end: Instant
  private(set) var changes = 0
  /// Of commands so many are looked at, the first.
  static let mostCommands = 4
  private var last: Instant?
  private var commands: [Instant] = []
  private var strongest: [(at: Instant, strength: Double)] = []

  init(after start: Instant, before end: Instant) { (self.start, self.end) = (start, end) }

  mutating func add(changes count: Int, last at: Instant?) {
    changes += count
    if let at, at > start, at < end { last = max(last ?? at, at) }
  }

  mutating func add(command at: Instant) {
    if at > start, at < end { commands.append(at) }
  }

  mutating func add(start at: Instant, strength: Double) {
    guard at > start, at < end else { return }
    let place = strongest.partitioningIndex { $0.strength < strength }
    if place < 2 { strongest.insert((at, strength), at: place) }
    if strongest.count > 2 { strongest.removeLast() }
  }

  /// The instants that are looked at, in order.
  var instants: [Instant] {
    Set(strongest.map(\.at) + commands + [last].compactMap(\.self)).sorted()
  }
}

extension HapticPlayer {
  private var isFelt: Bool { hasStarted && !isPaused && !isMuted }

  /// How many edges of its pattern and bends of its controls lie between two instants.
  fileprivate func changeCount(after start: Instant, before end: Instant) -> Int {
    if !isFelt { return 0 }
    return pattern.edgeRange(after: position(at: start), before: position(at: end)).count
      + bendCount(after: start.nanoseconds, before: end.nanoseconds)
  }

  private func bendCount(after start: Int64, before end: Int64) -> Int {
    var count = 0
    forEachTrack { count += $0.bendCount(after: start, before: end) }
    return count
  }

  /// Adds what it comes to: up to its turn and, as it is then, up to the one after. A loop that is as short as that comes to the
  /// same each time.
  fileprivate func add(to parts: inout HapticParts) {
    let turn = turnInstant ?? parts.end
    addPart(to: &parts, after: parts.start, before: min(turn, parts.end))
    if turn >= parts.end { return }
    parts.add(changes: 1, last: turn)
    var later = self
    guard later.takeTurn(at: turn, before: turn) != nil else { return }
    later.addPart(
      to: &parts, after: turn - Interval(nanoseconds: 1), before: min(later.turnInstant ?? parts.end, parts.end))
  }

  /// Adds what it comes to between two instants with no turn between them.
  private func addPart(to parts: inout HapticParts, after start: Instant, before end: Instant) {
    if !isFelt { return }
    let (from, to) = (position(at: start), position(at: end))
    let edges = pattern.edgeRange(after: from, before: to)
    parts.add(
      changes: edges.count + bendCount(after: start.nanoseconds, before: end.nanoseconds),
      last: edges.last.flatMap { instant(of: Interval(nanoseconds: pattern.feltEdges[$0])) })
    pattern.forEachStrongestStart(after: from, before: to) { time, strength in
      guard let at = instant(of: time) else { return }
      parts.add(start: at, strength: strength * factor(at: at))
    }
  }
}

extension HapticPattern {
  /// The indices of the edges between two times.
  fileprivate func edgeRange(after start: Interval, before end: Interval) -> Range<Int> {
    let low = feltEdges.partitioningIndex { $0 > start.nanoseconds }
    return low..<max(feltEdges.partitioningIndex { $0 >= end.nanoseconds }, low)
  }

  /// When the strongest tap and the strongest continuous event begin between two times, with their intensities.
  fileprivate func forEachStrongestStart(
    after start: Interval, before end: Interval, _ body: (_ time: Interval, _ strength: Double) -> Void
  ) {
    let taps = strongestTaps.pieces
    let firstTap = taps.partitioningIndex { $0.start > start.nanoseconds }
    let lastTap = taps.partitioningIndex { $0.start >= end.nanoseconds }
    if firstTap < lastTap, let index = tapTree.greatest(in: firstTap..<lastTap) {
      show(taps[index].start, taps[index].intensity, body)
    }
    let first = continuous.partitioningIndex { $0.start > start.nanoseconds }
    let last = continuous.partitioningIndex { $0.start >= end.nanoseconds }
    if first < last, let index = continuousTree.greatest(in: first..<last) {
      show(continuous[index].start, continuous[index].intensity, body)
    }
  }

  private func show(_ time: Int64, _ strength: Double, _ body: (Interval, Double) -> Void) {
    body(Interval(nanoseconds: time), strength * unitClamp(intensity.value(at: time)))
  }
}

extension ControlTrack {
  fileprivate func bendCount(after start: Int64, before end: Int64) -> Int {
    let low = pieces.partitioningIndex { $0.start > start }
    return max(pieces.partitioningIndex { $0.start >= end } - low, 0)
  }
}
