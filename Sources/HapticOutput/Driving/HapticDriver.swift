// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Haptics
import Problems
import Synchronization
import Timing

/// What one kind of device does with time and commands; carried out by a `HapticDriver`.
protocol HapticBackend: ~Copyable, Sendable {
  /// Why it no longer does what it is told, for people; nil while all is well.
  var failure: Problem? { get }
  /// When there is something to do next; nil when only a command can bring something.
  var nextDue: Instant? { get }
  /// Whether its device is away: nothing is written to it, and `step` looks for it, which takes long.
  var isAway: Bool { get }
  /// Takes commands in and does all that is due up to and including `now`. Where time does not run by itself (`isStepped`) each
  /// thing is done at its own instant.
  mutating func step(_ commands: [HapticCommand], at now: Instant, isStepped: Bool)
  /// Goes by that time of the engine's from here on. `beginningAt` is given to a device that is new, and knows no pause
  /// that is over by then.
  mutating func follow(_ clock: EngineClock, beginningAt start: Instant?)
  /// Devices were plugged in or unplugged: sees to its own.
  mutating func look(at now: Instant)
  /// Leaves the device silent and closes it.
  mutating func close(at now: Instant)
}

extension HapticBackend where Self: ~Copyable {
  var isAway: Bool { false }
  mutating func look(at now: Instant) {}
}

/// Runs a backend, live on a thread of its own or stepped. Control leaves commands in a mailbox and never waits for
/// the backend, which may block for as long as it likes.
final class HapticDriver<Backend: HapticBackend & ~Copyable>: Sendable {
  /// Held only to put in and take out.
  private let mailbox = Mutex(Mailbox())
  /// Held while the backend works, so never taken by `send` or `failure`.
  private let backend: Mutex<Backend>
  private let trouble = Mutex<Problem?>(nil)
  private let waiter: ClockWaiter
  /// The thread's.
  private let name: String
  private let ended: ClockWaiter

  private struct Mailbox {
    var commands: [HapticCommand] = []
    var isStopping = false
    var isToLook = false
    var clock: EngineClock?
    var thread: HapticThread?
    /// How far a stepped device has been walked.
    var reached = Instant.distantPast

    mutating func takeCommands() -> [HapticCommand] {
      defer { commands = [] }
      return commands
    }
  }

  /// Nil when the process has no file descriptors left.
  init?(_ backend: consuming sending Backend, name: String) {
    guard let waiter = ClockWaiter(), let ended = ClockWaiter() else { return nil }
    self.waiter = waiter
    self.ended = ended
    self.backend = Mutex(backend)
    self.name = name
  }

  var failure: Problem? { trouble.withLock { $0 } }

  func send(_ commands: [HapticCommand]) {
    mailbox.withLock { $0.commands += commands }
    waiter.wake()
  }

  func follow(_ clock: EngineClock) {
    mailbox.withLock { $0.clock = clock }
    waiter.wake()
  }

  func begin(_ clock: EngineClock, at now: Instant) { backend.withLock { $0.follow(clock, beginningAt: now) } }

  func look() {
    mailbox.withLock { $0.isToLook = true }
    waiter.wake()
  }

  func advance(to instant: Instant) {
    let (commands, clock, reached) = mailbox.withLock { mailbox in
      defer { mailbox.reached = max(mailbox.reached, instant) }
      return (mailbox.takeCommands(), mailbox.clock.take(), mailbox.reached)
    }
    use { backend in
      if let clock { backend.follow(clock, beginningAt: nil) }
      backend.step(commands, at: reached, isStepped: true)
      backend.step([], at: instant, isStepped: true)
    }
  }

  /// Does again what was noted of another driver, with the first `count` commands that wait; false where there are not so many.
  func repeatStep(_ count: Int, _ body: (inout Backend, [HapticCommand]) -> Void) -> Bool {
    let commands: [HapticCommand]? = mailbox.withLock { mailbox in
      guard 0...mailbox.commands.count ~= count else { return nil }
      defer { mailbox.commands.removeFirst(count) }
      return Array(mailbox.commands.prefix(count))
    }
    guard let commands else { return false }
    use { body(&$0, commands) }
    return true
  }

  func start() {
    let isStarted = mailbox.withLock { mailbox in
      if mailbox.thread != nil || mailbox.isStopping { return true }
      mailbox.thread = HapticThread(name: name) { [self] in run() }
      return mailbox.thread != nil
    }
    if !isStarted {
      report(Problem(.threadRefused, "no thread could be started", remedy: "raise the limit on tasks (ulimit -u)"))
    }
  }

  /// Waits for the thread's end, but for 250 ms at most: a device that blocks must not keep the daemon from ending.
  func stop() {
    let (thread, wasStopping, commands, reached) = mailbox.withLock { mailbox in
      defer { mailbox.isStopping = true }
      let thread = mailbox.thread.take()
      return (thread, mailbox.isStopping, thread == nil ? mailbox.takeCommands() : [], mailbox.reached)
    }
    if let thread {
      waiter.wake()
      if hasEnded(by: Instant(nanoseconds: rt_now_ns()) + .milliseconds(250)) {
        thread.join()
      } else {
        thread.detach()
        report(Problem(.deviceHangs, "it does not answer and was left behind"))
      }
    } else if !wasStopping {
      use { backend in
        backend.step(commands, at: reached, isStepped: true)
        backend.close(at: reached)
      }
    }
  }

  private func run() {
    var isStopping = false
    var urgency = HapticUrgency(mailbox.withLock { $0.thread?.scheduling })
    var pace = CommandPace()
    while !isStopping {
      let commands: [HapticCommand]
      let isToLook: Bool
      let clock: EngineClock?
      let pausing = pace.due(at: Instant(nanoseconds: rt_now_ns()))
      (commands, isToLook, clock, isStopping) = mailbox.withLock { mailbox in
        defer { mailbox.isToLook = false }
        // What ends is told all of it.
        let takes = pausing == nil || mailbox.isStopping
        return (takes ? mailbox.takeCommands() : [], mailbox.isToLook, mailbox.clock.take(), mailbox.isStopping)
      }
      if !commands.isEmpty { pace.spend() }
      let now = Instant(nanoseconds: rt_now_ns())
      let due = use { backend in
        if let clock { backend.follow(clock, beginningAt: nil) }
        if isToLook { backend.look(at: now) }
        urgency.follow(isAway: backend.isAway)
        backend.step(commands, at: now, isStepped: false)
        if isStopping { backend.close(at: now) }
        urgency.follow(isAway: backend.isAway)
        return backend.nextDue
      }
      if isStopping { break }
      if let pausing {
        waiter.sleep(until: min(due ?? pausing, pausing))
      } else {
        waiter.wait(until: due)
      }
    }
    ended.wake()
  }

  /// Signals may cut the wait short, so it is taken up again until the deadline.
  private func hasEnded(by deadline: Instant) -> Bool {
    while !ended.wait(until: deadline) {
      if Instant(nanoseconds: rt_now_ns()) >= deadline { return false }
    }
    return true
  }

  private func use<Result>(_ body: (inout Backend) -> Result) -> Result {
    let (result, failure) = backend.withLock { (body(&$0), $0.failure) }
    trouble.withLock { $0 = failure }
    return result
  }

  private func report(_ failure: Problem) { trouble.withLock { $0 = $0 ?? failure } }
}
