// SPDX-License-Identifier: Apache-2.0

import CRealTime
import RealTime
import Synchronization

/// Reads packs on a thread of its own, one job after another, and frees what is not used any more: both would hold control up.
final class LoaderThread: Sendable {
  private struct State {
    var job: Job?
    var done: [FolderReading]?
    var isTaken = false
    var mayGo = false
    var unused: [PackSounds] = []
  }

  /// Reads; gives up what is left of it where it is not wanted any more.
  typealias Job = @Sendable (_ isWanted: @escaping @Sendable () -> Bool) -> [FolderReading]

  private final class Shared: Sendable {
    let state = Mutex(State())
    let isEnding = Atomic(false)
  }

  private let shared = Shared()
  private let thread: WakingThread

  /// Wakes the eventfd `control` behind each job.
  init(control: Int32) {
    let shared = shared
    thread = WakingThread {
      // Dropped here, outside the lock.
      let unused = shared.state.withLock { state in
        defer {
          state.unused = []
          if state.mayGo { (state.done, state.isTaken, state.mayGo) = (nil, false, false) }
        }
        return (state.unused, state.mayGo ? state.done : nil)
      }
      _ = unused
      let job = shared.state.withLock { state in
        defer { state.job = nil }
        return state.job
      }
      guard let job else { return .whenWoken }
      let done = job { !shared.isEnding.load(ordering: .relaxed) }
      let last: [FolderReading]? = shared.state.withLock { state in
        defer { (state.done, state.isTaken, state.mayGo) = (done, false, false) }
        return state.done
      }
      _ = last
      rt_waiter_wake(control)
      return .atOnce
    }
  }

  /// Starts the thread.
  func start() throws(ThreadError) { try thread.start(name: "loader") }

  /// Has a job done; the last one must have been taken.
  func begin(_ job: @escaping Job) {
    shared.state.withLock { $0.job = job }
    thread.wake()
  }

  /// What came of the job, once, when it is done. It is kept here until `letGo`.
  func takeDone() -> [FolderReading]? {
    shared.state.withLock { state in
      if state.isTaken { return nil }
      state.isTaken = state.done != nil
      return state.done
    }
  }

  /// Nobody looks at what was taken any more.
  func letGo() {
    let isNew = shared.state.withLock { state in
      defer { state.mayGo = state.isTaken }
      return state.isTaken && !state.mayGo
    }
    if isNew { thread.wake() }
  }

  /// Has memory freed that nobody uses any more.
  func free(_ sounds: [PackSounds]) {
    shared.state.withLock { $0.unused += sounds }
    thread.wake()
  }

  /// Ends the thread after the file that it is at: nobody waits for the rest, nor for a file that does not answer.
  func stop() {
    shared.isEnding.store(true, ordering: .relaxed)
    thread.stop(withinMilliseconds: 250)
  }
}
