// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Files
import Glibc
import Haptics
import Problems
import Timing
import Tracing

/// Writes what is to be felt as lines of JSON, one a change: for machines without a pad, and for tests.
///
/// Steps are written at their exact microsecond, moving levels every 10 ms. The last line is silence.
public final class LogHapticDevice: HapticDevice {
  /// The file's path, or what its opener calls it.
  public let name: String
  /// Zero: a line is written at the instant it tells of.
  public let lead = Interval.zero
  /// Every writing of a line, at the instant it tells of.
  public let trace: SharedTraceRing?
  private let driver: HapticDriver<HapticLog>

  /// Writes the file at `path` anew. Refuses whatever is no regular file before it is opened: a pipe would lose what its
  /// reader does not take in time, and opening a device may do things.
  public convenience init(path: String, steps: FeltSteps? = nil) throws(Problem) {
    let descriptor: Int32
    do throws(FileRefusal) {
      descriptor = try openSoleFileAnew(path, mode: 0o644)
    } catch {
      throw Problem.opening(log: path, error.reason)
    }
    try self.init(fileDescriptor: descriptor, name: path, steps: steps)
  }

  /// One whose lines go nowhere: what it does is noted.
  public static func repeating(steps: FeltSteps?) throws(Problem) -> LogHapticDevice {
    let descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC)
    if descriptor < 0 { throw Problem.opening(log: "/dev/null", errno: errno) }
    return try LogHapticDevice(fileDescriptor: descriptor, name: "log", steps: steps)
  }

  /// Writes to `fileDescriptor`, which is closed by `stop()`. Its steps are noted where there is something to note them in.
  public init(fileDescriptor: Int32, name: String, steps: FeltSteps? = nil) throws(Problem) {
    let ring = SharedTraceRing(capacity: 1_024)
    let log = HapticLog(descriptor: fileDescriptor, trace: ring, steps: steps)
    let leftBehind = Problem(.logFailed, UnansweredFile.reason, remedy: UnansweredFile.remedy)
    guard let driver = HapticDriver(log, name: "haptic log", leftBehind: leftBehind) else {
      throw Problem.opening(log: name, errno: errno)
    }
    self.driver = driver
    self.name = name
    trace = ring
  }

  deinit { stop() }

  /// What is wrong: why writing ended for good, or that changes are left out, or were; nil while all is well.
  public var failure: Problem? {
    driver.failure.map { Problem($0.kind, file: name, "haptic log \(name): \($0.reason)", remedy: $0.remedy) }
  }
  /// Writes silence where the engine stands, and what is felt where it goes on.
  public func follow(_ clock: EngineClock) { driver.follow(clock) }
  /// Hands over commands; they are written when they are due.
  public func send(_ commands: [HapticCommand]) { driver.send(commands) }
  /// Whether its disk has not answered for so long that what waits for it is to be left out.
  public func isOverfull(at now: Instant) -> Bool { driver.isOverfull(at: now) }
  /// Leaves out what waits; when the disk answers it is written what is felt of `playing` from then on.
  public func rejoin(_ playing: HapticMixer) { driver.rejoin(playing) }
  /// Another log was told so, whose steps are done again.
  public func repeatRejoin(_ playing: HapticMixer) { driver.repeatRejoin(playing) }
  /// Stepped only: writes all that is due up to and including `instant`.
  public func advance(to instant: Instant) { driver.advance(to: instant) }
  /// Does a step again that another log noted, with what it was sent by now; `clock` is the one that the step went by from
  /// there on. False where it was not sent so much.
  public func repeatStep(_ step: FeltStep, clock: EngineClock?) -> Bool {
    driver.repeatStep(step.commands, behind: step.left) { log, mail in
      if let clock { log.follow(clock, beginningAt: nil) }
      if let playing = mail.playing { log.rejoin(playing, behind: mail.left) }
      if step.isLast {
        log.close(at: step.at)
      } else {
        log.step(mail.commands, at: step.at, isStepped: step.isStepped)
      }
    }
  }
  /// Live only: begins to follow the clock, on a thread of its own.
  public func start() { driver.start() }
  /// Has the thread end; returns at once.
  public func requestStop() { driver.requestStop() }
  /// Writes silence, ends the thread and closes the file. May be called twice.
  public func stop(by deadline: Instant) -> Bool { driver.stop(by: deadline) }
}

/// The file and what has been written to it.
private struct HapticLog: HapticBackend {
  private static let remedy = "write it to a faster disk"
  static let hanging = Problem(.logFailed, "its disk does not answer, and changes are left out", remedy: remedy)
  static let gap: Problem? = Problem(
    .logFailed, "changes are missing in it: its disk did not answer for a while", remedy: remedy)

  private var stepper = HapticStepper()
  private var written = HapticLogLine.silence
  private var writtenBytes: Int64 = 0
  private var walk = PauseWalk()
  private var descriptor: Int32
  private(set) var failure: Problem?
  private let trace: SharedTraceRing
  private let steps: FeltSteps?
  /// The clock that it goes by since the last step.
  private var followed: Int?
  /// How many commands were left out since the last step.
  private var left = 0
  /// The first instant of what is about to be written.
  private var firstFelt: Instant?
  private var lateStarts = LateStarts()

  init(descriptor: Int32, trace: SharedTraceRing, steps: FeltSteps?) {
    self.steps = steps
    self.descriptor = descriptor
    self.trace = trace
  }

  var nextDue: Instant? {
    earliest(walk.isStanding ? nil : stepper.nextDue.map(walk.clock.told), walk.nextDue)
  }

  mutating func follow(_ clock: EngineClock, beginningAt start: Instant?) {
    walk.follow(clock, beginningAt: start)
    followed = FeltStep.number(of: clock)
  }

  mutating func rejoin(_ playing: HapticMixer, behind left: Int) {
    walk.rejoin(at: walk.clock.told(playing.now))
    stepper.rejoin(playing)
    self.left += left
  }

  /// Writes what has changed in one piece.
  mutating func step(_ commands: [HapticCommand], at now: Instant, isStepped: Bool) {
    let isIdle = steps == nil || (commands.isEmpty && followed == nil && left == 0 && nextDue.map { $0 > now } ?? true)
    var text = ""
    firstFelt = nil
    while let step = walk.next(by: now) {
      switch step {
      case .stand(let hold):
        advance(to: hold.last, isWritten: true, isLast: true, &text)
        if written != .silence {
          text += HapticLogLine.silence.text(at: hold.stoppedAt, source: nil)
          firstFelt = firstFelt ?? hold.stoppedAt
        }
        written = .silence
      case .goOn(let hold, let instant):
        let felt = stepper.goOn(at: hold.at)
        let line = HapticLogLine(felt.level)
        if line != written {
          text += line.text(at: instant, source: felt.source)
          firstFelt = firstFelt ?? instant
        }
        written = line
      }
    }
    lateStarts.note(commands, at: walk.clock.now(at: now))
    advance(to: walk.clock.now(at: now), applying: commands, isWritten: !walk.isStanding, &text)
    if let steps, !isIdle {
      steps.note(
        FeltStep(
          left: left, commands: commands.count, clock: followed, at: now, isStepped: isStepped, written: text))
      (followed, left) = (nil, 0)
    }
    if text.isEmpty { return }
    let felt = firstFelt ?? now
    let woken = isStepped ? felt : now
    trace.ring.record(.writing(due: felt, felt: felt, woken: woken, device: 0))
    write(text)
    trace.ring.record(
      .wrote(
        due: felt, felt: felt, woken: woken, done: isStepped ? felt : Instant(nanoseconds: rt_now_ns()), device: 0,
        isRefused: failure != nil, tookLate: lateStarts.take()))
  }

  /// What is done while it stands is not written: it is part of what is felt when it goes on. Behind an instant that `isLast`
  /// it stands: nothing of before is left to be told.
  private mutating func advance(
    to instant: Instant, applying commands: [HapticCommand] = [], isWritten: Bool, isLast: Bool = false,
    _ text: inout String
  ) {
    var written = written
    var first = firstFelt
    let clock = walk.clock
    let append = { (change: HapticChange) in
      let line = HapticLogLine(change.level)
      if !isWritten || line == written { return }
      written = line
      let felt = clock.told(change.instant)
      first = first ?? felt
      text += line.text(at: felt, source: change.source)
    }
    stepper.apply(commands, at: instant, append)
    if isLast { stepper.settle(at: instant, append) } else { stepper.advance(to: instant, append) }
    self.written = written
    firstFelt = first
  }

  mutating func close(at now: Instant) {
    if descriptor < 0 { return }
    step([], at: now, isStepped: true)
    var last = ""
    stepper.silence(at: walk.clock.now(at: now)) {
      last = HapticLogLine.silence.text(at: walk.clock.told($0.instant), source: nil)
    }
    if written == .silence { last = "" }
    write(last)
    steps?.note(FeltStep(commands: 0, clock: nil, at: now, isStepped: true, isLast: true, written: last))
    if failure == nil, let code = deferredFailure(of: descriptor) { fail(code) }
    closeSole(descriptor)
    descriptor = -1
  }

  /// The file is looked at though there is nothing to write, as there may be at the end.
  private mutating func write(_ text: String) {
    if descriptor < 0 || failure != nil || isDamaged() { return }
    let bytes = Array(text.utf8)
    if isWritten(bytes, to: descriptor) {
      writtenBytes += Int64(bytes.count)
      return
    }
    fail(errno)
  }

  private mutating func fail(_ code: Int32) {
    let reason = code == EAGAIN ? "its reader does not keep up" : String(cString: strerror(code))
    let remedy =
      switch code {
      case EFBIG: "raise the limit on the size of files (ulimit -f) and start the daemon anew"
      case EAGAIN, EPIPE: "start its reader and the daemon anew"
      default: "free some space and start the daemon anew"
      }
    failure = Problem(.logFailed, reason + "; nothing more is written", remedy: remedy)
  }

  private mutating func isDamaged() -> Bool {
    guard let damage = FileDamage(to: descriptor, after: writtenBytes) else { return false }
    failure = Problem(
      .logFailed, damage.reason + "; nothing more is written", remedy: "leave it in place, and start the daemon anew")
    return true
  }
}
