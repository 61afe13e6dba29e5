// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Files
import Glibc
import Mixing
import Problems
import RealTime
import Timing
import Tracing

/// The sound output: an audio thread that calls the mixer, on a sound device or, while there is none, on the clock.
///
/// Belongs to one control thread; only `wake` may be polled elsewhere.
public final class AudioOutput {
  /// An eventfd, written at most once a period when the mixer has events or there are notices, and when the recording
  /// fails. Read it, then drain.
  public let wake: Int32

  private let configuration: AudioOutputConfiguration
  private let memory: SharedOutput
  private let mixer: UnsafeMutablePointer<Mixer>
  private let keeper: DeviceKeeper
  private let threads: AudioThreads
  private var keeperThread: RealTimeThread?
  let idle: IdlePolicy
  var rest = DeviceRest()
  /// Whether a device that rests is left so.
  private var isLeftAtRest = false
  /// Whether a device did not come back from its rest, and that is not told yet.
  var hasFailedToWake = false
  private var isRunning = false
  private var recorder: Recorder?
  /// Whether a thread was left behind that hangs: the process is to end without waiting for it.
  public private(set) var hasLeftBehind = false
  private var memoryMessage = ""
  var shared: UnsafeMutablePointer<OutputShared> { memory.pointer }

  /// From the start to the first frame heard on the plan: time to open a device and fill its buffer.
  private static let startDelay = Interval.milliseconds(20)

  /// An output that will render `mixer`, which must outlive it and be rendered by nobody else. Nothing starts yet.
  public init(_ configuration: AudioOutputConfiguration, mixer: UnsafeMutablePointer<Mixer>) {
    self.configuration = configuration
    self.mixer = mixer
    idle = IdlePolicy(idle: configuration.recordPath == nil ? configuration.idle : nil)
    wake = rt_eventfd_open()
    let now = Instant(nanoseconds: rt_now_ns())
    memory = SharedOutput(
      OutputShared(timeline: AudioTimeline(frame: mixer.pointee.outputFrame, instant: now, rate: configuration.rate)))
    threads = AudioThreads(configuration, mixer: mixer, memory: memory, wake: wake)
    let name = configuration.device ?? "default"
    keeper = DeviceKeeper(
      request: DeviceRequest(
        name: name, rate: configuration.rate, period: configuration.period, periods: configuration.periods,
        threadPriority: configuration.realtimePriority),
      shared: memory, threads: threads, patience: configuration.patience,
      fallback: .null(
        rate: configuration.rate, period: configuration.period ?? AudioThread.nullPeriod,
        message: name == AudioOutputConfiguration.nullDevice
          ? "silent, paced by the clock, as asked for"
          : "silent, paced by the clock: the sound device \(name) has not answered yet; it is taken up as soon as it does"
      ),
      fillFile: configuration.fillFile.map { FillFile(path: $0) },
      leadFile: configuration.leadFile.map { LeadFile(path: $0) },
      wakeFile: configuration.wakeFile.map { WakeFile(path: $0) })
  }

  deinit {
    _ = stop()
    if wake >= 0 { close(wake) }
  }

  /// Opens the device, or takes the null device and says why in `description`, and starts to render; once.
  ///
  /// Fails only when a recording cannot be created or the system gives no thread, or no descriptor to wake one by.
  public func start() throws(Problem) {
    guard !isRunning else { return }
    guard wake >= 0, threads.keeperWake >= 0, keeper.hasDescriptors else {
      throw Problem(
        .threadRefused, "nothing can wake the threads of the sound output: \(reason(EMFILE))",
        remedy: "raise the limit on open files (ulimit -n)")
    }
    if let path = configuration.recordPath {
      recorder = try Recorder(path: path, rate: configuration.rate, first: mixer.pointee.outputFrame, wake: wake)
    }
    if configuration.locksMemory {
      keepPagesSmall()
      memoryMessage = lockMemory()
    }
    let wantsDevice = configuration.device != AudioOutputConfiguration.nullDevice
    if wantsDevice {
      // One thread at a time owns a PCM here; without alsa-lib's own mutexes the audio thread takes no lock.
      setenv("LIBASOUND_THREAD_SAFE", "0", 1)
      rt_alsa_capture_messages()
      keeperThread = try keeperThread(keeper)
      keeper.awaitFirstAttempt(milliseconds: configuration.patience)
    }
    let period = configuration.period.map { min(max($0, 16), AudioThread.longestBlock) } ?? AudioThread.nullPeriod
    try threads.start(at: Instant(nanoseconds: rt_now_ns()) + Self.startDelay, period: period, tap: recorder?.tap)
    isRunning = true
  }

  /// Ends rendering: what is queued is heard (at most 200 ms), then device and recording are closed. Fade out before.
  ///
  /// What went wrong, if anything did. A device that hangs, or the disk of what is remembered of it, is waited for no longer than
  /// `patience`, all of it together, but for a moment at least, and a recording not beyond `deadline`, but for a moment at least.
  @discardableResult public func stop(recordingBy deadline: Instant = .distantFuture) -> [Problem] {
    let patience = Instant(nanoseconds: rt_now_ns()) + .milliseconds(Int64(configuration.patience))
    let playsOn = threads.stop(byNanoseconds: patience.nanoseconds)
    isRunning = false
    recorder?.requestFinish()
    if playsOn {
      let heard = timeline.instant(ofFrame: mixer.pointee.outputFrame)
      rt_sleep_until_ns(min(heard.nanoseconds, rt_now_ns() + 200_000_000))
    }
    keeper.requestStop()
    let now = Instant(nanoseconds: rt_now_ns())
    var problems: [Problem] = []
    if let recorder {
      let isWritten = recorder.finish(by: max(deadline, now + .milliseconds(UnansweredFile.leastPatience)))
      hasLeftBehind = hasLeftBehind || !isWritten
      if let failure = recorder.failure { problems.append(failure) }
    }
    recorder = nil
    // Where a thread hangs in the device, the keeper waits for that.
    let keeperDeadline = threads.isHanging ? now : max(patience, now + .milliseconds(UnansweredFile.leastPatience))
    if let left = keeperThread.take()?.join(byNanoseconds: keeperDeadline.nanoseconds) {
      left.detach()
      problems.append(keeper.unansweredFile ?? hang)
      hasLeftBehind = true
    }
    return problems
  }

  /// Which frame is heard when, as of the last period.
  public var timeline: AudioTimeline { shared.pointee.timeline.read() }

  /// Not before this instant the mixer takes commands again; in the past where that is not known. What the mixer has
  /// reached, read after it, is what a command reaches that is there by then.
  public var nextWake: Instant { Instant(nanoseconds: shared.pointee.nextWake.load(ordering: .acquiring)) }

  /// What the output has reached at `now` while nothing sounds and the audio thread rests; nil where it does not. Ask before
  /// all else: then what it has not is up to date.
  public func restingReach(at now: Instant) -> OutputReach? {
    let rest = shared.pointee.rest.read()
    return rest.lasts ? rest.reach(at: now) : nil
  }

  /// The mixer was told something: ends the audio thread's rest, if it rests, and the device's. What was told acts at the frame
  /// that it would act at had the thread been awake. Never blocks.
  public func endRest() {
    shared.pointee.endRest()
    if isLeftAtRest { return }
    let now = Instant(nanoseconds: rt_now_ns())
    if rest.end(at: now, wake: longestWake ?? .zero) { want(at: now) }
  }

  /// Whether the output rests and would have mixed played frame `frame` by now were it awake. Frames pass no further than to
  /// now at first, so that a frame which has not passed is there for what is handed over behind this.
  public func hasRested(past frame: Int64) -> Bool {
    let rest = shared.pointee.rest.read()
    guard rest.lasts else { return false }
    let now = Instant(nanoseconds: rt_now_ns())
    shared.pointee.restGoal.min(rest.next(at: now), ordering: .acquiringAndReleasing)
    return rest.reach(at: now).mixed > frame
  }

  func wakeKeeper() { rt_eventfd_signal(threads.keeperWake) }

  /// The output ends soon, and nothing new is heard: a device that rests is not opened for that.
  public func leaveAtRest() { isLeftAtRest = rest.phase == .resting || rest.phase == .closing }

  /// Frames rendered at a time.
  public var period: Int { shared.pointee.period.load(ordering: .relaxed) }

  /// Whether there is a device that is played on, or that rests and will be in time.
  public var isOnDevice: Bool { rest.phase != .none || shared.pointee.isOnDevice.load(ordering: .relaxed) }

  /// How much later than it tells the device is heard that is played on, as calibrated; nothing by the clock alone.
  public var lead: Interval {
    isOnDevice ? Interval(nanoseconds: shared.pointee.lead.load(ordering: .relaxed)) : .zero
  }

  /// How much longer that is than what is rendered is in time by: it is so much that frames are to be passed over for.
  public var leadToCome: Interval {
    if rest.phase != .none { return .zero }
    return max(.zero, lead - Interval(nanoseconds: shared.pointee.leadInForce.load(ordering: .relaxed)))
  }

  /// The device of that name, if it plays, is heard `lead` later than it tells, in whole microseconds: it is brought onto the
  /// plan anew by that, so that announced instants hold, and this is kept. False where another plays, or none.
  public func setLead(_ lead: Interval, of device: String) -> Bool { keeper.setLead(lead, of: device) }

  /// What plays now, and how.
  public var description: AudioOutputDescription {
    var result = keeper.description
    if isRunning { result.scheduling = threads.scheduling }
    result.notes = [schedulingMessage, memoryMessage].filter { !$0.isEmpty }
    return result
  }

  /// What happened since the start.
  public var statistics: AudioOutputStatistics {
    var result = shared.pointee.statistics
    result.recorderOverrunFrames = recorder?.overrunFrames ?? 0
    let rest = shared.pointee.rest.read()
    if rest.lasts { result.framesRendered += rest.frames(at: Instant(nanoseconds: rt_now_ns())) }
    return result
  }

  /// What ended the recording before its time; nil while it goes on, or where there is none.
  public var recordingFailure: Problem? { recorder?.failure }

  /// Takes the news of the audio thread in order.
  public func drainNotices(_ body: (AudioOutputNotice) -> Void) {
    while let notice = shared.pointee.notices.pop() { body(notice) }
  }

  /// Takes what the audio thread recorded of itself, in order.
  public func drainTrace(_ body: (TraceRecord) -> Void) { shared.pointee.trace.drain(body) }

  /// Records of the audio thread that found no room.
  public var lostTrace: Int { shared.pointee.trace.lost }

  /// The processor time that the audio thread has used; nil where there is none.
  public var processorTime: Interval? { threads.processorTime }

  /// The thread keeps the keeper: it may hang in a sound server for longer than anybody waits for it.
  private func keeperThread(_ keeper: DeviceKeeper) throws(Problem) -> RealTimeThread {
    let argument = Unmanaged.passRetained(keeper)
    do throws(Problem) {
      return try outputThread("device keeper", nil, runDeviceKeeper, argument.toOpaque())
    } catch {
      argument.release()
      throw error
    }
  }

  private var hang: Problem {
    Problem(
      .deviceHangs, device: configuration.device ?? "default",
      "the sound device \(configuration.device ?? "default") did not answer within \(configuration.patience) ms "
        + "and was left as it was", remedy: "if it is a sound server, restart that")
  }

  private var schedulingMessage: String {
    guard isRunning, configuration.realtimePriority != nil else { return "" }
    switch threads.scheduling {
    case .fifo(let priority): return "real-time priority \(priority)"
    case .timeSharing(let refusal):
      let why = refusal.map { " (\(reason($0)))" } ?? ""
      return "no real-time priority\(why), so a busy machine may be heard; allow it with `LimitRTPRIO=` in the unit "
        + "or an rtprio line in /etc/security/limits.d"
    }
  }

  /// Locks touched pages where the limit cannot be hit later: with a small limit every later mapping could fail.
  private func lockMemory() -> String {
    let remedy = "; allow it with `LimitMEMLOCK=infinity`"
    guard rt_lift_memory_lock_limit() != 0 else { return "memory is not locked (its limit is too low)" + remedy }
    let code = lockTouchedMemory()
    return code == 0 ? "memory locked" : "memory is not locked (\(reason(code)))" + remedy
  }
}
