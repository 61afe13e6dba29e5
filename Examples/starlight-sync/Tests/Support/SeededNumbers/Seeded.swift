// SPDX-License-Identifier: Apache-2.0

/// Numbers that look random and are the same on every machine and run: SplitMix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014).
public struct Seeded: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The numbers of a seed.
  public init(seed: UInt64) { state = seed }

  /// The next number, all 64 bits of it.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
