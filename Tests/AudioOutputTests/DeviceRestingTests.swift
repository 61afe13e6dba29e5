// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Timing

@testable import AudioOutput

/// How the audio thread comes in on a device that rested: step by step, on no device at all.
@Suite struct DeviceRestingTests {
  private let controller = MixerController()
  private let memory = SharedOutput(
    OutputShared(timeline: AudioTimeline(frame: 0, instant: Instant(nanoseconds: 0), rate: 48_000)))

  /// An audio thread whose device was let go to rest, at frame 0.
  private func makeThread() -> AudioThread {
    var thread = AudioThread(
      mixer: controller.mixer, shared: memory.pointer, tap: nil, rate: 48_000, period: 128, wake: -1, keeperWake: -1,
      start: AudioTimeline(frame: 0, instant: Instant(nanoseconds: 0), rate: 48_000))
    thread.isAwaited = true
    memory.pointer.pointee.hasDevice.store(true, ordering: .relaxed)
    return thread
  }

  private var notices: [AudioOutputNotice] {
    var all: [AudioOutputNotice] = []
    while let notice = memory.pointer.pointee.notices.pop() { all.append(notice) }
    return all
  }

  private var statistics: AudioOutputStatistics { memory.pointer.pointee.statistics }

  /// A sound of `frames` frames of 0.1, from frame `at` on.
  private func play(at frame: Int64, _ samples: UnsafePointer<Float>, frames: Int, on mixer: MixerController) {
    let source = ResidentSource(samples: .float(samples), frames: frames, loop: nil)
    let start = VoiceStart<VoiceSource>(id: VoiceID(rawValue: 1), source: .resident(source), bus: .sound, at: frame)
    #expect(mixer.submit([.start(start)]))
  }

  private func withSamples(_ body: (UnsafePointer<Float>) -> Void) {
    [Float](repeating: 0.1, count: 2 * 1_000).withUnsafeBufferPointer { if let base = $0.baseAddress { body(base) } }
  }

  private func render(_ frames: Int, of mixer: UnsafeMutablePointer<Mixer>) -> [Float] {
    var output = [Float](repeating: 0, count: 2 * frames)
    output.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress { mixer.pointee.render(into: base, frames: frames) }
    }
    return output
  }

  @Test(arguments: [0, 1, 127, 960, 5_000, 100_000] as [Int64]) func silentFramesAreNotLost(_ frames: Int64) {
    var thread = makeThread()
    thread.comeIn(after: frames)
    let isInTime = thread.endAwaiting()
    #expect(isInTime && !thread.isAwaited)
    #expect(controller.mixer.pointee.outputFrame == frames)
    #expect(statistics.framesLost == 0 && statistics.framesRendered == frames)
    #expect(notices.isEmpty)
  }

  @Test(arguments: [5_048, 5_049, 5_500, 6_000] as [Int64]) func whatIsPlannedForThenIsHeardToTheBit(_ at: Int64) {
    withSamples { samples in
      let whole = MixerController()
      play(at: at, samples, frames: 1_000, on: whole)
      let expected = render(8_000, of: whole.mixer)

      play(at: at, samples, frames: 1_000, on: controller)
      var thread = makeThread()
      // Some frames by the clock, then those until the device is there.
      thread.render(128)
      thread.noteUnheard(from: 0)
      thread.comeIn(after: 4_872)
      let isInTime = thread.endAwaiting()
      #expect(isInTime)
      #expect(render(3_000, of: controller.mixer) == Array(expected[(2 * 5_000)...]))
      #expect(statistics.framesLost == 0 && notices.isEmpty)
    }
  }

  @Test func whatSoundsBeforeTheDeviceIsThereIsToldAsLost() {
    withSamples { samples in
      play(at: 2_000, samples, frames: 1_000, on: controller)
      var thread = makeThread()
      thread.render(128)
      thread.noteUnheard(from: 0)
      thread.comeIn(after: 2_400)
      let isInTime = thread.endAwaiting()
      #expect(!isInTime)
      guard case .skipped(let first, let lost)? = notices.first else {
        Issue.record("nothing is told")
        return
      }
      // The mixer is ahead of what is put out, and looks by the block.
      #expect((2_000 - 176...2_000).contains(first) && first + lost == 2_528)
      #expect(statistics.framesLost == lost && controller.mixer.pointee.outputFrame == 2_528)
    }
  }

  @Test func whatSoundedByTheClockIsToldFromItsBeginning() {
    withSamples { samples in
      play(at: 300, samples, frames: 1_000, on: controller)
      var thread = makeThread()
      for _ in 0..<4 {
        let first = thread.next
        thread.render(128)
        thread.noteUnheard(from: first)
      }
      thread.comeIn(after: 100)
      let isInTime = thread.endAwaiting()
      #expect(!isInTime && notices == [.skipped(at: 256, lost: 612 - 256)])
      #expect(statistics.framesLost == 612 - 256)
    }
  }

  @Test func aMixerThatStandsAndIsAboutToGoOnLosesNothing() {
    var thread = makeThread()
    #expect(controller.stand(before: 480))
    thread.render(1_024)
    #expect(controller.goOn(afterStanding: 10_000))
    thread.comeIn(after: 2_000)
    let isInTime = thread.endAwaiting()
    #expect(isInTime && statistics.framesLost == 0)
    #expect(controller.mixer.pointee.outputFrame == 3_024)
  }

  @Test func aDeviceThatDoesNotComeBackIsWaitedForNoMore() {
    withSamples { samples in
      play(at: 48, samples, frames: 1_000, on: controller)
      var thread = makeThread()
      memory.pointer.pointee.hasDevice.store(false, ordering: .relaxed)
      thread.render(128)
      thread.noteUnheard(from: 0)
      #expect(!thread.isAwaited && thread.unheard == nil)
      // Whatever comes after that came by trouble, and fades in.
      thread.comeIn(after: 100)
      let isInTime = thread.endAwaiting()
      #expect(!isInTime && statistics.framesLost == 100 && notices.isEmpty)
    }
  }
}
