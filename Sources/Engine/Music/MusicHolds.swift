// SPDX-License-Identifier: Apache-2.0

/// From when to when the music stood, or would have: what comes late has moved on since its instant, but not through that.
struct MusicHolds {
  private struct Hold {
    /// The output frame of the verb, that from which what played before it stands, and that at which all goes on.
    var from: Int64
    var stands: Int64
    var until = Int64.max

    /// How many frames of those from `first` up to `end` something stands that was to begin at `first`.
    func stood(since first: Int64, upTo end: Int64) -> Int64 {
      max(0, min(end, until) - (first < from ? stands : first))
    }
  }

  /// How many are known: what is later than so many pauses is taken to have moved on through those before.
  static let most = 64

  private var holds: [Hold] = []

  /// Notes whether it is held behind a verb that is carried out at an output frame, and by when what plays stands then.
  mutating func note(_ isHeld: Bool, at frame: Int64, standsFrom stands: Int64) {
    let wasHeld = holds.last?.until == .max
    if isHeld == wasHeld { return }
    if isHeld {
      if holds.count == Self.most { holds.removeFirst() }
      holds.append(Hold(from: frame, stands: max(frame, stands)))
    } else {
      holds[holds.count - 1].until = frame
    }
  }

  /// How many frames something has stood by `frame` that was to begin `late` frames before.
  func stood(by frame: Int64, late: Int64) -> Int64 {
    if late <= 0 { return 0 }
    return holds.reduce(0) { $0 + $1.stood(since: frame - late, upTo: frame) }
  }
}
