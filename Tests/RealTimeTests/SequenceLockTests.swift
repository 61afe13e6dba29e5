// SPDX-License-Identifier: Apache-2.0

import RealTime
import Testing

/// Wider than one word and not a whole number of words.
private struct WideValue: BitwiseCopyable, Equatable, Sendable {
  var a: Int64
  var b: Int64
  var c: Double
  var d: UInt8
}

@_noLocks private func publish(_ lock: borrowing SequenceLock<WideValue>, _ value: WideValue) { lock.publish(value) }

@Suite struct SequenceLockTests {
  @Test func theLatestValueIsRead() {
    let lock = SequenceLock(WideValue(a: 1, b: 2, c: 3, d: 4))
    let first = lock.read()
    #expect(first == WideValue(a: 1, b: 2, c: 3, d: 4))
    publish(lock, WideValue(a: -1, b: .max, c: .infinity, d: 255))
    let second = lock.read()
    #expect(second == WideValue(a: -1, b: .max, c: .infinity, d: 255))
  }

  @Test func readersNeverSeeHalfAWrite() throws {
    let lock = UnsafeMutablePointer<SequenceLock<WideValue>>.allocate(capacity: 1)
    lock.initialize(to: SequenceLock(WideValue(a: 0, b: 0, c: 0, d: 0)))
    defer {
      lock.deinitialize(count: 1)
      lock.deallocate()
    }
    let writer = try RealTimeThread(name: "writer", priority: nil, body: writeReadings, argument: lock)
    var torn = 0
    var last: Int64 = 0
    while last < writes {
      let reading = lock.pointee.read()
      let whole = WideValue(
        a: reading.a, b: -reading.a, c: Double(reading.a), d: UInt8(truncatingIfNeeded: reading.a))
      if reading != whole || reading.a < last { torn += 1 }
      last = reading.a
    }
    writer.join()
    #expect(torn == 0)
  }
}

private let writes: Int64 = 50_000

private func writeReadings(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let lock = argument?.assumingMemoryBound(to: SequenceLock<WideValue>.self) else { return nil }
  for n in 1...writes {
    lock.pointee.publish(WideValue(a: n, b: -n, c: Double(n), d: UInt8(truncatingIfNeeded: n)))
  }
  return nil
}
