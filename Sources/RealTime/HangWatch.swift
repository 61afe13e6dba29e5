// SPDX-License-Identifier: Apache-2.0

/// Tells that one call, of a device or a file, lasts too long, by looking again and again at which one lasts: pure.
///
/// It counts looks instead of time, so that a process that was stopped does not seem to hang when it goes on.
public struct HangWatch: Equatable, Sendable {
  /// So many looks in a row at the same call, and it hangs, where nothing else is said.
  public static let looks = 6

  /// Milliseconds between two looks, so that a call that hangs has lasted for `patience` at least.
  public static func interval(patience: Int32, looks: Int = HangWatch.looks) -> Int32 {
    let spans = Int32(looks - 1)
    return max(1, (patience + spans - 1) / spans)
  }

  private let looks: Int
  private var call: UInt64?
  private var seen = 0

  /// A watch that has seen nothing.
  public init(looks: Int = HangWatch.looks) { self.looks = looks }

  /// Takes in which call lasts, nil for none; whether it hangs.
  public mutating func look(at current: UInt64?) -> Bool {
    seen = current != nil && current == call ? seen + 1 : 1
    call = current
    return call != nil && seen >= looks
  }
}
