// SPDX-License-Identifier: Apache-2.0

/// The latest numbers by group.
struct GroupRing {
  private let values: UnsafeMutablePointer<Float>
  private let mask: Int

  /// Holds at least `count` values, all of them `initial`.
  init(count: Int, initial: Float) {
    var rounded = 8
    while rounded < count { rounded *= 2 }
    mask = rounded - 1
    values = .allocate(capacity: rounded)
    values.initialize(repeating: initial, count: rounded)
  }

  /// How many it holds.
  var count: Int { mask + 1 }

  func deallocate() { values.deallocate() }

  @inline(__always) subscript(_ group: Int64) -> Float {
    @_noLocks get { values[Int(truncatingIfNeeded: group) & mask] }
    @_noLocks nonmutating set { values[Int(truncatingIfNeeded: group) & mask] = newValue }
  }
}
