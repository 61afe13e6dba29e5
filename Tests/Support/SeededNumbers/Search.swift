// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs `body` with the numbers of one seed after the other, from 1 up to `last`, or to what STARLIGHT_SEARCH_SEEDS says. Throws
/// what the first that fails says, with its seed.
public func search(upTo last: UInt64, _ body: (inout SeededRandom) throws -> Void) throws {
  let asked = getenv("STARLIGHT_SEARCH_SEEDS").flatMap { UInt64(String(cString: $0)) }
  for seed in 1...max(asked ?? last, 1) {
    var random = SeededRandom(seed: seed)
    do { try body(&random) } catch { throw Unmet("seed \(seed) failed: \(error)") }
  }
}

/// What does not hold, in words.
public struct Unmet: Error, CustomStringConvertible {
  /// What was seen, and what should have been.
  public let description: String

  /// In words.
  public init(_ description: String) { self.description = description }
}

/// Throws what does not hold.
public func hold(_ isSo: Bool, _ message: @autoclosure () -> String) throws(Unmet) {
  if !isSo { throw Unmet(message()) }
}
