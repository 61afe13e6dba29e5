// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Testing

@testable import AudioOutput

@Suite struct RecorderTests {
  /// Pushes `frames` frames of `value` as if rendered from `frame` on.
  func push(_ value: Float, frames: Int, at frame: Int64, to recorder: Recorder) {
    let samples = [Float](repeating: value, count: 2 * frames)
    samples.withUnsafeBufferPointer { buffer in
      if let base = buffer.baseAddress { recorder.tap.push(base, frames: frames, at: frame) }
    }
  }

  @Test func whatWasRenderedIsInTheFileAndGapsAreSilent() throws {
    let file = TemporaryFile()
    let recorder = try Recorder(path: file.path, rate: 48_000, first: 5_000)
    push(0.25, frames: 100, at: 5_000, to: recorder)
    push(0.5, frames: 50, at: 5_100, to: recorder)
    push(0.75, frames: 10, at: 5_170, to: recorder)
    #expect(recorder.finish(by: .distantFuture) && recorder.failure == nil)
    let floats = file.floats(after: 94)
    let expected =
      [Float](repeating: 0.25, count: 200) + [Float](repeating: 0.5, count: 100) + [Float](repeating: 0, count: 40)
      + [Float](repeating: 0.75, count: 20)
    #expect(floats == expected)
    #expect(recorder.overrunFrames == 0)
  }

  @Test func whatDoesNotFitIsCounted() {
    let rings = UnsafeMutablePointer<RecorderRings>.allocate(capacity: 1)
    rings.initialize(to: RecorderRings(capacityFrames: 256))
    defer {
      rings.deinitialize(count: 1)
      rings.deallocate()
    }
    let tap = RecorderTap(rings: rings)
    let block = [Float](repeating: 1, count: 400)
    block.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      tap.push(base, frames: 200, at: 0)
      tap.push(base, frames: 200, at: 200)
      tap.push(base, frames: 56, at: 400)
    }
    #expect(rings.pointee.overrunFrames.load(ordering: .relaxed) == 200)
    #expect(rings.pointee.samples.count == 512)
  }
}

extension RecorderTests {
  @Test func aFailureIsToldWhileTheRecordingRuns() throws {
    let wake = rt_eventfd_open()
    defer { close(wake) }
    let recorder = try Recorder(path: "/dev/full", rate: 48_000, wake: wake)
    #expect(recorder.failure == nil)
    for block in 0..<20 { push(0.5, frames: 1_000, at: Int64(1_000 * block), to: recorder) }
    var waiting = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
    #expect(poll(&waiting, 1, 20_000) == 1)
    #expect(recorder.failure?.description.contains("No space left on device") == true)
    let failure = recorder.failure
    #expect(recorder.finish(by: .distantFuture) && recorder.failure == failure)
  }
}
