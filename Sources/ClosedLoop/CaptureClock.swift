// SPDX-License-Identifier: Apache-2.0

import Timing

/// When each captured frame was there, from the device's readings, filtered as a playback device's are.
public struct CaptureClock: Sendable {
  /// What a reading adds to what is kept: a timeline good from `frame` on to the next one's.
  private struct Piece: Sendable {
    var end: Int64
    var timeline: AudioTimeline
  }

  private let rate: Int
  private let biasFloor: Interval
  private var estimator: TimelineEstimator?
  private var pieces: [Piece] = []
  /// Frames before which the device had lost some.
  private var breaks: [Int64] = []

  /// A clock for a device of `rate` frames a second whose readings may be wrong by `biasFloor` without showing it.
  public init(rate: Int, biasFloor: Interval) {
    self.rate = rate
    self.biasFloor = biasFloor
  }

  /// Takes in that `frame`, the next to be captured, was reached at `instant`.
  public mutating func read(frame: Int64, at instant: Instant) {
    guard var estimator else {
      self.estimator = TimelineEstimator(frame: frame, instant: instant, rate: rate, biasFloor: biasFloor)
      return
    }
    _ = estimator.measure(frame: frame, heardAt: instant)
    self.estimator = estimator
    guard estimator.isSettled else { return }
    // Ten a second are enough: the line hardly moves meanwhile.
    if let last = pieces.last, frame - last.end < Int64(rate / 10) { return }
    pieces.append(Piece(end: frame, timeline: estimator.timeline))
  }

  /// The device lost frames before `frame`: what was known of it ends here.
  public mutating func lost(before frame: Int64) {
    estimator = nil
    breaks.append(frame)
    // A look counts frames that were never handed over.
    while let last = pieces.last, last.end > frame { pieces.removeLast() }
  }

  /// How often frames were lost.
  public var losses: Int { breaks.count }

  /// When `frame` was there; nil where the clock had not settled by then, before or after a loss.
  public func instant(of frame: Int64) -> Instant? { piece(of: frame)?.timeline.instant(ofFrame: frame) }

  /// Half of the interval that holds the truth of `instant(of:)` 99 times of 100.
  public func errorBound(at frame: Int64) -> Interval? { piece(of: frame)?.timeline.errorBound }

  /// The frame that was there at `instant`, by the nearest reading; nil without any.
  public func frame(at instant: Instant) -> Int64? {
    let near = pieces.min {
      abs(($0.timeline.instant - instant).nanoseconds) < abs(($1.timeline.instant - instant).nanoseconds)
    }
    return near?.timeline.frame(at: instant)
  }

  private func piece(of frame: Int64) -> Piece? {
    let broken = breaks.last { $0 <= frame } ?? 0
    let next = breaks.first { $0 > frame } ?? .max
    // The first that knows what came after the frame.
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].end < frame { low = middle + 1 } else { high = middle }
    }
    guard low < pieces.count, pieces[low].end <= next, pieces[low].end >= broken else { return nil }
    return pieces[low]
  }
}
