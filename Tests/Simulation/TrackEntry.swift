// SPDX-License-Identifier: Apache-2.0

/// A track that was promised to begin: where it stands at its instant, and so where it does when it enters late.
struct TrackEntry {
  /// With its pack.
  var track: String
  var positionUs: Int64
  var loops: Bool
  private var lengthUs: Int64
  private var loopUs: Range<Int64>

  /// Nil for a track that is not of the pack whose lengths are known.
  init?(track: String, positionUs: Int64, loops: Bool?) {
    guard let known = SimulatedPack.lengthsUs[track] else { return nil }
    (self.track, self.positionUs) = (track, positionUs)
    self.loops = loops ?? (track != "game:once")
    lengthUs = known
    loopUs = track == "game:main" ? SimulatedPack.loopUs : 0..<known
  }

  /// Whether it may stand there so long after its instant, give or take two frames: that of its instant and that of its
  /// place are rounded.
  func isAt(_ positionUs: Int64, lateBy lateUs: Int64) -> Bool {
    let off = abs(positionUs - position(lateBy: lateUs))
    // On either side of the seam.
    let offAcross = abs(Int64(loopUs.count) - off)
    return off <= 42 || loops && offAcross <= 42
  }

  /// Whether it may stand there by any lateness in a range.
  func isAt(_ positionUs: Int64, lateBy lateUs: ClosedRange<Int64>) -> Bool {
    let off = positionUs - self.positionUs
    let range = lateUs.lowerBound - 42...lateUs.upperBound + 42
    if range.contains(off) { return true }
    return loops && (range.contains(off + Int64(loopUs.count)) || range.contains(off - Int64(loopUs.count)))
  }

  private func position(lateBy lateUs: Int64) -> Int64 {
    let position = self.positionUs + lateUs
    if !loops { return min(position, lengthUs) }
    if position < loopUs.upperBound { return position }
    return loopUs.lowerBound + (position - loopUs.lowerBound) % Int64(loopUs.count)
  }
}
