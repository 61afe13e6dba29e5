// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Timing
import Wire

/// Work for a request that is too dear to hold everybody up: left to another thread, and the line served again with what
/// came of it. There may be a second piece of work, of another kind of value.
public final class Errand: Sendable {
  private enum State {
    case notLeft
    case left(@Sendable () -> any Sendable)
    case awaited
    case done(any Sendable)
  }

  private let state = Mutex(State.notLeft)
  private let span = Mutex<(begun: Instant, done: Instant)?>(nil)

  /// Nothing to be done so far.
  public init() {}

  /// What came of `work`, which must only compute; throws, and leaves the work to be done, where nothing has yet.
  package func result<Value: Sendable>(of work: @escaping @Sendable () -> Value) throws(RPCError) -> Value {
    let found: Value? = state.withLock { state in
      if case .done(let value as Value) = state { return value }
      state = .left(work)
      return nil
    }
    return try Self.done(found)
  }

  /// What somebody else comes to, who tells it by `finish`; throws where nothing is told yet. At first `ask` has it begun.
  package func awaited<Value: Sendable>(_ ask: () -> Void) throws(RPCError) -> Value {
    let (found, isNew): (Value?, Bool) = state.withLock { state in
      switch state {
      case .done(let value as Value): return (value, false)
      case .awaited: return (nil, false)
      case .notLeft, .left, .done:
        state = .awaited
        return (nil, true)
      }
    }
    if isNew { ask() }
    return try Self.done(found)
  }

  private static func done<Value>(_ found: Value?) throws(RPCError) -> Value {
    guard let found else {
      throw RPCError(.internal, "the request is being worked on", hint: "wait for its reply")
    }
    return found
  }

  /// Tells what was awaited.
  package func finish(with value: any Sendable) { state.withLock { $0 = .done(value) } }

  /// Whether somebody else is at it, and nobody is to run it.
  package var isAwaited: Bool { state.withLock { state in if case .awaited = state { true } else { false } } }

  /// Whether there is work to be done: the reply to the line is void then, and it is to be served again when it is done.
  package var isLeft: Bool {
    state.withLock { state in
      switch state {
      case .left, .awaited: true
      case .notLeft, .done: false
      }
    }
  }

  /// When it was done, where that was elsewhere.
  package var doneWithin: (begun: Instant, done: Instant)? { span.withLock { $0 } }

  /// It was done then; of several pieces from the first to the last.
  package func note(begun: Instant, done: Instant) { span.withLock { $0 = ($0?.begun ?? begun, done) } }

  /// Does the work, on whatever thread.
  package func run() {
    let work: (@Sendable () -> any Sendable)? = state.withLock { state in
      if case .left(let work) = state { work } else { nil }
    }
    guard let work else { return }
    let value = work()
    state.withLock { $0 = .done(value) }
  }
}
