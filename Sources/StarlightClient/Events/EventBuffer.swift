// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Wire

/// What was told to one reader and not taken yet: bounded, the oldest gives way and is counted.
final class EventBuffer: Sendable {
  /// The topics that its reader listens to.
  let topics: Set<Topic>
  private let capacity: Int
  private let state = Mutex(State())

  private struct State {
    var waiting = Queue()
    var lost = Lost()
    var hasEnded = false
    /// Tasks that wait for an event, the first to be served first.
    var takers: [(id: Int, continuation: CheckedContinuation<Event?, Never>)] = []
    var lastTaker = 0

    mutating func next() -> Event? {
      if lost != Lost() {
        defer { lost = Lost() }
        return .lost(lost)
      }
      return waiting.popFirst()?.event
    }
  }

  init(topics: Set<Topic>, capacity: Int) {
    self.topics = topics
    self.capacity = max(1, capacity)
  }

  /// Adds an event; `topic` where it is a notification. Never waits for the reader.
  func add(_ event: Event, _ topic: Topic? = nil) {
    let taker = state.withLock { state -> CheckedContinuation<Event?, Never>? in
      guard !state.hasEnded else { return nil }
      if !state.takers.isEmpty { return state.takers.removeFirst().continuation }
      if state.waiting.count == capacity, let oldest = state.waiting.popFirst() {
        state.lost.add(oldest.event, oldest.topic)
      }
      state.waiting.append((event, topic))
      return nil
    }
    taker?.resume(returning: event)
  }

  /// How many tasks wait for an event.
  var waiters: Int { state.withLock { $0.takers.count } }

  /// Nothing more will come; what is there can still be taken.
  func end() {
    let takers = state.withLock { state in
      state.hasEnded = true
      defer { state.takers = [] }
      return state.takers.map(\.continuation)
    }
    for taker in takers { taker.resume(returning: nil) }
  }

  /// Everything that is there.
  func takeAll() -> [Event] {
    state.withLock { state in
      var events: [Event] = []
      while let event = state.next() { events.append(event) }
      return events
    }
  }

  /// The next event; nil when there will be none, or the task is cancelled.
  func take() async -> Event? {
    let id = state.withLock { state in
      state.lastTaker += 1
      return state.lastTaker
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let event = state.withLock { state -> Event?? in
          if let event = state.next() { return .some(event) }
          // The handler may have run before there was anything to give up.
          if state.hasEnded || Task.isCancelled { return .some(nil) }
          state.takers.append((id, continuation))
          return nil
        }
        if let event { continuation.resume(returning: event) }
      }
    } onCancel: {
      let taker = state.withLock { state in
        state.takers.firstIndex { $0.id == id }.map { state.takers.remove(at: $0).continuation }
      }
      taker?.resume(returning: nil)
    }
  }
}

/// First in, first out, without moving what waits.
private struct Queue {
  private var items: [(event: Event, topic: Topic?)] = []
  private var first = 0

  var count: Int { items.count - first }

  mutating func append(_ item: (event: Event, topic: Topic?)) { items.append(item) }

  mutating func popFirst() -> (event: Event, topic: Topic?)? {
    guard first < items.count else { return nil }
    defer {
      first += 1
      if first == items.count || first >= 1_024 {
        items.removeFirst(first)
        first = 0
      }
    }
    return items[first]
  }
}
