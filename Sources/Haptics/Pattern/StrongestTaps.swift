// SPDX-License-Identifier: Apache-2.0

import Timing

/// The strongest tap at any time, of equals the sharpest: which one counts is known when a pattern is compiled, as controls
/// drive all taps of an instant alike. So however many bodies overlap, a look takes the logarithm of their number.
struct StrongestTaps: Sendable {
  /// What holds from `start` to the next piece; without a tap nothing sounds.
  struct Piece: Hashable, Sendable, BitwiseCopyable {
    /// Nanoseconds from the pattern's start.
    let start: Int64
    let intensity: Double
    let sharpness: Double
    let hasTap: Bool
  }

  /// In order of time, none twice.
  let pieces: [Piece]

  /// Of taps in order of time.
  init(_ taps: [HapticTransient]) {
    var pieces: [Piece] = []
    pieces.reserveCapacity(taps.count)
    // Those that sound and may still come to count, in order of time: each weaker than the one before.
    var candidates: [Int] = []
    var first = 0
    var (started, ended) = (0, 0)
    func end(_ index: Int) -> Int64 { taps[index].time.nanoseconds + transientBodyNanoseconds }
    while ended < taps.count {
      let at = started < taps.count ? min(taps[started].time.nanoseconds, end(ended)) : end(ended)
      while ended < started, end(ended) <= at { ended += 1 }
      while started < taps.count, taps[started].time.nanoseconds <= at {
        while candidates.count > first, let last = candidates.last, !taps[last].isStronger(than: taps[started]) {
          candidates.removeLast()
        }
        candidates.append(started)
        started += 1
      }
      while first < candidates.count, end(candidates[first]) <= at { first += 1 }
      let piece =
        first < candidates.count
        ? Piece(start: at, taps[candidates[first]]) : Piece(start: at, intensity: 0, sharpness: 0, hasTap: false)
      if let last = pieces.last, last.isSame(as: piece) { continue }
      pieces.append(piece)
    }
    self.pieces = pieces
  }

  /// What holds at `time`; nil where nothing sounds.
  func piece(at time: Int64) -> Piece? {
    guard let piece = latestPiece(pieces.span, at: time), piece.hasTap else { return nil }
    return piece
  }
}

@_noAllocation private func latestPiece(_ pieces: Span<StrongestTaps.Piece>, at time: Int64) -> StrongestTaps.Piece? {
  var low = 0
  var high = pieces.count
  while low < high {
    let middle = (low + high) / 2
    if pieces[middle].start <= time { low = middle + 1 } else { high = middle }
  }
  return low == 0 ? nil : pieces[low - 1]
}

extension StrongestTaps.Piece {
  fileprivate init(start: Int64, _ tap: HapticTransient) {
    self.init(start: start, intensity: tap.intensity, sharpness: tap.sharpness, hasTap: true)
  }

  fileprivate func isSame(as other: StrongestTaps.Piece) -> Bool {
    intensity == other.intensity && sharpness == other.sharpness && hasTap == other.hasTap
  }
}

extension HapticTransient {
  fileprivate func isStronger(than other: HapticTransient) -> Bool {
    (intensity, sharpness) > (other.intensity, other.sharpness)
  }
}
