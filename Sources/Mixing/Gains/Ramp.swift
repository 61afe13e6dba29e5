// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Fades

/// A gain over time: a pure function of the output frame, so that it cannot depend on how rendering is cut up.
public struct Ramp: Sendable, BitwiseCopyable {
  /// The frame at which it leaves `from`.
  private(set) var start: Int64
  /// Frames from `from` to `to`; 0 when there is nothing to do.
  private(set) var frames: Int64
  private(set) var from: Float
  /// The gain that it comes to.
  public private(set) var to: Float
  private(set) var curve: FadeCurve
  private var step: Double

  /// Straight lines are cut into pieces of this many frames, so that a 32-bit index within one is exact.
  private static var pieceFrames: Int64 { @_noLocks get { 1 << 16 } }

  /// A gain that stays.
  @_noLocks public init(steady gain: Float) { self.init(from: gain, to: gain, start: 0, fade: .none) }

  /// A gain that leaves `from` at frame `start` and has reached `to` when the fade is over.
  @_noLocks public init(from: Float, to: Float, start: Int64, fade: Fade) {
    self.start = start
    self.frames = fade.frames > 0 && from != to ? Int64(fade.frames) : 0
    self.from = from
    self.to = to
    self.curve = fade.curve
    step = frames > 0 ? (Double(to) - Double(from)) / Double(frames) : 0
  }

  /// The first frame with the final gain.
  public var end: Int64 { @_noLocks get { start + frames } }

  /// Lets it happen so many frames later.
  @_noLocks public mutating func move(by frames: Int64) { start += frames }

  @_noLocks func isMoving(at frame: Int64) -> Bool { frame < end }

  /// The gain of one frame.
  @_noLocks public func value(at frame: Int64) -> Float {
    if frame >= end { return to }
    if frame <= start { return from }
    if curve.isLinear {
      let line = line(at: frame)
      return line.base + line.slope * line.index
    }
    var gain: Float = 1
    rt_mix_equal_power(.RT_MIX_BASELINE, &gain, 1, from, to, Float(frame - start), Float(frames))
    return gain
  }

  /// While it moves: the stretch from `frame` on, at most `limit` frames, that is one straight line, put into `line` for
  /// both channels with their factors. By the other curve nothing is, and the stretch goes to the ramp's end.
  @_noLocks @inline(__always) func straighten(
    at frame: Int64, limit: Int, line: UnsafeMutablePointer<GainLine>, times left: Float, _ right: Float
  ) -> (frames: Int, straight: Bool) {
    if !curve.isLinear { return (Int(min(Int64(limit), end - frame)), false) }
    let straight = self.line(at: frame)
    line.pointee.index = straight.index
    line.pointee.base_left = straight.base * left
    line.pointee.base_right = straight.base * right
    line.pointee.slope_left = straight.slope * left
    line.pointee.slope_right = straight.slope * right
    return (Int(min(Int64(limit), straight.frames)), true)
  }

  /// While it moves by the linear curve: gain = base + slope * index at `frame`, index + 1 a frame, for `frames` frames.
  @_noLocks func line(at frame: Int64) -> (base: Float, slope: Float, index: Float, frames: Int64) {
    let passed = frame - start
    let pieceStart = passed & ~(Self.pieceFrames - 1)
    return (
      base: Float(Double(from) + step * Double(pieceStart)), slope: Float(step), index: Float(passed - pieceStart),
      frames: min(pieceStart + Self.pieceFrames, frames) - passed
    )
  }

  /// Multiplies `count` gains, from `frame` on, by the ramp's; while it moves, none of them beyond its end.
  @_noLocks func multiply(
    _ gains: UnsafeMutablePointer<Float>, from frame: Int64, count: Int, _ kernel: rt_mix_kernel
  ) {
    if !isMoving(at: frame) {
      for index in 0..<count { gains[index] *= to }
    } else if curve.isLinear {
      for index in 0..<count { gains[index] *= value(at: frame + Int64(index)) }
    } else {
      rt_mix_equal_power(kernel, gains, count, from, to, Float(frame - start), Float(frames))
    }
  }
}
