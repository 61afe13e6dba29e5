// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Problems
import RealTime
import Synchronization

/// Where a run of recorded frames belongs on the plan.
struct RecordedRun: BitwiseCopyable {
  var frame: Int64
  var frames: Int64
}

/// What the recorder's writer shares: rings with the audio thread, and what it has to tell with control.
struct RecorderRings: ~Copyable, Sendable {
  let samples: SPSCRing<Float>
  let runs = SPSCRing<RecordedRun>(capacity: 4_096, zero: RecordedRun(frame: 0, frames: 0))
  let overrunFrames = Atomic<Int64>(0)
  let stopRequested = Atomic<Bool>(false)
  /// What ended the recording before its time.
  let failure = Mutex<Problem?>(nil)

  init(capacityFrames: Int) {
    samples = SPSCRing(capacity: 2 * capacityFrames, zero: 0)
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

  private let rings: UnsafeMutablePointer<RecorderRings>
  private let writer: UnsafeMutablePointer<RecordingFile>
  private var thread: RealTimeThread?

  /// Creates the file, whose first frame is the engine's frame `first`, and starts the writer. The eventfd `wake` is
  /// written when the recording fails.
  init(path: String, rate: Int, first: Int64 = 0, wake: Int32? = nil) throws(Problem) {
    let file = RecordingFile(writer: try WaveWriter(path: path, rate: rate), rate: rate, first: first, wake: wake)
    rings = .allocate(capacity: 1)
    rings.initialize(to: RecorderRings(capacityFrames: 2 * rate))
    writer = .allocate(capacity: 1)
    writer.initialize(to: file)
    writer.pointee.rings = rings
    do throws(ThreadError) {
      thread = try RealTimeThread(name: "recorder", priority: nil, body: runRecorder, argument: writer)
    } catch {
      throw Problem(.threadRefused, "cannot start the recorder's thread: \(reason(error.code))")
    }
  }

  deinit {
    _ = finish()
    writer.deinitialize(count: 1)
    writer.deallocate()
    rings.deinitialize(count: 1)
    rings.deallocate()
  }

  /// For the audio thread, valid while the recorder lives.
  var tap: RecorderTap { RecorderTap(rings: rings) }

  /// Frames that did not fit.
  var overrunFrames: Int64 { rings.pointee.overrunFrames.load(ordering: .relaxed) }

  /// What ended the recording before its time; nil while it goes on.
  var failure: Problem? { rings.pointee.failure.withLock { $0 } }

  /// Once the audio thread has ended: writes the rest and finishes the file. What went wrong, if anything did.
  func finish() -> Problem? {
    rings.pointee.stopRequested.store(true, ordering: .releasing)
    thread.take()?.join()
    return failure
  }
}

/// The writer thread's state.
struct RecordingFile: ~Copyable {
  var rings: UnsafeMutablePointer<RecorderRings>?
  private var writer: WaveWriter
  private var hasFailed = false
  private let wake: Int32?
  private let rate: Int
  /// The frame after the last written.
  private var end: Int64

  init(writer: consuming WaveWriter, rate: Int, first: Int64, wake: Int32?) {
    self.writer = writer
    self.wake = wake
    self.rate = rate
    end = first
  }

  mutating func run() {
    guard let rings else { return }
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

  private mutating func drain(_ rings: UnsafeMutablePointer<RecorderRings>) {
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
  private mutating func attempt(_ body: (inout WaveWriter) throws(Problem) -> Void) {
    guard !hasFailed else { return }
    do throws(Problem) {
      try body(&writer)
    } catch {
      hasFailed = true
      let told = error
      rings?.pointee.failure.withLock { $0 = told }
      if let wake { rt_eventfd_signal(wake) }
    }
  }
}

/// The body of the thread; its argument is a `RecordingFile`.
private func runRecorder(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  argument?.assumingMemoryBound(to: RecordingFile.self).pointee.run()
  return nil
}
