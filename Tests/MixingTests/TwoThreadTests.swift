// SPDX-License-Identifier: Apache-2.0

import Mixing
import RealTime
import Synchronization
import Testing

/// A mixer at work on a thread of its own, as it is in the daemon.
private struct Stage {
  var mixer: UnsafeMutablePointer<Mixer>
  var isOver: UnsafeMutablePointer<Atomic<Bool>>
}

private func play(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let stage = argument?.assumingMemoryBound(to: Stage.self).pointee else { return nil }
  let out = UnsafeMutablePointer<Float>.allocate(capacity: 512)
  defer { out.deallocate() }
  while !stage.isOver.pointee.load(ordering: .acquiring) { stage.mixer.pointee.render(into: out, frames: 256) }
  return nil
}

@Suite struct TwoThreadTests {
  @Test func everyVoiceThatIsStartedIsToldToBeginAndToEnd() throws {
    let studio = Studio(MixerConfiguration(effectVoices: 8, effectReserve: 8))
    let source = studio.counter(frames: 300)
    let isOver = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: 1)
    isOver.initialize(to: Atomic(false))
    var stage = Stage(mixer: studio.controller.mixer, isOver: isOver)
    defer {
      isOver.deinitialize(count: 1)
      isOver.deallocate()
    }
    try withUnsafeMutablePointer(to: &stage) { stage in
      let thread = try RealTimeThread(name: "audio", priority: nil, body: play, argument: stage)
      var begun = 0
      let ring = studio.ring(capacityFrames: 4_096)
      let stream = studio.voice()
      studio.submit(.start(VoiceStart(id: stream, source: .stream(ring), bus: .music, at: 0)))
      while begun < 500 {
        // Pairs, so that a torn batch would show.
        let starts = (0..<2).map { _ in
          MixerCommand.start(
            VoiceStart(
              id: studio.voice(), source: .resident(source), bus: .sound, at: studio.controller.mixedFrame))
        }
        if studio.controller.submit(starts) { begun += 2 }
        _ = studio.fill(ring, counting: min(ring.pointee.writableFrames, 256))
        studio.collect()
      }
      ring.pointee.finish()
      while studio.events.count(where: { if case .finished = $0 { true } else { false } }) < begun + 1 {
        studio.collect()
      }
      isOver.pointee.store(true, ordering: .releasing)
      thread.join()
      var started: [Int64] = []
      for event in studio.events {
        if case .started(let id, let at) = event, id != stream { started.append(at) }
      }
      let refused = studio.events.count { if case .finished(_, _, .rejected) = $0 { true } else { false } }
      #expect(started.count + refused == begun)
    }
  }
}
