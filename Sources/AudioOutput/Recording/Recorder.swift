// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Files
import Glibc
import Problems
import RealTime
import Synchronization
import Timing

/// Where a run of recorded frames belongs on the plan.
struct RecordedRun: BitwiseCopyable {
  var frame: Int64
  var frames: Int64
}

/// What the recorder's writer shares: rings with the audio thread, and what it has to tell with control.
struct RecorderRings: ~Copyable, Sendable {
  /// What ended the recording before its time, and the eventfd that is written then.
  struct Trouble {
    var failure: Problem?
    var wake: Int32?
  }

  let samples: SPSCRing<Float>
  let runs = SPSCRing<RecordedRun>(capacity: 4_096, zero: RecordedRun(frame: 0, frames: 0))
  let overrunFrames = Atomic<Int64>(0)
  let stopRequested = Atomic<Bool>(false)
  let trouble: Mutex<Trouble>

  init(capacityFrames: Int, wake: Int32? = nil) {
    samples = SPSCRing(capacity: 2 * capacityFrames, zero: 0)
    trouble = Mutex(Trouble(wake: wake))
  }
}

/// Keeps them where they are for as long as anybody has them: a writer may hang in its file for longer than it is waited for.
final class RecorderMemory: @unchecked Sendable {
  // Sendable because the rings are made for two threads.
  let rings: UnsafeMutablePointer<RecorderRings>

  init(_ rings: consuming RecorderRings) {
    self.rings = .allocate(capacity: 1)
    self.rings.initialize(to: rings)
  }

  deinit {
    rings.deinitialize(count: 1)
    rings.deallocate()
  }
}

/// The audio thread's end of a recording.
struct RecorderTap: BitwiseCopyable, @unchecked Sendable {
  // Sendable because the rings are made for two threads.
  let rings: UnsafeMutablePointer<RecorderRings>

  /// Copies stereo frames for the writer; when it is behind, counts them as overrun instead.
  @_noLocks func push(_ block: UnsafePointer<Float>, frames: Int, at frame: Int64) {
    let isRoom = rings.pointee.runs.count < rings.pointee.runs.capacity
    if isRoom && rings.pointee.samples.push(contentsOf: UnsafeBufferPointer(start: block, count: 2 * frames)) {
      _ = rings.pointee.runs.push(RecordedRun(frame: frame, frames: Int64(frames)))
    } else {
      rings.pointee.overrunFrames.add(Int64(frames), ordering: .relaxed)
    }
  }
}

/// Writes what the audio thread renders to a WAV file, from a thread of its own, frame by frame as planned: frames that
/// were passed over or did not fit are silence in the file.
final class Recorder {
  /// The most silence written for one gap, in seconds.
  static let longestGap = 60

  private let path: String
  private let memory: RecorderMemory
  private var thread: RealTimeThread?

  /// Creates the file, whose first frame is the engine's frame `first`, and starts the writer. The eventfd `wake` is
  /// written when the recording fails.
  init(path: String, rate: Int, first: Int64 = 0, wake: Int32? = nil) throws(Problem) {
    self.path = path
    let writer = try WaveWriter(path: path, rate: rate)
    memory = RecorderMemory(RecorderRings(capacityFrames: 2 * rate, wake: wake))
    // The writer's thread alone has the file: it closes it, too, which may take as long as writing.
    let file = RecordingFile(writer: writer, memory: memory, rate: rate, first: first)
    do throws(ThreadError) {
      thread = try RealTimeThread(name: "recorder", priority: nil) { file.run() }
    } catch {
      throw Problem(.threadRefused, "cannot start the recorder's thread: \(reason(error.code))")
    }
  }

  deinit { _ = finish(by: .distantFuture) }

  /// For the audio thread, valid while the recorder lives. An audio thread that is left behind hangs in a call of its device, out of
  /// which it never comes back to what it rendered for (`AudioThread.leave`): so none has it any more once the output has stopped.
  var tap: RecorderTap { RecorderTap(rings: memory.rings) }

  /// Frames that did not fit.
  var overrunFrames: Int64 { memory.rings.pointee.overrunFrames.load(ordering: .relaxed) }

  /// What ended the recording before its time; nil while it goes on.
  var failure: Problem? { memory.rings.pointee.trouble.withLock { $0.failure } }

  /// Once the audio thread has ended: has the rest written and the file finished; returns at once.
  func requestFinish() { memory.rings.pointee.stopRequested.store(true, ordering: .releasing) }

  /// Waits for that, but not beyond `deadline`: false where the writer was left behind, as `failure` tells then.
  func finish(by deadline: Instant) -> Bool {
    requestFinish()
    guard let left = thread.take()?.join(byNanoseconds: deadline.nanoseconds) else { return true }
    left.detach()
    let problem = Problem(
      .recordingFailed, file: path, "the recording \(path) is not whole: \(UnansweredFile.reason)",
      remedy: UnansweredFile.remedy)
    memory.rings.pointee.trouble.withLock { $0 = RecorderRings.Trouble(failure: $0.failure ?? problem) }
    return false
  }
}

/// The writer thread's state, which no other thread touches.
private final class RecordingFile: @unchecked Sendable {
  // Sendable because the one thread that it is made for has it.
  private let memory: RecorderMemory
  private var writer: WaveWriter
  private var hasFailed = false
  private let rate: Int
  /// The frame after the last written.
  private var end: Int64

  init(writer: consuming WaveWriter, memory: RecorderMemory, rate: Int, first: Int64) {
    self.writer = writer
    self.memory = memory
    self.rate = rate
    end = first
  }

  func run() {
    let rings = memory.rings
    var sinceCheckpoint = 0
    while true {
      let stopping = rings.pointee.stopRequested.load(ordering: .acquiring)
      drain(rings)
      if stopping { break }
      usleep(50_000)
      sinceCheckpoint += 1
      // Once a second, so that a recording cut short can be played.
      if sinceCheckpoint == 20 {
        sinceCheckpoint = 0
        attempt { (writer: inout WaveWriter) throws(Problem) in try writer.checkpoint() }
      }
    }
    attempt { (writer: inout WaveWriter) throws(Problem) in try writer.finish() }
  }

  private func drain(_ rings: UnsafeMutablePointer<RecorderRings>) {
    var samples: [Float] = []
    while let run = rings.pointee.runs.pop() {
      let count = 2 * Int(run.frames)
      if samples.count < count { samples = [Float](repeating: 0, count: count) }
      let gap = min(run.frame - end, Int64(rate * Recorder.longestGap))
      end = run.frame + run.frames
      samples.withUnsafeMutableBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return }
        let moved = rings.pointee.samples.pop(into: base, limit: count)
        attempt { (writer: inout WaveWriter) throws(Problem) in
          if gap > 0 { try writer.writeSilence(frames: gap) }
          try writer.write(UnsafeBufferPointer(start: base, count: moved))
        }
      }
    }
  }

  /// After the first failure the rings are drained for nothing.
  private func attempt(_ body: (inout WaveWriter) throws(Problem) -> Void) {
    guard !hasFailed else { return }
    do throws(Problem) {
      try body(&writer)
    } catch {
      hasFailed = true
      let told = error
      memory.rings.pointee.trouble.withLock { trouble in
        trouble.failure = trouble.failure ?? told
        if let wake = trouble.wake { rt_eventfd_signal(wake) }
      }
    }
  }
}
