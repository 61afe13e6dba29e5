// SPDX-License-Identifier: Apache-2.0

import Timing

/// What is planned, by instant; steps of the same instant keep the order in which they were planned.
struct PlanQueue<Step> {
  private struct Entry {
    var at: Instant
    var sequence: Int64
    var step: Step

    func precedes(_ other: Entry) -> Bool { (at, sequence) < (other.at, other.sequence) }
  }

  private var heap: [Entry] = []
  private var nextSequence: Int64 = 0
  private var firstSequence: Int64 = 0

  /// How many steps wait.
  var count: Int { heap.count }

  /// The instant of the first step.
  var next: Instant? { heap.first?.at }

  mutating func insert(_ step: Step, at instant: Instant) {
    add(Entry(at: instant, sequence: nextSequence, step: step))
    nextSequence += 1
  }

  /// Lets steps wait again that were taken, in the order in which they were: before all others of their instant.
  mutating func putBack(_ steps: [(at: Instant, step: Step)]) {
    firstSequence -= Int64(steps.count)
    for (index, taken) in steps.enumerated() {
      add(Entry(at: taken.at, sequence: firstSequence + Int64(index), step: taken.step))
    }
  }

  private mutating func add(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(child, parent) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes the first step if it is due at or before `instant`.
  mutating func pop(upTo instant: Instant) -> (at: Instant, step: Step)? {
    guard let first = heap.first, first.at <= instant else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    sift(from: 0)
    return (first.at, first.step)
  }

  /// Forgets every step that `isDropped` picks by its instant; answers them in their order. It looks at all: whoever has many
  /// to forget does so at once.
  @discardableResult
  mutating func removeAll(where isDropped: (Instant, Step) -> Bool) -> [Step] {
    var dropped: [Entry] = []
    heap.removeAll { entry in
      let isMeant = isDropped(entry.at, entry.step)
      if isMeant { dropped.append(entry) }
      return isMeant
    }
    if dropped.isEmpty { return [] }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sift(from: index) }
    return dropped.sorted { $0.precedes($1) }.map(\.step)
  }

  private mutating func sift(from start: Int) {
    var parent = start
    while true {
      var first = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, first) { first = child }
      if first == parent { return }
      heap.swapAt(parent, first)
      parent = first
    }
  }

  private func precedes(_ a: Int, _ b: Int) -> Bool { heap[a].precedes(heap[b]) }
}
