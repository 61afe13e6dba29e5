// SPDX-License-Identifier: Apache-2.0

import Mixing

extension MusicPlayer {
  /// How much steeper than that of a single track a cross-fade may be where all its tracks are alike.
  static let steepest: Float = 1.2

  /// The fade, or one as much longer as keeps it from being steep: tracks that are alike (one track into itself, most of
  /// all) add up by their gains, and so falls their sum. By the equal-power curve one track's gain falls by pi / 2 a fade
  /// at most.
  func unhurried(_ fade: Fade, at frame: Int64, waits: Bool) -> Fade {
    let leaving = (fading(at: frame) + [current].compactMap(\.self)).map { part in
      (gain: part.gain, inFlight: waits ? part.faded(at: frame) : part.heard(at: frame))
    }
    // `gain` is what a ramp ends at: a track that is being turned down is still louder than that.
    guard let loudest = leaving.map({ max($0.gain, $0.inFlight) }).max(), loudest > 0 else { return fade }
    let sum = leaving.reduce(0) { $0 + $1.inFlight }
    let excess = sum / (loudest * Self.steepest)
    guard excess > 1 else { return fade }
    return Fade(frames: Int32(clamping: Int64(Float(fade.frames) * excess)), curve: fade.curve)
  }
}
