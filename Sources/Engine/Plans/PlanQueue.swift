// SPDX-License-Identifier: Apache-2.0

import Timing

/// What is planned, by instant; steps of the same instant keep the order in which they were planned.
struct PlanQueue<Step> {
  /// A step's place in the order; the steps themselves, which are large, stay where they are.
  private struct Entry {
    var at: Instant
    var sequence: Int64
    var slot: Int

    func precedes(_ other: Entry) -> Bool { (at, sequence) < (other.at, other.sequence) }
  }

  private var heap: [Entry] = []
  private var steps: [Step?] = []
  private var free: [Int] = []
  private var nextSequence: Int64 = 0
  private var firstSequence: Int64 = 0

  /// How many steps wait.
  var count: Int { heap.count }

  /// The instant of the first step.
  var next: Instant? { heap.first?.at }

  mutating func insert(_ step: Step, at instant: Instant) {
    add(step, at: instant, sequence: nextSequence)
    nextSequence += 1
  }

  /// Lets steps wait again that were taken, in the order in which they were: before all others of their instant.
  mutating func putBack(_ taken: [(at: Instant, step: Step)]) {
    firstSequence -= Int64(taken.count)
    for (index, one) in taken.enumerated() { add(one.step, at: one.at, sequence: firstSequence + Int64(index)) }
  }

  private mutating func add(_ step: Step, at instant: Instant, sequence: Int64) {
    let slot = free.popLast() ?? steps.count
    if slot == steps.count { steps.append(step) } else { steps[slot] = step }
    heap.append(Entry(at: instant, sequence: sequence, slot: slot))
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
    guard let first = heap.first, first.at <= instant, let step = steps[first.slot] else { return nil }
    forget(first)
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    sift(from: 0)
    return (first.at, step)
  }

  private mutating func forget(_ entry: Entry) {
    steps[entry.slot] = nil
    free.append(entry.slot)
  }

  /// Forgets every step of which `taken` answers something by its instant; answers that in their order. It looks at all:
  /// whoever has many to forget does so at once.
  @discardableResult
  mutating func removeAll<Taken>(_ taken: (Instant, Step) -> Taken?) -> [Taken] {
    var dropped: [(entry: Entry, place: Int)] = []
    var answers: [Taken] = []
    var kept: [Entry] = []
    for entry in heap {
      if let step = steps[entry.slot], let what = taken(entry.at, step) {
        dropped.append((entry, answers.count))
        answers.append(what)
      } else {
        kept.append(entry)
      }
    }
    if dropped.isEmpty { return [] }
    heap = kept
    if dropped.count > kept.count {
      // What is left moves together: to forget one by one would copy all that an engine that is kept beside this one holds too.
      steps = kept.map { steps[$0.slot] }
      for slot in heap.indices { heap[slot].slot = slot }
      free = []
    } else {
      for one in dropped { forget(one.entry) }
    }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sift(from: index) }
    dropped.sort { $0.entry.precedes($1.entry) }
    return dropped.map { answers[$0.place] }
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
