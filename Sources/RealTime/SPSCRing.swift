// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A lock-free queue of trivial values from one producer thread to one consumer thread.
///
/// Everything either side touches lives in allocations of the ring's own, so that the ring may be a member of a
/// structure that one of the threads mutates. The two counters sit on cache lines of their own.
public struct SPSCRing<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline let slots: UnsafeMutablePointer<Element>
  @usableFromInline let mask: Int
  /// Count of elements ever popped, written by the consumer; then, two cache lines on, ever pushed, by the producer.
  @usableFromInline let popped: UnsafeMutablePointer<Atomic<Int>>
  @usableFromInline let pushed: UnsafeMutablePointer<Atomic<Int>>
  @usableFromInline let counters: UnsafeMutableRawPointer

  /// A ring for at least `capacity` elements (rounded up to a power of two), filled with `zero` so that no page of
  /// it is touched for the first time by a real-time thread.
  public init(capacity: Int, zero: Element) {
    var rounded = 1
    while rounded < capacity { rounded *= 2 }
    slots = .allocate(capacity: rounded)
    slots.initialize(repeating: zero, count: rounded)
    mask = rounded - 1
    counters = .allocate(byteCount: 256, alignment: 128)
    popped = counters.bindMemory(to: Atomic<Int>.self, capacity: 1)
    pushed = (counters + 128).bindMemory(to: Atomic<Int>.self, capacity: 1)
    popped.initialize(to: Atomic(0))
    pushed.initialize(to: Atomic(0))
  }

  deinit {
    slots.deallocate()
    counters.deallocate()
  }

  /// How many elements the ring holds at most.
  @inlinable public var capacity: Int { mask + 1 }

  /// Elements waiting; exact for the consumer, for the producer an upper bound.
  @inlinable public var count: Int {
    pushed.pointee.load(ordering: .acquiring) &- popped.pointee.load(ordering: .acquiring)
  }

  /// Producer: appends one element, or nothing and false when the ring is full.
  @inlinable public func push(_ element: Element) -> Bool {
    let end = pushed.pointee.load(ordering: .relaxed)
    if end &- popped.pointee.load(ordering: .acquiring) > mask { return false }
    slots[end & mask] = element
    pushed.pointee.store(end &+ 1, ordering: .releasing)
    return true
  }

  /// Producer: appends the whole batch, seen by the consumer at once, or nothing and false when it does not fit.
  @inlinable public func push(contentsOf batch: UnsafeBufferPointer<Element>) -> Bool {
    let end = pushed.pointee.load(ordering: .relaxed)
    let used = end &- popped.pointee.load(ordering: .acquiring)
    if batch.count > mask &+ 1 &- used { return false }
    var index = 0
    while index < batch.count {
      slots[(end &+ index) & mask] = batch[index]
      index &+= 1
    }
    pushed.pointee.store(end &+ batch.count, ordering: .releasing)
    return true
  }

  /// Producer: appends the whole batch or nothing.
  @inlinable public func push(contentsOf batch: [Element]) -> Bool {
    batch.withUnsafeBufferPointer { push(contentsOf: $0) }
  }

  /// Consumer: moves the oldest element to `destination`, or returns false when there is none.
  @inlinable public func pop(into destination: UnsafeMutablePointer<Element>) -> Bool {
    let start = popped.pointee.load(ordering: .relaxed)
    if start == pushed.pointee.load(ordering: .acquiring) { return false }
    destination.pointee = slots[start & mask]
    popped.pointee.store(start &+ 1, ordering: .releasing)
    return true
  }

  /// Consumer: moves up to `limit` of the oldest elements to `destination` and returns how many.
  @inlinable public func pop(into destination: UnsafeMutablePointer<Element>, limit: Int) -> Int {
    let start = popped.pointee.load(ordering: .relaxed)
    let waiting = pushed.pointee.load(ordering: .acquiring) &- start
    let moved = waiting < limit ? waiting : limit
    var index = 0
    while index < moved {
      destination[index] = slots[(start &+ index) & mask]
      index &+= 1
    }
    popped.pointee.store(start &+ moved, ordering: .releasing)
    return moved
  }

  /// Consumer: the oldest element, or nil when there is none. For threads that need no proof.
  @inlinable public func pop() -> Element? {
    let start = popped.pointee.load(ordering: .relaxed)
    if start == pushed.pointee.load(ordering: .acquiring) { return nil }
    let element = slots[start & mask]
    popped.pointee.store(start &+ 1, ordering: .releasing)
    return element
  }
}

// The element type is trivial and each counter has one writer, so handing the ring's address to the two threads is safe.
extension SPSCRing: @unchecked Sendable where Element: Sendable {}
