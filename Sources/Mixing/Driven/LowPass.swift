// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// What dulls a bus: a low-pass of second order, 12 dB an octave, whose corner moves. Open it does nothing at all.
struct LowPass: BitwiseCopyable {
  /// The corner of an open one, in Hz.
  static var open: Double { @_noLocks get { 20_000 } }

  /// log2 of the corner over the rate.
  private var corner: Ramp
  /// How much of what comes out is filtered: it leaves the unchanged and comes back to it without a click.
  private var wet = Ramp(steady: 0)
  private var memory = rt_low_pass_memory()
  /// log2 of the open corner over the rate, and the highest that can be filtered.
  private let openCorner: Float
  private let declick: Fade

  init(rate: Int, declick: Fade) {
    openCorner = rt_log2f(Float(Self.open / Double(rate)))
    self.declick = declick
    corner = Ramp(steady: LowPass.bounded(openCorner))
  }

  /// Whether samples pass unchanged from `frame` on.
  @_noLocks func isOpen(at frame: Int64) -> Bool { wet.to == 0 && !wet.isMoving(at: frame) }

  /// Whether nothing of what was rings on.
  var isAtRest: Bool {
    @_noLocks get {
      memory.left.0 == 0 && memory.left.1 == 0 && memory.right.0 == 0 && memory.right.1 == 0
    }
  }

  /// Drives the corner to `octaves` below the open one; the fade is straight in octaves.
  @_noLocks mutating func drive(to octaves: Float, at frame: Int64, fade: Fade) {
    let wanted = octaves < 0 ? max(octaves, -16) : 0
    if isOpen(at: frame) {
      if wanted == 0 { return }
      memory = rt_low_pass_memory()
      corner = Ramp(steady: LowPass.bounded(openCorner))
    }
    let from = corner.value(at: frame)
    corner = Ramp(from: from, to: LowPass.bounded(openCorner + wanted), start: frame, fade: fade)
    // It opens to where it hardly filters before it lets everything by.
    let turn = wanted == 0 ? corner.end : frame
    if wet.to != (wanted == 0 ? 0 : 1) || wet.start > frame {
      wet = Ramp(from: wet.value(at: frame), to: wanted == 0 ? 0 : 1, start: max(turn, frame), fade: declick)
    }
  }

  /// Forgets what rings on: frames are passed over.
  @_noLocks mutating func rest() { memory = rt_low_pass_memory() }

  /// Filters a block in place, from `frame` on.
  @_noLocks mutating func filter(_ samples: UnsafeMutablePointer<Float>, from frame: Int64, count: Int) {
    var done = 0
    while done < count {
      let now = frame + Int64(done)
      let (cornerLine, cornerFrames) = corner.line(at: now, limit: count - done)
      let (wetLine, wetFrames) = wet.line(at: now, limit: count - done)
      let frames = min(cornerFrames, wetFrames)
      rt_low_pass(samples + 2 * done, frames, &memory, cornerLine, wetLine)
      done &+= frames
    }
  }

  /// A corner that can be filtered: below half the rate.
  @_noLocks private static func bounded(_ corner: Float) -> Float { min(corner, -1.1) }
}

extension Ramp {
  /// The straight line at `frame`, and for how many frames it holds, at most `limit`; by the linear curve alone.
  @_noLocks fileprivate func line(at frame: Int64, limit: Int) -> (rt_line, frames: Int) {
    if frame >= end { return (rt_line(base: to, slope: 0, index: 0), limit) }
    if frame < start {
      return (rt_line(base: from, slope: 0, index: 0), Int(min(Int64(limit), start - frame)))
    }
    let line = self.line(at: frame)
    return (
      rt_line(base: line.base, slope: line.slope, index: line.index), Int(min(Int64(limit), line.frames))
    )
  }
}
