// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Haptics
import Problems
import Synchronization
import Timing

/// What one kind of device does with time and commands; carried out by a `HapticDriver`.
protocol HapticBackend: ~Copyable, Sendable {
  /// What is told of it while it takes nothing and what it is told is left out.
  static var hanging: Problem { get }
  /// What is told from then on, once it has taken something again; nil where nothing is amiss any more.
  static var gap: Problem? { get }
  /// Why it no longer does what it is told, for people; nil while all is well.
  var failure: Problem? { get }
  /// When there is something to do next; nil when only a command can bring something.
  var nextDue: Instant? { get }
  /// Whether its device is away: nothing is written to it, and `step` looks for it, which takes long.
  var isAway: Bool { get }
  /// Takes commands in and does all that is due up to and including `now`. Where time does not run by itself (`isStepped`) each
  /// thing is done at its own instant.
  mutating func step(_ commands: [HapticCommand], at now: Instant, isStepped: Bool)
  /// Was not told of `left` commands: `playing` is what has come of them, and takes the place of what it knew.
  mutating func rejoin(_ playing: HapticMixer, behind left: Int)
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
  private let trouble = Mutex(Trouble())
  private let waiter: ClockWaiter
  /// The thread's.
  private let name: String
  private let ended: ClockWaiter
  /// What is said of one that was left behind.
  private let leftBehind: Problem

  private struct Mailbox {
    var mail = HapticMailbox()
    var isStopping = false
    var isToLook = false
    var clock: EngineClock?
    var thread: HapticThread?
    /// How far a stepped device has been walked.
    var reached = Instant.distantPast
  }

  private struct Trouble {
    var failure: Problem?
    /// Of something that is over.
    var gap: Problem?
  }

  /// Nil when the process has no file descriptors left. Of one that does not end in time `leftBehind` is told.
  init?(
    _ backend: consuming sending Backend, name: String,
    leftBehind: Problem = Problem(.deviceHangs, "it does not answer and was left behind")
  ) {
    guard let waiter = ClockWaiter(), let ended = ClockWaiter() else { return nil }
    self.leftBehind = leftBehind
    self.waiter = waiter
    self.ended = ended
    self.backend = Mutex(backend)
    self.name = name
  }

  var failure: Problem? {
    let hanging = mailbox.withLock { $0.mail.isLeavingOut } ? Backend.hanging : nil
    return trouble.withLock { $0.failure ?? hanging ?? $0.gap }
  }

  func send(_ commands: [HapticCommand]) {
    mailbox.withLock { $0.mail.put(commands) }
    waiter.wake()
  }

  /// Whether it has taken nothing for so long by `now` that what waits is to be left out.
  func isOverfull(at now: Instant) -> Bool { mailbox.withLock { $0.mail.isOverfull(at: now) } }

  /// Leaves out all that waits: `playing` is what has come of it by now.
  func rejoin(_ playing: HapticMixer) {
    mailbox.withLock { $0.mail.rejoin(playing) }
    waiter.wake()
  }

  /// Notes that another driver was told so.
  func repeatRejoin(_ playing: HapticMixer) { mailbox.withLock { $0.mail.note(rejoining: playing) } }

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
    let (mail, clock, reached) = mailbox.withLock { mailbox in
      defer { mailbox.reached = max(mailbox.reached, instant) }
      return (mailbox.mail.take(), mailbox.clock.take(), mailbox.reached)
    }
    use { backend in
      if let clock { backend.follow(clock, beginningAt: nil) }
      rejoin(&backend, mail)
      backend.step(mail.commands, at: reached, isStepped: true)
      backend.step([], at: instant, isStepped: true)
    }
  }

  /// Does again what was noted of another driver, with the first `count` commands that wait behind `left` that were left out;
  /// false where it cannot have been so.
  func repeatStep(_ count: Int, behind left: Int, _ body: (inout Backend, HapticMail) -> Void) -> Bool {
    guard let mail = mailbox.withLock({ $0.mail.take(count, behind: left) }) else { return false }
    use { body(&$0, mail) }
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

  /// Has the thread end; returns at once.
  func requestStop() {
    mailbox.withLock { mailbox in
      if mailbox.thread != nil { mailbox.isStopping = true }
    }
    waiter.wake()
  }

  /// Waits for the thread's end, but not beyond `deadline`: a device or a file that does not answer must not keep the daemon from
  /// ending. False where it was left behind.
  @discardableResult func stop(by deadline: Instant) -> Bool {
    let (thread, wasStopping, mail, reached) = mailbox.withLock { mailbox in
      defer { mailbox.isStopping = true }
      let thread = mailbox.thread.take()
      return (thread, mailbox.isStopping, thread == nil ? mailbox.mail.take() : HapticMail(), mailbox.reached)
    }
    if let thread {
      waiter.wake()
      guard hasEnded(by: deadline) else {
        thread.detach()
        report(leftBehind)
        return false
      }
      thread.join()
    } else if !wasStopping {
      use { backend in
        rejoin(&backend, mail)
        backend.step(mail.commands, at: reached, isStepped: true)
        backend.close(at: reached)
      }
    }
    return true
  }

  private func run() {
    var isStopping = false
    var urgency = HapticUrgency(mailbox.withLock { $0.thread?.scheduling })
    var pace = CommandPace()
    while !isStopping {
      let mail: HapticMail
      let isToLook: Bool
      let clock: EngineClock?
      let pausing = pace.due(at: Instant(nanoseconds: rt_now_ns()))
      (mail, isToLook, clock, isStopping) = mailbox.withLock { mailbox in
        defer { mailbox.isToLook = false }
        // What ends is told all of it.
        let takes = pausing == nil || mailbox.isStopping
        return (takes ? mailbox.mail.take() : HapticMail(), mailbox.isToLook, mailbox.clock.take(), mailbox.isStopping)
      }
      if !mail.commands.isEmpty { pace.spend() }
      let now = Instant(nanoseconds: rt_now_ns())
      let due = use { backend in
        if let clock { backend.follow(clock, beginningAt: nil) }
        rejoin(&backend, mail)
        if isToLook { backend.look(at: now) }
        urgency.follow(isAway: backend.isAway)
        backend.step(mail.commands, at: now, isStepped: false)
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

  /// Signals may cut the wait short, so it is taken up again until the deadline. Where that has passed already it is looked all the same.
  private func hasEnded(by deadline: Instant) -> Bool {
    while !ended.wait(until: deadline) {
      if Instant(nanoseconds: rt_now_ns()) >= deadline { return false }
    }
    return true
  }

  /// Makes up for what was left out, if anything was.
  private func rejoin(_ backend: inout Backend, _ mail: HapticMail) {
    guard let playing = mail.playing else { return }
    backend.rejoin(playing, behind: mail.left)
    trouble.withLock { $0.gap = Backend.gap }
  }

  private func use<Result>(_ body: (inout Backend) -> Result) -> Result {
    let (result, failure) = backend.withLock { (body(&$0), $0.failure) }
    trouble.withLock { $0.failure = failure }
    return result
  }

  private func report(_ failure: Problem) { trouble.withLock { $0.failure = $0.failure ?? failure } }
}
