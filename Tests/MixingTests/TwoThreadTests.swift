// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

@Suite struct TwoThreadTests {
  @Test func everyVoiceThatIsStartedIsToldToBeginAndToEnd() throws {
    let studio = Studio(MixerConfiguration(effectVoices: 8, effectReserve: 8))
    let source = studio.counter(frames: 300)
    let stream = studio.voice()
    var begun = 0
    try whileMixing(studio.controller.mixer, frames: 256) {
      let ring = studio.ring(capacityFrames: 4_096)
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
    }
    var started: [Int64] = []
    for event in studio.events {
      if case .started(let id, let at) = event, id != stream { started.append(at) }
    }
    let refused = studio.events.count { if case .finished(_, _, .rejected) = $0 { true } else { false } }
    #expect(started.count + refused == begun)
  }
}
