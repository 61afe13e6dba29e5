// SPDX-License-Identifier: Apache-2.0

import Partitioning
import Timing

extension HapticPattern {
  /// What is to be felt at `time` from the pattern's start; silence before 0 and from `duration` on.
  public func level(at time: Interval) -> HapticLevel {
    var blend = HapticBlend()
    add(to: &blend, at: time, intensity: 1, sharpness: 0)
    return blend.level()
  }

  /// The next time after `time` at which the level may differ from what it is there: the next edge, or, while the level
  /// moves, `step` later at the latest. Nil when nothing more will change.
  public func nextChange(after time: Interval, step: Interval = HapticPattern.rampStep) -> Interval? {
    let isMoving = isMoving(at: time)
    guard let edge = nextEdge(after: time, isMoving: isMoving) else { return nil }
    return isMoving ? min(edge, time + step) : edge
  }

  /// Every level from the start to the end, at edges exactly and at least every `step` while the level moves.
  public func changes(step: Interval = HapticPattern.rampStep) -> [(time: Interval, level: HapticLevel)] {
    var changes = [(Interval.zero, level(at: .zero))]
    var time = Interval.zero
    while let next = nextChange(after: time, step: max(step, .microseconds(1))) {
      let level = level(at: next)
      if level != changes[changes.count - 1].1 { changes.append((next, level)) }
      time = next
    }
    return changes
  }

  /// The most intense level from `start` on and before `end`, of equals the first; looked at wherever it may change, while
  /// it moves at least every `step`.
  public func highest(from start: Interval, to end: Interval, step: Interval = HapticPattern.rampStep) -> HapticLevel {
    var highest = level(at: start)
    var time = start
    while let next = nextChange(after: time, step: max(step, .microseconds(1))), next < end {
      let level = level(at: next)
      if level.intensity > highest.intensity { highest = level }
      time = next
    }
    return highest
  }

  /// The highest intensity that is felt, 0...1: what events come to together.
  public var peak: Double { Double(highest(from: .zero, to: duration).intensity) }

  /// The next step or bend after `time`, up to which the level stands still or `isMoving`.
  func nextEdge(after time: Interval, isMoving: Bool) -> Interval? {
    let edges = isMoving ? edges : feltEdges
    let index = edges.partitioningIndex { $0 > time.nanoseconds }
    return index < edges.endIndex ? Interval(nanoseconds: edges[index]) : nil
  }

  /// Lays what sounds at `time` into `blend`, its intensity multiplied by `intensity` and its sharpness raised by
  /// `sharpness`: the controls of a player, on top of the pattern's own. What comes of that is multiplied by `timesSharpness`.
  func add(
    to blend: inout HapticBlend, at time: Interval, intensity: Double, sharpness: Double, timesSharpness: Double = 1
  ) {
    let at = time.nanoseconds
    let factor = unitClamp(self.intensity.value(at: at) * intensity)
    if factor <= 0 { return }
    let offset = self.sharpness.value(at: at) + sharpness
    if let tap = strongestTaps.piece(at: at) {
      blend.addTransient(
        intensity: tap.intensity * factor, sharpness: unitClamp(tap.sharpness + offset) * timesSharpness)
    }
    let (continuous, latestEnds) = (continuous, latestEnds)
    if continuous.isEmpty { return }
    let events = ContinuousSample(at: at, factor: factor, sharpnessOffset: offset, sharpnessFactor: timesSharpness)
    events.add(continuous.span, latestEnds.span, 0, continuous.count, to: &blend)
  }

  /// Whether the level changes steadily from `time` on, up to the next edge.
  func isMoving(at time: Interval) -> Bool {
    let at = time.nanoseconds
    let isDriven = intensity.isMoving(at: at) || sharpness.isMoving(at: at)
    if isDriven && strongestTaps.piece(at: at) != nil { return true }
    let (continuous, latestEnds) = (continuous, latestEnds)
    if continuous.isEmpty { return false }
    return hasMoving(continuous.span, latestEnds.span, 0, continuous.count, at: at, anyEvent: isDriven)
  }

  /// Whether anything sounds at `time`, however faintly.
  func isSounding(at time: Interval) -> Bool {
    let at = time.nanoseconds
    let (continuous, latestEnds) = (continuous, latestEnds)
    return strongestTaps.piece(at: at) != nil
      || hasMoving(continuous.span, latestEnds.span, 0, continuous.count, at: at, anyEvent: true)
  }
}

/// One look at the continuous events, through the tree of their latest ends: halves that have ended are not entered.
private struct ContinuousSample {
  let at: Int64
  let factor: Double
  let sharpnessOffset: Double
  let sharpnessFactor: Double

  @_noAllocation func add(
    _ events: Span<HapticContinuous>, _ latestEnds: Span<Int64>, _ low: Int, _ high: Int, to blend: inout HapticBlend
  ) {
    if low >= high { return }
    let middle = (low + high) / 2
    if latestEnds[middle] <= at { return }
    add(events, latestEnds, low, middle, to: &blend)
    let event = events[middle]
    if event.start > at { return }
    let intensity = event.intensity * event.envelope.level(at: at - event.start) * factor
    if intensity > 0 {
      blend.addContinuous(
        intensity: intensity, sharpness: unitClamp(event.sharpness + sharpnessOffset) * sharpnessFactor)
    }
    add(events, latestEnds, middle + 1, high, to: &blend)
  }
}

/// Whether an event that sounds is moving by itself or, with `anyEvent`, sounds at all.
@_noAllocation private func hasMoving(
  _ events: Span<HapticContinuous>, _ latestEnds: Span<Int64>, _ low: Int, _ high: Int, at time: Int64, anyEvent: Bool
) -> Bool {
  if low >= high { return false }
  let middle = (low + high) / 2
  if latestEnds[middle] <= time { return false }
  if hasMoving(events, latestEnds, low, middle, at: time, anyEvent: anyEvent) { return true }
  let event = events[middle]
  if event.start > time { return false }
  if time < event.end && (anyEvent || event.envelope.isMoving(at: time - event.start)) { return true }
  return hasMoving(events, latestEnds, middle + 1, high, at: time, anyEvent: anyEvent)
}
