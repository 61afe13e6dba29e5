// SPDX-License-Identifier: Apache-2.0

/// A file's rate against the engine's, in lowest terms: `down` source frames last as long as `up` engine frames.
struct FrameRatio: Hashable, Sendable {
  /// Engine frames in one common period.
  let up: Int64
  /// Source frames in one common period.
  let down: Int64

  /// The ratio between two rates, each above zero.
  init(source: Int, engine: Int) {
    var (a, b) = (Int64(engine), Int64(source))
    while b != 0 { (a, b) = (b, a % b) }
    up = Int64(engine) / a
    down = Int64(source) / a
  }

  /// Whether source frames are engine frames.
  var isIdentity: Bool { up == down }

  /// `frames` of the source in engine frames, to the nearest, halves up.
  func engineFrames(_ frames: Int64) -> Int64 {
    let (periods, rest) = frames.quotientAndRemainder(dividingBy: down)
    return periods * up + (2 * rest * up + down) / (2 * down)
  }

  /// Whether `frames` of the source are a whole number of engine frames.
  func isWhole(_ frames: Int64) -> Bool { (frames % down) * up % down == 0 }
}
