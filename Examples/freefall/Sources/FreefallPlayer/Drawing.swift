// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Draws beside the game, in a task of its own: however long a picture takes, neither the game's time nor what its player does waits
/// for it. Nothing is drawn here but time.
final class Drawing<Picture: Sendable>: Sendable {
  private let latest = Mutex<Picture?>(nil)
  private let drawn = Mutex<Picture?>(nil)

  /// Begins. A picture takes a frame to draw, and one of each so many microseconds a fifth of a second.
  init(stallsEveryUs everyUs: Int64) {
    Task.detached { [weak self] in
      var sinceUs: Int64 = 0
      while let self {
        let picture = latest.withLock { $0 }
        let takesUs: Int64 = sinceUs >= everyUs ? 200_000 : 16_667
        sinceUs = sinceUs >= everyUs ? 0 : sinceUs + takesUs
        try? await Task.sleep(nanoseconds: UInt64(takesUs) * 1_000)
        drawn.withLock { $0 = picture }
      }
    }
  }

  /// What there is to be drawn from now on.
  func show(_ picture: Picture) { latest.withLock { $0 = picture } }

  /// What was drawn last.
  var seen: Picture? { drawn.withLock { $0 } }
}
