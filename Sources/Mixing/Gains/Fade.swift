// SPDX-License-Identifier: Apache-2.0

import Fades

extension FadeCurve {
  var isLinear: Bool { @_noLocks get { if case .linear = self { true } else { false } } }
}

/// How long a change of gain takes, and by which path.
public struct Fade: Equatable, Sendable, BitwiseCopyable {
  /// Length in frames; 0 is at once, which clicks unless the source is silent there.
  public var frames: Int32
  /// The path.
  public var curve: FadeCurve

  /// A fade of that many frames.
  @_noLocks @inlinable public init(frames: Int32, curve: FadeCurve = .linear) {
    self.frames = frames
    self.curve = curve
  }

  /// No fade at all.
  @inlinable public static var none: Fade { @_noLocks get { Fade(frames: 0) } }

  /// A fade of that many milliseconds at `rate` frames a second.
  @inlinable public static func milliseconds(_ length: Int, rate: Int, curve: FadeCurve = .linear) -> Fade {
    Fade(frames: Int32(clamping: max(length, 0) * rate / 1_000), curve: curve)
  }

  /// The shortest fade without a click: 5 ms, linear.
  @inlinable public static func declick(rate: Int) -> Fade { .milliseconds(5, rate: rate) }
}
