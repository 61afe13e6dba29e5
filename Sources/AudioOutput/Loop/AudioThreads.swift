// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Mixing
import Problems
import RealTime
import Synchronization
import Timing

/// The audio thread and, where that hangs in its device, the one that takes its place.
///
/// One that hangs is left in its device; when it comes back it ends without touching what it shared.
final class AudioThreads: @unchecked Sendable {
  // Sendable because the mixer is touched by the one thread that renders, and under the lock while none does.
  private struct State: ~Copyable {
    var tap: RecorderTap?
    var thread: RealTimeThread?
    var loop: UnsafeMutablePointer<AudioThread>?
    /// What belongs to a thread that hangs.
    var hanging: UnsafeMutablePointer<AudioThread>?
    var scheduling = ThreadScheduling.timeSharing(refusal: nil)
  }

  /// An eventfd for the device keeper: a device was let go.
  let keeperWake = rt_eventfd_open()
  private let mixer: UnsafeMutablePointer<Mixer>
  private let memory: SharedOutput
  /// The eventfd of the control side.
  private let wake: Int32
  private let rate: Int
  private let priority: Int?
  private let state: Mutex<State>
  /// Whether the mixer was taken from a thread and no other has it; changed under the lock.
  private let isVacant = Atomic<Bool>(false)

  init(
    _ configuration: AudioOutputConfiguration, mixer: UnsafeMutablePointer<Mixer>, memory: SharedOutput,
    wake: Int32
  ) {
    self.mixer = mixer
    self.memory = memory
    self.wake = wake
    rate = configuration.rate
    priority = configuration.realtimePriority
    state = Mutex(State())
  }

  deinit { if keeperWake >= 0 { close(keeperWake) } }

  /// What the system granted.
  var scheduling: ThreadScheduling { state.withLock { $0.scheduling } }

  /// Starts the audio thread: the mixer's next frame is heard at `instant`, in periods of `period` frames by the clock
  /// until there is a device.
  func start(at instant: Instant, period: Int, tap: RecorderTap?) throws(Problem) {
    try state.withLock { (state) throws(Problem) in
      state.tap = tap
      let start = AudioTimeline(frame: mixer.pointee.outputFrame, instant: instant, rate: rate)
      shared.pointee.timeline.publish(start)
      try run(&state, from: start, period: period)
    }
  }

  /// Takes the mixer from a thread that hangs in `call`, so that nothing renders until `restart`; what that costs, or nil
  /// where it came back after all.
  func abandon(_ call: UInt64) -> [AudioOutputNotice]? {
    state.withLock { state in
      guard shared.pointee.call.end(call) else { return nil }
      leave(&state)
      let next = mixer.pointee.outputFrame
      let first = shared.pointee.firstHeld.load(ordering: .relaxed)
      shared.pointee.framesLost.add(shared.pointee.framesHeld.load(ordering: .relaxed), ordering: .relaxed)
      shared.pointee.deviceLosses.add(1, ordering: .relaxed)
      let loss = AudioOutputNotice.skipped(at: first, lost: next - first)
      return (next > first ? [loss] : []) + [.deviceLost(.hanging)]
    }
  }

  /// Tells `notices`, and has another thread go on where the plan is, by the clock; nothing where none is lacking or the
  /// output is being stopped. The system may refuse a thread: to be tried again then.
  func restart(period: Int, telling notices: [AudioOutputNotice] = []) {
    state.withLock { state in
      guard lacksThread, !shared.pointee.stopRequested.load(ordering: .acquiring) else { return }
      let next = mixer.pointee.outputFrame
      let plan = shared.pointee.timeline.read()
      for notice in notices { _ = shared.pointee.notices.push(notice) }
      rt_eventfd_signal(wake)
      let start = AudioTimeline(frame: next, instant: plan.instant(ofFrame: next), rate: rate)
      try? run(&state, from: start, period: period)
    }
  }

  /// Has the control side look at the output.
  func wakeControl() { rt_eventfd_signal(wake) }

  /// Whether another thread is to go on.
  var lacksThread: Bool { isVacant.load(ordering: .acquiring) }

  /// The processor time that the thread that renders has used; nil where there is none.
  var processorTime: Interval? {
    state.withLock { $0.thread?.processorNanoseconds }.map { Interval(nanoseconds: $0) }
  }

  /// Whether a thread hangs in its device.
  var isHanging: Bool { state.withLock { $0.hanging != nil } }

  /// Frees what the thread that hung left, once it has come back from its device; whether it just has.
  func collect() -> Bool {
    guard shared.pointee.hasReturned.exchange(false, ordering: .acquiringAndReleasing) else { return false }
    state.withLock { state in
      if let hanging = state.hanging { free(hanging) }
      state.hanging = nil
    }
    return true
  }

  /// Ends the audio thread, or leaves it where it hangs at `deadline`, an instant of CLOCK_MONOTONIC; the mixer is free after that.
  /// Whether a device plays what is left.
  func stop(byNanoseconds deadline: Int64) -> Bool {
    shared.pointee.stopRequested.store(true, ordering: .releasing)
    shared.pointee.endRest()
    var thread = state.withLock { $0.thread.take() }
    while let running = thread.take() {
      // One that came back just now is waited for beyond it: it is about to end.
      thread = running.join(byNanoseconds: max(deadline, rt_now_ns() + 10_000_000))
      guard let left = thread.take() else { break }
      let hangs = state.withLock { state in
        // The keeper may have been first.
        if state.loop == nil { return true }
        guard let call = shared.pointee.call.current, shared.pointee.call.end(call) else { return false }
        leave(&state)
        return true
      }
      if hangs {
        left.detach()
        return false
      }
      thread = consume left
    }
    return state.withLock { state in
      guard let loop = state.loop.take() else { return false }
      defer { free(loop) }
      return loop.pointee.playing != nil && !loop.pointee.isUnpaced
    }
  }

  private var shared: UnsafeMutablePointer<OutputShared> { memory.pointer }

  private func run(_ state: inout State, from start: AudioTimeline, period: Int) throws(Problem) {
    let loop = UnsafeMutablePointer<AudioThread>.allocate(capacity: 1)
    loop.initialize(
      to: AudioThread(
        mixer: mixer, shared: shared, tap: state.tap, rate: rate, period: period, wake: wake,
        keeperWake: keeperWake, start: start))
    do throws(Problem) {
      let thread = try outputThread("audio", priority, runAudioThread, loop)
      state.scheduling = thread.scheduling
      state.thread = consume thread
      state.loop = loop
      isVacant.store(false, ordering: .releasing)
    } catch {
      free(loop)
      throw error
    }
  }

  /// Sets apart what belongs to a thread that hangs.
  private func leave(_ state: inout State) {
    state.thread.take()?.detach()
    state.hanging = state.loop.take()
    isVacant.store(true, ordering: .releasing)
  }

  private func free(_ loop: UnsafeMutablePointer<AudioThread>) {
    loop.deinitialize(count: 1)
    loop.deallocate()
  }
}

/// A thread of the output; its refusal in words.
func outputThread(
  _ name: String, _ priority: Int?, _ body: RealTimeThread.Body, _ argument: UnsafeMutableRawPointer
) throws(Problem) -> RealTimeThread {
  do throws(ThreadError) {
    return try RealTimeThread(name: name, priority: priority, body: body, argument: argument)
  } catch {
    throw Problem(.threadRefused, "cannot start the \(name) thread: \(reason(error.code))")
  }
}
