import CRealTime
import Glibc
import RealTime
import Synchronization
import Timing

/// Keeps a device open on the control side: opens it, closes what the audio thread let go, and tries again as soon as a
/// card appears, from a thread of its own, because all of it may block.
///
/// Cards are noticed by their nodes in /dev/snd, which come and change with udev and without it, in containers too; what
/// has no node, such as a sound server, is tried again at the times of `ReopenPolicy`.
final class DeviceKeeper: Sendable {
  private struct State {
    var description: AudioOutputDescription
    var isOpen = false
    var policy = ReopenPolicy()
    var key: DeviceKey?
    var memory: PeriodMemory
    var problem: String?
  }

  /// An eventfd that ends the thread's sleep: a device was let go, or it is to stop.
  let wake: Int32
  /// An eventfd that tells that the first attempt to open the device is over.
  private let tried: Int32

  private let request: DeviceRequest
  private let shared: SharedOutput
  private let periodFile: PeriodFile?
  private let state: Mutex<State>
  private let stopping = Atomic<Bool>(false)

  init(request: DeviceRequest, shared: SharedOutput, fallback: AudioOutputDescription, periodFile: PeriodFile?) {
    self.request = request
    self.shared = shared
    self.periodFile = periodFile
    // A period given by hand is all there is to know.
    let memory = request.period == nil ? periodFile?.read() : nil
    state = Mutex(State(description: fallback, memory: memory ?? PeriodMemory()))
    wake = rt_eventfd_open()
    tried = rt_eventfd_open()
  }

  deinit {
    close(wake)
    close(tried)
  }

  var description: AudioOutputDescription {
    state.withLock { state in
      var description = state.description
      description.problems = state.problem.map { [$0] } ?? []
      return description
    }
  }

  /// Opens the device and offers it to the audio thread; a failure becomes the null device's message.
  private func open() {
    var attempt = request
    (attempt.grownPeriod, attempt.memory) = state.withLock { ($0.policy.grownPeriod, $0.memory) }
    do throws(AudioOutputError) {
      let opened = try openDevice(attempt)
      // It may have taken longer than anybody waited for.
      guard !stopping.load(ordering: .acquiring) else { return closeDevice(opened.device) }
      state.withLock {
        $0.policy.opened()
        $0.isOpen = true
        $0.description = opened.description
        $0.key = opened.key
      }
      shared.pointer.pointee.offered.store(opened.device, ordering: .releasing)
    } catch {
      state.withLock {
        $0.policy.failed(at: Instant(nanoseconds: rt_now_ns()))
        $0.description = .null(
          rate: request.rate, period: AudioThread.nullPeriod,
          message: "silent, paced by the clock: \(error.message); a device is taken up as soon as there is one")
      }
    }
  }

  /// The thread's body: opens the device and keeps it open until asked to stop, then closes it.
  func run() {
    open()
    rt_eventfd_signal(tried)
    watch()
    closeAll()
  }

  /// Waits until the first attempt to open the device is over, but no longer than that: a sound server may hang.
  func awaitFirstAttempt(milliseconds: Int32) {
    var descriptor = pollfd(fd: tried, events: Int16(POLLIN), revents: 0)
    poll(&descriptor, 1, milliseconds)
  }

  private func watch() {
    var cards = FolderWatch(folder: "/dev/snd", parent: "/dev")
    while !stopping.load(ordering: .acquiring) {
      // While a device plays its own errors tell of it sooner than anything here; changes wait in the descriptor.
      let nextAttempt = state.withLock { $0.isOpen ? nil : $0.policy.nextAttempt }
      var descriptors = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
      if nextAttempt != nil, cards.descriptor >= 0 {
        descriptors.append(pollfd(fd: cards.descriptor, events: Int16(POLLIN), revents: 0))
      }
      poll(&descriptors, nfds_t(descriptors.count), nextAttempt.map(milliseconds(until:)) ?? -1)
      if stopping.load(ordering: .acquiring) { return }
      var count: UInt64 = 0
      read(wake, &count, MemoryLayout<UInt64>.size)
      let haveCardsChanged = cards.takeChange()
      if cards.isOutdated { cards = FolderWatch(folder: "/dev/snd", parent: "/dev") }
      collectReleased()
      let now = Instant(nanoseconds: rt_now_ns())
      let isDue = state.withLock { state in
        if haveCardsChanged && !state.isOpen { state.policy.devicesChanged(at: now) }
        return !state.isOpen && now >= state.policy.nextAttempt
      }
      if isDue { open() }
    }
  }

  /// Whole milliseconds, rounded up, so that the thread is not awake too early.
  private func milliseconds(until instant: Instant) -> Int32 {
    let left = (instant - Instant(nanoseconds: rt_now_ns())).nanoseconds
    return Int32(clamping: max(0, (left + 999_999) / 1_000_000))
  }

  func requestStop() {
    stopping.store(true, ordering: .releasing)
    rt_eventfd_signal(wake)
  }

  /// Closes what nobody uses any more: the audio thread has ended, or there was none.
  private func closeAll() {
    if let device = shared.pointer.pointee.released.exchange(nil, ordering: .acquiringAndReleasing) {
      closeDevice(device)
    }
    if let device = shared.pointer.pointee.offered.exchange(nil, ordering: .acquiringAndReleasing) {
      closeDevice(device)
    }
  }

  private func collectReleased() {
    guard let device = shared.pointer.pointee.released.exchange(nil, ordering: .acquiringAndReleasing) else { return }
    let (reason, period) = (device.pointee.releaseReason, device.pointee.period)
    let toWrite: PeriodMemory? = state.withLock {
      let name = $0.description.device
      $0.isOpen = false
      $0.policy.released(reason, period: period, at: Instant(nanoseconds: rt_now_ns()))
      $0.description = .null(
        rate: request.rate, period: period,
        message: "silent, paced by the clock: the sound device \(name) \(reason.phrase); trying to open it again")
      guard reason == .unstable, let grown = $0.policy.grownPeriod, let key = $0.key else { return nil }
      $0.memory.remember(grown, for: key)
      return $0.memory
    }
    closeDevice(device)
    if let toWrite, let periodFile {
      let problem = periodFile.write(toWrite)
      state.withLock { $0.problem = problem }
    }
  }
}

extension ReleaseReason {
  /// What happened, in words that follow the device's name.
  var phrase: String {
    switch self {
    case .gone: "went away"
    case .failing: "could not be started again"
    case .stalled: "took no more frames for three seconds"
    case .suspended: "slept for more than three seconds"
    case .unstable: "ran dry too often with periods so short"
    }
  }
}

/// The body of the keeper's thread; its argument is a retained `DeviceKeeper`, which it releases.
func runDeviceKeeper(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  Unmanaged<DeviceKeeper>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
