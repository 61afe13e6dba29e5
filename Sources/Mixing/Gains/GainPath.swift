// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// The gains that act on one thing together, each a pure function of the output frame.
struct GainPath: BitwiseCopyable {
  /// What was asked for: how it comes in, and changes of gain.
  var level = Ramp(steady: 1)
  /// What is left of it on its way out.
  var ending = Ramp(steady: 1)
  /// What comes on top by itself: ducking of a bus, the dip of a stream that ran low.
  var dip = Ramp(steady: 1)
  /// Down while a voice is paused.
  var gate = Ramp(steady: 1)
  var left = Ramp(steady: 1)
  var right = Ramp(steady: 1)

  @_noLocks init() {}

  /// The first frame from which samples pass unchanged, or `.max`.
  var unityFrom: Int64 {
    @_noLocks get {
      let both = level.to * dip.to * gate.to * ending.to
      if both * left.to != 1 || both * right.to != 1 { return .max }
      return max(max(max(level.end, dip.end), max(gate.end, ending.end)), max(left.end, right.end))
    }
  }

  /// What the samples of one frame are multiplied by, the higher of both sides.
  @_noLocks func magnitude(at frame: Int64) -> Float {
    let both = level.value(at: frame) * dip.value(at: frame) * gate.value(at: frame) * ending.value(at: frame)
    return max((both * left.value(at: frame)).magnitude, (both * right.value(at: frame)).magnitude)
  }

  /// A stretch in which no gain begins, ends or changes its line, at most `limit` frames from `frame` on. `straight` says
  /// whether all of it is one line for each channel; if not, the gains have to be worked out frame by frame.
  @_noLocks @inline(__always) func stretch(
    at frame: Int64, limit: Int, line: UnsafeMutablePointer<GainLine>
  ) -> (frames: Int, straight: Bool) {
    let levelMoves = level.isMoving(at: frame)
    let dipMoves = dip.isMoving(at: frame)
    let gateMoves = gate.isMoving(at: frame)
    let endingMoves = ending.isMoving(at: frame)
    let panMoves = left.isMoving(at: frame) || right.isMoving(at: frame)
    line.pointee.index = 0
    line.pointee.slope_left = 0
    line.pointee.slope_right = 0
    if !levelMoves && !dipMoves && !gateMoves && !endingMoves && !panMoves {
      let both = level.to * dip.to * gate.to * ending.to
      line.pointee.base_left = both * left.to
      line.pointee.base_right = both * right.to
      return (limit, true)
    }
    if !panMoves {
      if levelMoves && !dipMoves && !gateMoves && !endingMoves {
        let others = dip.to * gate.to * ending.to
        return level.straighten(at: frame, limit: limit, line: line, times: others * left.to, others * right.to)
      }
      if dipMoves && !levelMoves && !gateMoves && !endingMoves {
        let others = level.to * gate.to * ending.to
        return dip.straighten(at: frame, limit: limit, line: line, times: others * left.to, others * right.to)
      }
      if gateMoves && !levelMoves && !dipMoves && !endingMoves {
        let others = level.to * dip.to * ending.to
        return gate.straighten(at: frame, limit: limit, line: line, times: others * left.to, others * right.to)
      }
      if endingMoves && !levelMoves && !dipMoves && !gateMoves {
        let others = level.to * dip.to * gate.to
        return ending.straighten(at: frame, limit: limit, line: line, times: others * left.to, others * right.to)
      }
    }
    var frames = Int64(limit)
    if levelMoves { frames = min(frames, level.end - frame) }
    if dipMoves { frames = min(frames, dip.end - frame) }
    if gateMoves { frames = min(frames, gate.end - frame) }
    if endingMoves { frames = min(frames, ending.end - frame) }
    if left.isMoving(at: frame) { frames = min(frames, left.end - frame) }
    if right.isMoving(at: frame) { frames = min(frames, right.end - frame) }
    return (Int(frames), false)
  }

  /// Works out `count` frames of gain, interleaved, from `frame` on; none of them beyond the end of a ramp that moves.
  @_noLocks func fill(
    _ gains: UnsafeMutablePointer<Float>, from frame: Int64, count: Int, _ kernel: rt_mix_kernel
  ) {
    for index in 0..<count { gains[index] = 1 }
    level.multiply(gains, from: frame, count: count, kernel)
    dip.multiply(gains, from: frame, count: count, kernel)
    gate.multiply(gains, from: frame, count: count, kernel)
    ending.multiply(gains, from: frame, count: count, kernel)
    // From the back, so that the gains of both channels can take the place of the gains before the pan.
    let panMoves = left.isMoving(at: frame) || right.isMoving(at: frame)
    var index = count - 1
    while index >= 0 {
      let both = gains[index]
      let now = frame + Int64(index)
      gains[2 * index + 1] = both * (panMoves ? right.value(at: now) : right.to)
      gains[2 * index] = both * (panMoves ? left.value(at: now) : left.to)
      index &-= 1
    }
  }
}
