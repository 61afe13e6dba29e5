// SPDX-License-Identifier: Apache-2.0

/// A set of slot numbers as bits, so that walking over the few that are in use costs nothing for those that are not.
struct SlotSet {
  let words: UnsafeMutablePointer<UInt64>
  let wordCount: Int

  init(capacity: Int) {
    wordCount = (capacity + 63) / 64
    words = .allocate(capacity: wordCount)
    words.initialize(repeating: 0, count: wordCount)
  }

  func deallocate() { words.deallocate() }

  @_noLocks func insert(_ slot: Int) { words[slot >> 6] |= 1 << UInt64(slot & 63) }
  @_noLocks func remove(_ slot: Int) { words[slot >> 6] &= ~(1 << UInt64(slot & 63)) }

  @_noLocks func contains(_ slot: Int) -> Bool { words[slot >> 6] >> UInt64(slot & 63) & 1 == 1 }

  /// The first member at or after `slot`, or -1.
  @_noLocks @inline(__always) func next(from slot: Int) -> Int {
    var word = slot >> 6
    if word >= wordCount { return -1 }
    var bits = words[word] & (~0 << UInt64(slot & 63))
    while bits == 0 {
      word &+= 1
      if word >= wordCount { return -1 }
      bits = words[word]
    }
    return word * 64 + bits.trailingZeroBitCount
  }

  var count: Int {
    @_noLocks get {
      var sum = 0
      for word in 0..<wordCount { sum &+= words[word].nonzeroBitCount }
      return sum
    }
  }
}
