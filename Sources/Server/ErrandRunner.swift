// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Host
import RealTime
import Synchronization

/// Does what requests leave to be done, one errand after another, on a thread of its own.
final class ErrandRunner: Sendable {
  private struct State {
    var waiting: [Errand] = []
    var stops = false
  }

  private let state = Mutex(State())
  private let wake: Int32
  private let timer: Int32
  /// Told when an errand is done.
  private let control: Int32

  /// Wakes the eventfd `control` after each errand.
  init(control: Int32) {
    self.control = control
    wake = rt_waiter_event()
    timer = rt_waiter_timer()
  }

  deinit {
    close(wake)
    close(timer)
  }

  /// Starts the thread. After `requestStop` it is to be joined.
  func start() throws(ThreadError) -> RealTimeThread {
    try RealTimeThread(
      name: "errands", priority: nil, body: runErrands, argument: Unmanaged.passRetained(self).toOpaque())
  }

  /// Has `errand` done after those that wait: at most one of each client.
  func add(_ errand: Errand) {
    state.withLock { $0.waiting.append(errand) }
    rt_waiter_wake(wake)
  }

  /// Ends the thread after the errand it is at.
  func requestStop() {
    state.withLock { $0.stops = true }
    rt_waiter_wake(wake)
  }

  fileprivate func run() {
    while true {
      let (next, stops) = state.withLock { state in
        (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.stops)
      }
      if stops { return }
      if let next {
        next.run()
        rt_waiter_wake(control)
      } else {
        _ = rt_waiter_wait(wake, timer, 0)
      }
    }
  }
}

/// The thread's body: a function of the module, so that it belongs to no actor.
private func runErrands(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument { Unmanaged<ErrandRunner>.fromOpaque(argument).takeRetainedValue().run() }
  return nil
}
