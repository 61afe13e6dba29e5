// SPDX-License-Identifier: Apache-2.0

/// Numbers that look random and are the same on every machine and run: Steele, Lea and Flood's generator (2014), which makes each of
/// a counter.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  /// The numbers of a seed; seeds that differ in one bit give numbers that have nothing to do with each other.
  package init(seed: UInt64) { state = seed }

  /// The next number, all 64 bits of it; after 2^64 of them they come again.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
