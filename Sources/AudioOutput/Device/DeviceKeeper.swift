// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Problems
import RealTime
import Synchronization
import Timing

/// Keeps a device open on the control side: opens it, closes what the audio thread let go, and tries again as soon as a
/// card appears, from a thread of its own, because all of it may block.
///
/// Cards are noticed by their nodes in /dev/snd, which come and change with udev and without it, in containers too; what
/// has no node, such as a sound server, is tried again at the times of `ReopenPolicy`.
final class DeviceKeeper: Sendable {
  struct State {
    var description: AudioOutputDescription
    /// What is open, whoever has it.
    var opened: OpenedDevice?
    var policy = ReopenPolicy()
    var memory: FillMemory
    var leads: LeadMemory
    /// Whether they are to be written.
    var haveLeadsChanged = false
    var wakes: WakeMemory
    /// By which a device that rests is recognised.
    var resting: DeviceKey?
    var easing = FillEasing()
    var problem: Problem?
    var leadProblem: Problem?
  }

  /// An eventfd that tells that the first attempt to open the device is over.
  private let tried: Int32

  let request: DeviceRequest
  let shared: SharedOutput
  let threads: AudioThreads
  /// Between two looks at the audio thread, in milliseconds.
  private let lookInterval: Int32
  let fillFile: FillFile?
  let leadFile: LeadFile?
  let wakeFile: WakeFile?
  let state: Mutex<State>
  private let stopping = Atomic<Bool>(false)
  /// Which of its files it is writing, a `KeptMemory`: whoever waits for it in vain tells by that what hangs.
  let written = Atomic<Int>(0)

  init(
    request: DeviceRequest, shared: SharedOutput, threads: AudioThreads, patience: Int32,
    fallback: AudioOutputDescription, fillFile: FillFile?, leadFile: LeadFile? = nil,
    wakeFile: WakeFile? = nil
  ) {
    self.request = request
    self.shared = shared
    self.threads = threads
    lookInterval = HangWatch.interval(patience: patience)
    self.fillFile = fillFile
    self.leadFile = leadFile
    self.wakeFile = wakeFile
    // A period given by hand is all there is to know.
    let memory = request.period == nil ? fillFile?.read() : nil
    state = Mutex(
      State(
        description: fallback, memory: memory ?? FillMemory(), leads: leadFile?.read() ?? LeadMemory(),
        wakes: wakeFile?.read() ?? WakeMemory()))
    tried = rt_eventfd_open()
  }

  deinit { if tried >= 0 { close(tried) } }

  /// Whether the system gave it what it is waited for by.
  var hasDescriptors: Bool { tried >= 0 }

  var description: AudioOutputDescription {
    state.withLock { state in
      // Who is told that a device was let go asks at once, before this thread has seen it.
      let isReleased = shared.pointer.pointee.hasReleased.load(ordering: .acquiring)
      var description = state.description
      if isReleased, let opened = state.opened {
        description = lossDescription(opened, opened.device.pointee.releaseReason, of: description)
      }
      description.problems = [state.problem, state.leadProblem].compactMap { $0 }
      return description
    }
  }

  /// Opens the device and offers it to the audio thread; a failure becomes the null device's message.
  private func open() {
    var attempt = request
    let isWaking: Bool
    (attempt.neededFill, attempt.memory, isWaking) = state.withLock {
      ($0.policy.neededFill, $0.memory, $0.policy.isResting)
    }
    let from = isWaking ? shared.pointer.pointee.wantedAt.load(ordering: .relaxed) : rt_now_ns()
    shared.pointer.pointee.openedFrom.store(from, ordering: .relaxed)
    do throws(Problem) {
      let opened = try openDevice(attempt)
      // It may have taken longer than anybody waited for.
      guard !stopping.load(ordering: .acquiring) else { return closeDevice(opened.device) }
      state.withLock {
        $0.policy.opened()
        $0.opened = opened
        $0.resting = nil
        $0.easing = FillEasing()
        $0.description = opened.description
        follow(&$0)
        tellWake($0)
      }
      tellDevice(isThere: true)
      // How far ahead the last one was kept says nothing of this one.
      shared.pointer.pointee.fill.store(0, ordering: .relaxed)
      shared.pointer.pointee.wakesByItself.store(false, ordering: .relaxed)
      shared.pointer.pointee.offered.store(opened.device, ordering: .releasing)
      shared.pointer.pointee.endRest()
    } catch {
      state.withLock {
        $0.resting = nil
        $0.policy.failed(at: Instant(nanoseconds: rt_now_ns()))
        $0.description = .null(
          rate: request.rate, period: $0.description.period,
          message: "silent, paced by the clock: \(error); a device is taken up as soon as there is one")
      }
      tellDevice(isThere: false)
      if isWaking { threads.wakeControl() }
    }
  }

  /// The thread's body: opens the device and keeps it open until asked to stop, then closes it.
  func run() {
    // Before the device is looked for: a card that comes after that is noticed.
    let cards = FolderWatch(folder: "/dev/snd", parent: "/dev")
    open()
    rt_eventfd_signal(tried)
    watch(cards)
    keepLeads()
    closeAll()
  }

  /// Waits until the first attempt to open the device is over, but no longer than that: a sound server may hang.
  func awaitFirstAttempt(milliseconds: Int32) {
    var descriptor = pollfd(fd: tried, events: Int16(POLLIN), revents: 0)
    poll(&descriptor, 1, milliseconds)
  }

  private func watch(_ watched: FolderWatch) {
    var cards = watched
    var hang = HangWatch()
    while !stopping.load(ordering: .acquiring) {
      // While a device plays its own errors tell of it sooner than its nodes, which wait in the descriptor.
      let nextAttempt = state.withLock { $0.opened == nil ? $0.policy.nextAttempt : nil }
      var descriptors = [pollfd(fd: threads.keeperWake, events: Int16(POLLIN), revents: 0)]
      if nextAttempt != nil, cards.descriptor >= 0 {
        descriptors.append(pollfd(fd: cards.descriptor, events: Int16(POLLIN), revents: 0))
      }
      var limit = nextAttempt.map(milliseconds(until:)) ?? lookInterval
      if threads.lacksThread { limit = min(limit, lookInterval) }
      let events = poll(&descriptors, nfds_t(descriptors.count), limit)
      if stopping.load(ordering: .acquiring) { return }
      clearWake()
      if nextAttempt == nil, events == 0 {
        let call = shared.pointer.pointee.call.current
        if hang.look(at: call), let call { giveUp(call) }
      }
      threads.restart(period: period)
      let haveCardsChanged = nextAttempt != nil && cards.takeChange()
      if cards.isOutdated { cards = FolderWatch(folder: "/dev/snd", parent: "/dev") }
      noteGrowth()
      noteSteps()
      easeMemory()
      keepLeads()
      noteWake()
      collectReleased()
      collectReturned()
      let now = Instant(nanoseconds: rt_now_ns())
      let isDue = state.withLock { state in
        guard state.opened == nil else { return false }
        if haveCardsChanged { state.policy.devicesChanged(at: now) }
        if shared.pointer.pointee.wantsDevice.load(ordering: .acquiring) { state.policy.wanted(at: now) }
        return now >= state.policy.nextAttempt
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
    rt_eventfd_signal(threads.keeperWake)
  }

  private func clearWake() {
    var count: UInt64 = 0
    read(threads.keeperWake, &count, MemoryLayout<UInt64>.size)
  }

  /// Frames a period, as told to others.
  private var period: Int { state.withLock { $0.description.period } }

  /// Leaves the device to the thread that hangs in it, and has another go on by the clock.
  private func giveUp(_ call: UInt64) {
    guard let notices = threads.abandon(call) else { return }
    state.withLock { state in
      if let opened = state.opened { state.description = hangDescription(opened) }
    }
    threads.restart(period: period, telling: notices)
  }

  /// Closes the device once nobody uses it any more: the audio thread has ended, or there was none.
  private func closeAll() {
    let hasHung = threads.isHanging
    while threads.isHanging, !threads.collect() {
      var descriptor = pollfd(fd: threads.keeperWake, events: Int16(POLLIN), revents: 0)
      poll(&descriptor, 1, lookInterval)
      clearWake()
    }
    // What was let go last may have been trouble, of which closing has to know.
    collectReleased()
    guard let opened = state.withLock({ $0.opened.take() }) else { return }
    if !(hasHung && opened.device.pointee.isUnwritable(after: .hanging)) { closeDevice(opened.device) }
  }

  private func collectReturned() {
    guard threads.collect(), let opened = state.withLock({ $0.opened }) else { return }
    letGo(opened.device, .hanging)
  }

  private func collectReleased() {
    guard let device = shared.pointer.pointee.released.exchange(nil, ordering: .acquiringAndReleasing) else { return }
    letGo(device, device.pointee.releaseReason)
  }

  /// Remembers that a device that plays on is kept farther ahead than it was opened.
  private func noteGrowth() {
    let fill = shared.pointer.pointee.fill.load(ordering: .acquiring)
    let grown: FillMemory? = state.withLock { state in
      guard let opened = state.opened, state.description.kind == .alsa, fill > state.description.buffer else {
        return nil
      }
      state.description.buffer = fill
      state.memory.remember(fill, for: opened.key)
      return state.memory
    }
    if let grown { write(grown) }
  }

  /// Has a device that was quiet for long with much in reserve opened with less the next time.
  private func easeMemory() {
    let now = Instant(nanoseconds: rt_now_ns())
    let troubles = shared.pointer.pointee.underruns.load(ordering: .relaxed)
    let eased: FillMemory? = state.withLock { state in
      guard let opened = state.opened, state.description.kind == .alsa, let kept = state.memory[opened.key] else {
        return nil
      }
      let needed = state.easing.look(
        fill: state.description.buffer, period: state.description.period,
        leastQueued: shared.pointer.pointee.leastQueued.exchange(.max, ordering: .relaxed), troubles: troubles, at: now)
      let least = leastBySteps(of: opened, state.description)
      guard let needed = needed.map({ max($0, least) }), needed < kept else { return nil }
      if needed > DeviceRequest.leastFill(of: opened.device.pointee.kind, rate: request.rate) {
        state.memory.remember(needed, for: opened.key)
      } else {
        state.memory.forget(opened.key)
      }
      return state.memory
    }
    if let eased { write(eased) }
  }

  func write(_ memory: FillMemory) {
    guard let fillFile else { return }
    let problem = keep(.fill) { fillFile.write(memory) }
    state.withLock { $0.problem = problem }
  }

  private func letGo(_ device: UnsafeMutablePointer<OpenDevice>, _ reason: ReleaseReason) {
    let isLeftOpen = device.pointee.isUnwritable(after: reason)
    let fill = max(device.pointee.fill.frames, shared.pointer.pointee.fill.load(ordering: .acquiring))
    let toWrite: FillMemory? = state.withLock {
      if let opened = $0.opened { $0.description = lossDescription(opened, reason, of: $0.description) }
      shared.pointer.pointee.hasReleased.store(false, ordering: .releasing)
      let key = $0.opened.take()?.key
      if reason == .resting { $0.resting = key }
      $0.policy.released(reason, fill: fill, at: Instant(nanoseconds: rt_now_ns()))
      if isLeftOpen { $0.policy.giveUp() }
      guard reason == .unstable, let needed = $0.policy.neededFill, let key else { return nil }
      $0.memory.remember(needed, for: key)
      return $0.memory
    }
    if !isLeftOpen { closeDevice(device) }
    tellDevice(isThere: reason == .resting, isClosed: reason == .resting)
    if let toWrite { write(toWrite) }
  }
}

/// The body of the keeper's thread; its argument is a retained `DeviceKeeper`, which it releases.
func runDeviceKeeper(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  Unmanaged<DeviceKeeper>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
