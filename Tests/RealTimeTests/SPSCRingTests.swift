// SPDX-License-Identifier: Apache-2.0

import RealTime
import Testing

/// A trivial pair whose halves must never be seen apart.
private struct Pair: BitwiseCopyable, Equatable, Sendable {
  var index: Int
  var mirror: Int
}

/// A ring in a box, because expectations take only what can be copied.
private final class Ring {
  private let ring: SPSCRing<Int>
  init(capacity: Int) { ring = SPSCRing(capacity: capacity, zero: 0) }
  var count: Int { ring.count }
  func push(_ element: Int) -> Bool { ring.push(element) }
  func push(_ batch: [Int]) -> Bool { ring.push(contentsOf: batch) }
  func pop(limit: Int) -> [Int] {
    [Int](unsafeUninitializedCapacity: limit) { buffer, count in
      if let base = buffer.baseAddress { count = ring.pop(into: base, limit: limit) }
    }
  }
  func popAll() -> [Int] {
    var all: [Int] = []
    while let element = ring.pop() { all.append(element) }
    return all
  }
}

/// What a real-time thread does with a ring; that it compiles is half of what is shown.
@_noLocks private func relay(
  _ ring: borrowing SPSCRing<Pair>, _ value: Pair, _ slot: UnsafeMutablePointer<Pair>
) -> Bool {
  ring.push(value) && ring.pop(into: slot)
}

@_noLocks private func relayBatch(
  _ ring: borrowing SPSCRing<Float>, _ batch: UnsafeBufferPointer<Float>, _ out: UnsafeMutablePointer<Float>
) -> Int {
  ring.push(contentsOf: batch) ? ring.pop(into: out, limit: batch.count) : 0
}

@Suite struct SPSCRingTests {
  @Test func capacityIsRoundedUpToAPowerOfTwo() {
    for (asked, given) in [(5, 8), (8, 8), (0, 1)] {
      let ring = SPSCRing<Int>(capacity: asked, zero: 0)
      let capacity = ring.capacity
      #expect(capacity == given)
    }
  }

  @Test func elementsComeOutInOrder() {
    let ring = Ring(capacity: 4)
    for round in 0..<10 {
      #expect(ring.push([round, round + 100, round + 200]))
      #expect(ring.count == 3)
      #expect(ring.popAll() == [round, round + 100, round + 200])
    }
  }

  @Test func aBatchThatDoesNotFitLeavesNothingBehind() {
    let ring = Ring(capacity: 4)
    #expect(ring.push([1, 2, 3]))
    #expect(!ring.push([4, 5]))
    #expect(ring.count == 3)
    #expect(ring.push(4))
    #expect(!ring.push(5))
    #expect(ring.popAll() == [1, 2, 3, 4])
    #expect(!ring.push([1, 2, 3, 4, 5]))
    #expect(ring.push([1, 2, 3, 4]))
  }

  @Test func poppingManyStopsAtTheLimitAndAtTheEnd() {
    let ring = Ring(capacity: 8)
    #expect(ring.push([1, 2, 3, 4, 5]))
    #expect(ring.pop(limit: 3) == [1, 2, 3])
    #expect(ring.pop(limit: 8) == [4, 5])
    #expect(ring.pop(limit: 8) == [])
  }

  @Test func aRealTimeThreadMayUseIt() {
    let slot = UnsafeMutablePointer<Pair>.allocate(capacity: 1)
    defer { slot.deallocate() }
    let pairs = SPSCRing(capacity: 2, zero: Pair(index: 0, mirror: 0))
    let relayed = relay(pairs, Pair(index: 3, mirror: -3), slot)
    #expect(relayed)
    #expect(slot.pointee == Pair(index: 3, mirror: -3))

    let out = UnsafeMutablePointer<Float>.allocate(capacity: 2)
    defer { out.deallocate() }
    let floats = SPSCRing<Float>(capacity: 2, zero: 0)
    let moved = [Float(1), 2].withUnsafeBufferPointer { relayBatch(floats, $0, out) }
    #expect(moved == 2 && out[0] == 1 && out[1] == 2)
  }

  @Test func batchesCrossThreadsWholeAndInOrder() throws {
    let ring = UnsafeMutablePointer<SPSCRing<Pair>>.allocate(capacity: 1)
    ring.initialize(to: SPSCRing(capacity: 64, zero: Pair(index: 0, mirror: 0)))
    defer {
      ring.deinitialize(count: 1)
      ring.deallocate()
    }
    let producer = try RealTimeThread(name: "producer", priority: nil, body: produceBatches, argument: ring)
    var torn = 0
    var next = 0
    while next < batchCount * batchSize {
      // A batch becomes visible at once, so what waits is always whole batches.
      if ring.pointee.count % batchSize != 0 { torn += 1 }
      for _ in 0..<batchSize {
        guard let pair = ring.pointee.pop() else { break }
        if pair.index != next || pair.mirror != ~next { torn += 1 }
        next += 1
      }
    }
    producer.join()
    #expect(torn == 0)
  }
}

private let batchSize = 7
private let batchCount = 20_000

private func produceBatches(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let ring = argument?.assumingMemoryBound(to: SPSCRing<Pair>.self) else { return nil }
  for batch in 0..<batchCount {
    let pairs = (0..<batchSize).map { Pair(index: batch * batchSize + $0, mirror: ~(batch * batchSize + $0)) }
    while !ring.pointee.push(contentsOf: pairs) {}
  }
  return nil
}
