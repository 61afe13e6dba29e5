// SPDX-License-Identifier: Apache-2.0

import Timing

/// Whether a device's position moves in steps that the device does not tell of, by what its readings say: pure.
///
/// Only what no device with a fine position can do counts, however late anybody read it: that it stood still between two
/// readings, or ran dry sooner than what it had left takes to be played. A start may be slow, and its first move a leap.
struct PositionSteps: Equatable, Sendable, BitwiseCopyable {
  /// Findings after which it is not believed any more.
  static var limit: Int { @_noLocks get { 2 } }
  /// Frames for as long as which a position that moves finely never stands still.
  static var leastStand: Int64 { @_noLocks get { 128 } }
  /// Frames that a device may fetch before it plays them.
  static var fetched: Int64 { @_noLocks get { 64 } }

  /// What was found since the device was opened.
  private(set) var findings = 0
  private var played: Int64 = 0
  private var queued: Int64 = 0
  /// When it was asked last.
  private var askedAt = Instant.distantPast
  /// Since when the position was seen where it is.
  private var seenAt = Instant.distantPast
  /// How often it was seen to move since its start: further than to the second time nobody counts.
  private var moves = 0
  /// Whether the stand that lasts is among the findings.
  private var isCounted = false

  /// Nothing is known.
  @_noLocks init() {}

  /// Whether it moves in steps.
  var isCertain: Bool { @_noLocks get { findings >= PositionSteps.limit } }

  /// It is started anew, not before `now`, with `queued` frames.
  @_noLocks mutating func start(queued: Int64, at now: Instant) {
    (played, self.queued, askedAt, seenAt) = (0, queued, now, now)
    (moves, isCounted) = (0, false)
  }

  /// Asked not before `asked`, while it ran, it told by `answered` that it has played `played` frames, with `queued` left.
  @_noLocks mutating func read(played: Int64, queued: Int64, asked: Instant, answered: Instant, rate: Int) {
    if played != self.played {
      self.played = played
      seenAt = answered
      moves = min(moves + 1, 2)
      isCounted = false
    } else if moves == 2, !isCounted, asked - seenAt >= Interval.frames(PositionSteps.leastStand, rate: rate) {
      isCounted = true
      findings += 1
    }
    self.queued = queued
    askedAt = asked
  }

  /// It had run dry by `now`.
  @_noLocks mutating func ranDry(by now: Instant, rate: Int) {
    guard now - askedAt < Interval.frames(queued - PositionSteps.fetched, rate: rate) else { return }
    findings += 1
  }
}
