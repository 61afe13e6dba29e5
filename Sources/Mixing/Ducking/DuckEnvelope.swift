// SPDX-License-Identifier: Apache-2.0

/// One ducking rule at work: the voices it counts, and the gain that comes of them.
struct DuckEnvelope: BitwiseCopyable {
  let rule: DuckRule
  /// Voices that carry the rule and are not over, heard or not.
  var holders: Int32 = 0
  /// Those of them that are heard.
  private var sounding: Int32 = 0
  /// The frame after the last that any of them was heard at.
  private var lastEnd = Int64.min
  /// The frame at which the bus begins to come back, or `.max`.
  private(set) var releaseAt = Int64.max
  /// The gain of the bus as far as this rule goes, up to `releaseAt`.
  private(set) var gain = Ramp(steady: 1)
  /// The frame at which the first of those that sound began, and what held up to it.
  private var beganAt = Int64.min
  private var before = (gain: Ramp(steady: 1), releaseAt: Int64.max)

  @_noLocks init(_ rule: DuckRule) { self.rule = rule }

  /// A voice is heard from `frame` on.
  @_noLocks mutating func begin(at frame: Int64) {
    sounding &+= 1
    if sounding > 1 { return }
    // Where the bus would come back just here it stays as it is.
    pass(to: frame - 1)
    beganAt = frame
    before = (gain, releaseAt)
    releaseAt = .max
    if gain.to != rule.depth { turn(to: rule.depth, at: frame, frames: rule.attack) }
  }

  /// A voice is heard up to `frame`. Within a block ends come in the order of slots, so the last is not always the latest.
  @_noLocks mutating func end(at frame: Int64) {
    sounding &-= 1
    lastEnd = max(lastEnd, frame)
    if sounding > 0 { return }
    // Voices that end where they begin are not heard at all.
    if lastEnd <= beganAt { (gain, releaseAt) = before } else { releaseAt = lastEnd + Int64(rule.hold) }
  }

  /// Lets time go on to `frame`, which is before no end that is still to be told.
  @_noLocks mutating func pass(to frame: Int64) {
    if frame < releaseAt { return }
    turn(to: 1, at: releaseAt, frames: rule.release)
    releaseAt = .max
  }

  /// Whether nothing is left of it at `frame`.
  @_noLocks func isOver(at frame: Int64) -> Bool { holders == 0 && isStill(at: frame) }

  /// Whether it leaves its bus alone at `frame`, and does until a voice is heard.
  @_noLocks func isStill(at frame: Int64) -> Bool {
    releaseAt == .max && gain.to == 1 && !gain.isMoving(at: frame)
  }

  @_noLocks private mutating func turn(to target: Float, at frame: Int64, frames: Int32) {
    gain = Ramp(from: gain.value(at: frame), to: target, start: frame, fade: Fade(frames: frames))
  }
}
