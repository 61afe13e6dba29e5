// SPDX-License-Identifier: Apache-2.0

import Partitioning
import Timing

/// One control over time, from all that drives it: parameters set at an instant and curves, flattened into straight
/// pieces. Whichever took hold last wins: a curve takes hold at its first point and keeps hold, after its last point
/// with that point's value, until another begins. Before the first, the neutral value holds.
struct ControlTrack: Hashable, Sendable {
  /// A straight line from `start` (nanoseconds) to the next piece.
  struct Piece: Hashable, Sendable, BitwiseCopyable {
    var start: Int64
    var value: Double
    /// Per nanosecond.
    var slope: Double
    /// Whether a parameter or curve takes hold here.
    var takesHold: Bool
  }

  private(set) var pieces: [Piece] = []
  let neutral: Double
  private let range: ClosedRange<Double>

  /// A track that holds `neutral` until something is inserted, and clamps what is to `range`.
  init(neutral: Double, range: ClosedRange<Double>) {
    self.neutral = neutral
    self.range = range
  }

  init(_ parameter: AHAPDynamicParameter) { self.init(neutral: parameter.neutral, range: parameter.range) }

  /// Lets a parameter (one point) or a curve take hold, its points' times counted from `origin`. What takes hold later
  /// than its first point stays in force from there on; of two at the same instant the one inserted last wins.
  mutating func insert(_ points: [HapticParameterCurve.Point], from origin: Int64) {
    if points.count == 1 { return set(points[0].value, from: saturatingSum(origin, points[0].time.nanoseconds)) }
    let sorted = points.sorted { $0.time < $1.time }
    guard let first = sorted.first else { return }
    let start = saturatingSum(origin, first.time.nanoseconds)
    let (place, next) = givingWay(from: start)
    let limit = next < pieces.endIndex ? pieces[next].start : Int64.max

    var replacement: [Piece] = []
    for (index, point) in sorted.enumerated() {
      let at = saturatingSum(origin, point.time.nanoseconds)
      if at >= limit { break }
      let value = clamp(point.value)
      var piece = Piece(start: at, value: value, slope: 0, takesHold: replacement.isEmpty)
      if index + 1 < sorted.count {
        let following = sorted[index + 1]
        let length = following.time.nanoseconds - point.time.nanoseconds
        if length == 0 { continue }
        piece.slope = (clamp(following.value) - value) / Double(length)
      }
      replacement.append(piece)
    }
    pieces.replaceSubrange(place..<next, with: replacement)
  }

  /// A curve of one point, as most are that come while something plays.
  private mutating func set(_ value: Double, from start: Int64) {
    let (place, next) = givingWay(from: start)
    pieces.replaceSubrange(
      place..<next, with: CollectionOfOne(Piece(start: start, value: clamp(value), slope: 0, takesHold: true)))
  }

  /// What gives way to something that takes hold at `start`: up to what takes hold after it.
  private func givingWay(from start: Int64) -> (first: Int, next: Int) {
    let first = pieces.partitioningIndex { $0.start >= start }
    return (first, pieces[first...].firstIndex { $0.takesHold && $0.start > start } ?? pieces.endIndex)
  }

  /// Puts a curve in place of all that holds from its first point on.
  mutating func replace(with points: [HapticParameterCurve.Point], from origin: Int64) {
    guard let first = points.map(\.time.nanoseconds).min() else { return }
    let start = saturatingSum(origin, first)
    pieces.removeSubrange(pieces.partitioningIndex { $0.start >= start }...)
    insert(points, from: origin)
  }

  /// Drops what lies wholly before `time`.
  mutating func forget(before time: Int64) {
    let current = pieces.partitioningIndex { $0.start > time }
    if current > 1 { pieces.removeFirst(current - 1) }
  }

  private func clamp(_ value: Double) -> Double {
    value.isNaN ? neutral : min(max(value, range.lowerBound), range.upperBound)
  }
}

/// The piece in force at `time`, or nil where the neutral value holds.
@_noAllocation func controlPiece(_ pieces: Span<ControlTrack.Piece>, at time: Int64) -> ControlTrack.Piece? {
  var low = 0
  var high = pieces.count
  while low < high {
    let middle = (low + high) / 2
    if pieces[middle].start <= time { low = middle + 1 } else { high = middle }
  }
  return low == 0 ? nil : pieces[low - 1]
}

extension ControlTrack.Piece {
  /// The value at `time`, not before `start`.
  @_noAllocation func value(at time: Int64) -> Double { value + slope * Double(time - start) }
}

extension ControlTrack {
  func value(at time: Int64) -> Double { controlPiece(pieces.span, at: time)?.value(at: time) ?? neutral }

  /// Its value at `time` and how that goes on, per nanosecond, up to the next bend.
  func piece(at time: Int64) -> (value: Double, slope: Double) {
    guard let piece = controlPiece(pieces.span, at: time) else { return (neutral, 0) }
    return (piece.value(at: time), piece.slope)
  }

  /// Whether it stays at what holds where nothing is said; from its first piece on.
  var isNeutral: Bool { pieces.allSatisfy { $0.value == neutral && $0.slope == 0 } }

  /// Whether the control changes from `time` on.
  func isMoving(at time: Int64) -> Bool { (controlPiece(pieces.span, at: time)?.slope ?? 0) != 0 }

  /// The first bend or step after `time`.
  func nextBend(after time: Int64) -> Int64? {
    let index = pieces.partitioningIndex { $0.start > time }
    return index < pieces.endIndex ? pieces[index].start : nil
  }
}
