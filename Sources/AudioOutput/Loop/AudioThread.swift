// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Mixing
import RealTime
import Timing
import Tracing

/// The audio thread's own state and its loop: a device where there is one, the clock where there is none.
///
/// One concrete type, because the compiler proves nothing about protocols or generics on this path.
struct AudioThread: ~Copyable {
  let mixer: UnsafeMutablePointer<Mixer>
  let shared: UnsafeMutablePointer<OutputShared>
  let tap: RecorderTap?
  let rate: Int
  /// An eventfd for the control side: there is something to collect.
  let wake: Int32
  /// An eventfd for the device keeper: a device was let go.
  let keeperWake: Int32
  /// Stereo frames as rendered: room for `blockFrames`.
  let block: UnsafeMutablePointer<Float>
  let blockFrames: Int

  var pacer: NullPacer
  var timeline: AudioTimeline
  var playing: PlayingDevice?
  var hasNews = false
  /// Whether this turn of the loop rendered: only then can the mixer have said anything new.
  var hasRendered = false
  /// When it was to wake for what it renders, the distant past where that is not known; and when it woke.
  var due = Instant.distantPast
  var woken = Instant.distantPast
  /// Whether that is of frames that were passed over: what is rendered next tells of it.
  var hasSlept = false
  /// Since when a device that plays has had nothing but silence, as it was told; the distant future where it has not.
  var silentSince = Instant.distantFuture
  /// Whether the device was let go while nothing was to be heard, and has not come in again.
  var isAwaited = false
  /// The first frame since then that sounded, and that nobody heard.
  var unheard: Int64?
  /// When it was to wake, as it was told others.
  var lastWake = Instant.distantPast

  /// The longest period of any device, in frames.
  static var longestBlock: Int { 8_192 }

  /// Frames a period of the null device: those of a card, which is so as prompt as one.
  static var nullPeriod: Int { 64 }

  init(
    mixer: UnsafeMutablePointer<Mixer>, shared: UnsafeMutablePointer<OutputShared>, tap: RecorderTap?, rate: Int,
    period: Int, wake: Int32, keeperWake: Int32, start: AudioTimeline
  ) {
    self.mixer = mixer
    self.shared = shared
    self.tap = tap
    self.rate = rate
    self.wake = wake
    self.keeperWake = keeperWake
    blockFrames = AudioThread.longestBlock
    block = .allocate(capacity: 2 * blockFrames)
    block.initialize(repeating: 0, count: 2 * blockFrames)
    pacer = NullPacer(frame: start.frame, heardAt: start.instant, rate: rate, period: period, leadFrames: period)
    timeline = start
    shared.pointee.latency.store(Interval.frames(Int64(period), rate: rate).nanoseconds, ordering: .relaxed)
    shared.pointee.isPacedByClock.store(true, ordering: .relaxed)
    shared.pointee.silentSince.store(.max, ordering: .releasing)
    shared.pointee.period.store(period, ordering: .relaxed)
  }

  deinit { block.deallocate() }

  /// Until asked to stop, which it notices within a period.
  @_noLocks mutating func run() {
    while !shared.pointee.stopRequested.load(ordering: .acquiring) {
      if playing == nil { takeUpOffered() }
      let first = next
      if playing == nil || isUnpaced { clockPeriod() } else { devicePeriod() }
      shared.pointee.timeline.publish(timeline)
      lastWake = nextWake
      shared.pointee.nextWake.store(lastWake.nanoseconds, ordering: .releasing)
      if hasNews || (hasRendered && mixer.pointee.hasEvents) { rt_eventfd_signal(wake) }
      // Behind all that others wait for.
      if hasRendered { record(from: first) }
      hasNews = false
      hasRendered = false
    }
  }

  /// Not before this instant the mixer takes commands again; the distant past where that is not known.
  var nextWake: Instant {
    @_noLocks get {
      guard let playing else { return pacer.due(next) }
      switch playing.phase {
      case .starting, .aligning, .resuming: return .distantPast
      case .unpaced: return pacer.due(next)
      case .playing:
        guard playing.clock.isTrusted else { return .distantPast }
        // When there is room for a period, by a position that is told no sooner than it is true but for its steps.
        let left = Int64(playing.fill.frames - playing.fill.period) + playing.extraDelay
        return timeline.instant(ofFrame: playing.queue.end - left) - playing.lead - playing.device.pointee.biasFloor
      }
    }
  }

  var isUnpaced: Bool {
    @_noLocks get {
      if let playing, case .unpaced = playing.phase { true } else { false }
    }
  }

  /// The next frame the mixer will render.
  var next: Int64 { @_noLocks get { mixer.pointee.outputFrame } }

  /// Renders `frames` (at most `blockFrames`) into the block, and for the recording.
  @_noLocks mutating func render(_ frames: Int) {
    let first = next
    mixer.pointee.render(into: block, frames: frames)
    tap?.push(block, frames: frames, at: first)
    hasRendered = true
    shared.pointee.framesRendered.add(Int64(frames), ordering: .relaxed)
  }

  /// Records what this turn rendered: the one reading of the clock that this costs.
  @_noLocks private func record(from first: Int64) {
    shared.pointee.trace.record(
      .period(
        first: first, due: due, woken: woken, done: now(), heard: timeline.instant(ofFrame: first),
        frames: Int32(truncatingIfNeeded: next - first)))
  }

  /// Records that it woke, perhaps late, and found the device dry.
  @_noLocks func recordDryWake() {
    let now = now()
    shared.pointee.trace.record(
      .period(
        first: next, due: lastWake, woken: now, done: now, heard: timeline.instant(ofFrame: next), frames: 0))
  }

  /// Lets frames pass that nobody will hear.
  @_noLocks mutating func skip(_ frames: Int64) {
    guard frames > 0 else { return }
    mixer.pointee.skip(frames: Int(frames))
    shared.pointee.framesLost.add(frames, ordering: .relaxed)
  }

  /// Tells the control side; when nobody collects, news are lost rather than waited for.
  @_noLocks mutating func tell(_ notice: AudioOutputNotice) {
    _ = shared.pointee.notices.push(notice)
    hasNews = true
  }

  @_noLocks func now() -> Instant { Instant(nanoseconds: rt_now_ns()) }
}

/// The body of the thread; its argument is an `AudioThread`.
func runAudioThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  argument?.assumingMemoryBound(to: AudioThread.self).pointee.run()
  return nil
}
