// SPDX-License-Identifier: Apache-2.0

import CRealTime
import RealTime
import Synchronization
import Timing

/// Looks for devices, opens and closes them on a thread of its own, which is there once it is needed: to look takes some 0.1 ms for
/// each, a driver may take 50 ms to open one, and the kernel some milliseconds to close it.
public final class ControlOpener: Sendable {
  /// What came of an opening.
  public struct Opened: Sendable {
    /// The number by which `open` was asked for it.
    public var number: Int
    /// The device, or why it cannot be had.
    public var stream: Result<any ControlStream, ControlErrno>
  }

  /// What was there when it was looked.
  public struct Found: Sendable {
    /// The number that `look` gave.
    public var look: Int
    /// The devices, in order of their paths.
    public var sources: [ControlSource]
  }

  private struct Job {
    var number: Int
    var path: String
    var controls: Set<Control>
    var grabs: Bool
  }

  private struct State {
    var jobs: [Job] = []
    var opened: [Opened] = []
    var leaving: [any ControlStream] = []
    /// Looks that were asked for, and the last that was begun.
    var asked = 0
    var begun = 0
    var found: Found?
  }

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  private let system: any ControlSystem
  private let shared = Shared()
  private let thread: WakingThread?
  private let isStarted = Mutex(false)

  /// Wakes the eventfd `control` behind each opening; where that is nil there is no thread, and all is done at once.
  public init(_ system: any ControlSystem, control: Int32?) {
    self.system = system
    let shared = shared
    thread = control.map { control in
      WakingThread {
        // Closed here, outside the lock.
        let leaving = shared.state.withLock { state in
          defer { state.leaving = [] }
          return state.leaving
        }
        let isIdle = leaving.isEmpty
        _ = consume leaving
        let look = shared.state.withLock { state -> Int? in
          guard state.begun < state.asked else { return nil }
          state.begun = state.asked
          return state.begun
        }
        if let look {
          let found = Found(look: look, sources: system.sources())
          shared.state.withLock { $0.found = found }
          rt_waiter_wake(control)
          return .atOnce
        }
        guard let job = shared.state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else {
          return isIdle ? .whenWoken : .atOnce
        }
        let opened = Self.opened(job, by: system)
        shared.state.withLock { $0.opened.append(opened) }
        rt_waiter_wake(control)
        return .atOnce
      }
    }
  }

  /// Has devices be looked for; `takeFound` tells of them by the number that is given.
  public func look() -> Int {
    let isBeside = hasThread
    let look = shared.state.withLock { state in
      state.asked += 1
      if !isBeside { state.begun = state.asked }
      return state.asked
    }
    if isBeside {
      thread?.wake()
    } else {
      let found = Found(look: look, sources: system.sources())
      shared.state.withLock { $0.found = found }
    }
    return look
  }

  /// What was found last, since the last call.
  public func takeFound() -> Found? { shared.state.withLock { $0.found.take() } }

  /// Begins to open a device; `takeOpened` tells of it by `number`.
  public func open(_ number: Int, _ path: String, keeping controls: Set<Control>, grabs: Bool) {
    let job = Job(number: number, path: path, controls: controls, grabs: grabs)
    guard hasThread else {
      let opened = Self.opened(job, by: system)
      return shared.state.withLock { $0.opened.append(opened) }
    }
    shared.state.withLock { $0.jobs.append(job) }
    thread?.wake()
  }

  /// What was opened, or could not be, since the last call.
  public func takeOpened() -> [Opened] {
    shared.state.withLock { state in
      defer { state.opened = [] }
      return state.opened
    }
  }

  /// Closes devices soon; nobody may use them any more.
  public func close(_ streams: [any ControlStream]) {
    guard !streams.isEmpty, hasThread else { return }
    shared.state.withLock { $0.leaving += streams }
    thread?.wake()
  }

  /// Has the thread end; returns at once.
  public func requestStop() { if isStarted.withLock({ $0 }) { thread?.requestStop() } }

  /// Ends the thread, but does not wait beyond `deadline` for a driver that does not answer: then it is left behind, and the answer is
  /// false.
  @discardableResult public func stop(by deadline: Instant = .distantFuture) -> Bool {
    guard isStarted.withLock({ $0 }) else { return true }
    return thread?.stop(byNanoseconds: deadline.nanoseconds) ?? true
  }

  private var hasThread: Bool {
    isStarted.withLock { isStarted in
      if !isStarted, let thread { isStarted = (try? thread.start(name: "controls")) != nil }
      return isStarted
    }
  }

  private static func opened(_ job: Job, by system: any ControlSystem) -> Opened {
    do throws(ControlErrno) {
      return Opened(
        number: job.number, stream: .success(try system.open(job.path, keeping: job.controls, grabs: job.grabs)))
    } catch {
      return Opened(number: job.number, stream: .failure(error))
    }
  }
}
