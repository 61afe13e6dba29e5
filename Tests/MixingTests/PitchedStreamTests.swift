// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

/// A stream at another speed is the same, to the bit, as a sound in memory at that speed.
@Suite struct PitchedStreamTests {
  private static let frames = 6_000

  private func resident(pitch: Float, _ length: Int) -> [Frame] {
    let studio = Studio()
    studio.start(studio.counter(frames: Self.frames), on: .music, at: 100, pitch: pitch)
    return studio.render(length)
  }

  private func start(_ studio: Studio, _ ring: UnsafeMutablePointer<StreamRing>, pitch: Float) -> VoiceID {
    let id = studio.voice()
    studio.submit(.start(VoiceStart(id: id, source: .stream(ring), bus: .music, at: 100, pitch: pitch)))
    return id
  }

  @Test(arguments: [0.5 as Float, 0.93, 1.0594631, 1.5])
  func itIsTheSameAcrossTheRingsEdgeToItsEnd(pitch: Float) {
    let studio = Studio()
    let ring = studio.ring(capacityFrames: 2_048)
    _ = studio.fill(ring, counting: 2_048)
    let id = start(studio, ring, pitch: pitch)
    var out: [Frame] = []
    while out.count < 13_056 {
      out += studio.render(256)
      let left = Self.frames - Int(ring.pointee.framesWritten)
      if studio.fill(ring, counting: min(ring.pointee.writableFrames, left)) == left { ring.pointee.finish() }
    }
    let expected = resident(pitch: pitch, out.count)
    #expect(out == expected)
    #expect(studio.events.first == .started(id, at: 100))
    guard case .finished(id, let end, .ended)? = studio.events.last else {
      Issue.record("no end in \(studio.events)")
      return
    }
    #expect(abs(Double(end - 100) - Double(Self.frames) / Double(pitch)) <= 1)
    #expect(!studio.events.contains { if case .starved = $0 { true } else { false } })
  }

  @Test(arguments: [0.5 as Float, 1.5])
  func starvedItRejoinsWhereItWouldHaveBeen(pitch: Float) {
    let studio = Studio()
    let ring = studio.ring(capacityFrames: 8_192)
    _ = studio.fill(ring, counting: 1_500)
    let id = start(studio, ring, pitch: pitch)
    var out = studio.render(256 * 14)
    #expect(studio.events.contains { if case .starved = $0 { true } else { false } })
    _ = studio.fill(ring, counting: Self.frames - 1_500)
    ring.pointee.finish()
    out += studio.render(256 * 34)
    let expected = resident(pitch: pitch, out.count)
    guard case .rejoined(id, let back)? = studio.events.first(where: { if case .rejoined = $0 { true } else { false } })
    else {
      Issue.record("no return in \(studio.events)")
      return
    }
    #expect(Array(out[(Int(back) + 240)...]) == Array(expected[(Int(back) + 240)...]))
  }
}
