// SPDX-License-Identifier: Apache-2.0

/// Why a run of measurements tells no offset. Lengths are microseconds.
public enum OffsetRefusal: Error, Equatable, Sendable {
  /// Without those at the beginning and wild ones too few are left.
  case tooFew(left: Int, needed: Int)
  /// They lie too far apart.
  case scattered(by: Int64, most: Int64)
  /// The middle may be elsewhere: there are too few for how far apart they lie, or two heaps.
  case uncertain(by: Int64, most: Int64)
  /// They come later and later, or earlier and earlier.
  case drifting(by: Int64, most: Int64)

  /// One sentence's worth, without an end; `things` is what was measured, in the plural.
  public func reason(of things: String) -> String {
    switch self {
    case .tooFew(let left, let needed):
      "\(left) \(things) are left without the first and wild ones, and it takes \(needed)"
    case .scattered(let by, let most):
      "the \(things) lie \(Self.text(by)) ms apart (1.4826 times their median deviation), and \(Self.text(most)) ms is the most"
    case .uncertain(let by, let most):
      "the middle of the \(things) is known to \(Self.text(by)) ms only, and \(Self.text(most)) ms is the most"
    case .drifting(let by, let most):
      "the \(things) came \(Self.text(abs(by))) ms \(by > 0 ? "later" : "earlier") over the run, and \(Self.text(most)) ms is the most"
    }
  }

  /// What a person who tapped can do about it.
  public var remedyForTaps: String {
    switch self {
    case .tooFew: "tap to every click you hear, once each, and let more clicks come"
    case .scattered: "listen, do not look, and tap with the clicks rather than after them"
    case .uncertain: "let more clicks come, and tap all of them in one way: with one finger, on one key"
    case .drifting: "tap each click as you hear it, not on from the last; where that fails the device's clock drifts"
    }
  }

  private static func text(_ microseconds: Int64) -> String {
    let tenths = (abs(microseconds) + 50) / 100
    return (microseconds < 0 ? "-" : "") + "\(tenths / 10).\(tenths % 10)"
  }
}
