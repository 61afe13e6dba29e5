import CRealTime
import Glibc
import RealTime
import Synchronization
import Timing

/// Keeps a device open on the control side: opens it, closes what the audio thread let go, and tries again, from a
/// thread of its own, because both may block.
final class DeviceKeeper: Sendable {
  private struct State {
    var description: AudioOutputDescription
    var isOpen = false
    var policy: ReopenPolicy
  }

  private let request: DeviceRequest
  private let shared: SharedPointer
  private let state: Mutex<State>
  private let stopping = Atomic<Bool>(false)
  /// An eventfd that ends the thread's sleep.
  private let stopSignal: Int32

  /// How long a lost device may go unnoticed here; the audio thread noticed at once.
  private static let pollMilliseconds: Int32 = 250

  init(request: DeviceRequest, shared: SharedPointer, fallback: AudioOutputDescription) {
    self.request = request
    self.shared = shared
    state = Mutex(State(description: fallback, policy: ReopenPolicy(period: request.period)))
    stopSignal = rt_eventfd_open()
  }

  deinit { close(stopSignal) }

  var description: AudioOutputDescription { state.withLock { $0.description } }

  /// Opens the device and offers it to the audio thread; a failure becomes the null device's message.
  func open() {
    var attempt = request
    attempt.period = state.withLock { $0.policy.period }
    do throws(AudioOutputError) {
      let opened = try openDevice(attempt)
      state.withLock {
        $0.policy.opened()
        $0.isOpen = true
        $0.description = opened.description
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

  /// The thread's body.
  func run() {
    while !stopping.load(ordering: .acquiring) {
      var descriptor = pollfd(fd: stopSignal, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, Self.pollMilliseconds)
      if stopping.load(ordering: .acquiring) { return }
      collectReleased()
      let isDue = state.withLock { !$0.isOpen && Instant(nanoseconds: rt_now_ns()) >= $0.policy.nextAttempt }
      if isDue { open() }
    }
  }

  func requestStop() {
    stopping.store(true, ordering: .releasing)
    rt_eventfd_signal(stopSignal)
  }

  /// Closes what neither side uses any more. Once both threads have ended, nothing is left open.
  func closeAll() {
    collectReleased()
    if let device = shared.pointer.pointee.offered.exchange(nil, ordering: .acquiringAndReleasing) {
      closeDevice(device)
    }
  }

  private func collectReleased() {
    guard let device = shared.pointer.pointee.released.exchange(nil, ordering: .acquiringAndReleasing) else { return }
    let (reason, period) = (device.pointee.releaseReason, device.pointee.period)
    state.withLock {
      let name = $0.description.device
      $0.isOpen = false
      $0.policy.released(reason, period: period, at: Instant(nanoseconds: rt_now_ns()))
      $0.description = .null(
        rate: request.rate, period: period,
        message: "silent, paced by the clock: the sound device \(name) \(reason.phrase); trying to open it again")
    }
    closeDevice(device)
  }
}

/// The memory that audio thread and control side share. Sendable because it holds atomics and rings only, and the
/// output that owns it outlives both threads.
struct SharedPointer: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<OutputShared>
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

/// The body of the keeper's thread; its argument is an unretained `DeviceKeeper`.
func runDeviceKeeper(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  Unmanaged<DeviceKeeper>.fromOpaque(argument).takeUnretainedValue().run()
  return nil
}
