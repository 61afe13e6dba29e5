// SPDX-License-Identifier: Apache-2.0

/// How a loop sounds where it comes round, beside how it sounds at other places.
extension Sound {
  /// The most that a frame surprises, of the five to either side of `place` and that one, of both channels; 0 is the seam.
  public func surprise(around place: Int) -> Double {
    let part = turned(to: place, frames: 4_800)
    return [part.left, part.right].flatMap { channel in (-5...5).map { channel.surprise(at: 4_800 + $0) } }.max() ?? 0
  }

  /// The level of the quietest millisecond within 10 ms of `place`; 0 is the seam.
  public func quietestMillisecond(around place: Int) -> Double {
    turned(to: place, frames: 480).levels(every: 48).min() ?? -200
  }

  /// As many frames before `place` as from it on, as the loop plays them.
  private func turned(to place: Int, frames count: Int) -> Sound {
    let places = (place - count..<place + count).map { ($0 + frames) % frames }
    return Sound(left: places.map { left[$0] }, right: places.map { right[$0] })
  }
}
