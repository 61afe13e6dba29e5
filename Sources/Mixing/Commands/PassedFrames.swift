// SPDX-License-Identifier: Apache-2.0

/// The played frames that the mixer passed over last, which nobody heard.
///
/// It is told of plans so far ahead that what lies among them was told before, as a rule: not where all stood still for longer, or
/// where more was passed over than anybody knew. What is told of them later was not late, and is not to be heard late.
struct PassedFrames: BitwiseCopyable {
  /// How much may be heard between two that count as one: what is told between them is told of both.
  static var gap: Int64 { @_noLocks get { 4_800 } }

  private var first: Int64 = 0
  private var end: Int64 = -1 << 60

  @_noLocks init() {}

  /// Takes note of frames that are passed over.
  @_noLocks mutating func note(_ first: Int64, to end: Int64) {
    if first > self.end + PassedFrames.gap { self.first = first }
    self.end = end
  }

  /// Whether a frame is among them.
  @_noLocks func holds(_ frame: Int64) -> Bool { frame >= first && frame < end }
}
