// SPDX-License-Identifier: Apache-2.0

import Timing

/// When the bytes of a stream came that are not used yet.
struct Arrivals {
  /// Where in the stream the bytes of one reading end, and when they were read.
  private var readings: [(end: Int, at: Instant)] = []
  private var head = 0
  /// Bytes that came in all.
  private(set) var count = 0

  /// `bytes` more came.
  mutating func note(_ bytes: Int, at instant: Instant) {
    guard bytes > 0 else { return }
    count += bytes
    readings.append((count, instant))
  }

  /// When the last of the first `used` bytes came; those before it are forgotten.
  mutating func arrival(ofByte used: Int) -> Instant? {
    while head < readings.count, readings[head].end < used { head += 1 }
    guard head < readings.count else {
      readings.removeAll(keepingCapacity: true)
      head = 0
      return nil
    }
    if head > 1_024 {
      readings.removeFirst(head)
      head = 0
    }
    return readings[head].at
  }
}
