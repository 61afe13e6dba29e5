// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

@Suite struct StreamTests {
  private func start(
    _ studio: Studio, _ ring: UnsafeMutablePointer<StreamRing>, at: Int64, late: LatePolicy = .shift
  ) -> VoiceID {
    let id = studio.voice()
    studio.submit(.start(VoiceStart(id: id, source: .stream(ring), bus: .music, at: at, late: late)))
    return id
  }

  @Test func aStreamPlaysToItsEndAcrossTheRingsEdge() {
    let studio = Studio()
    let ring = studio.ring(capacityFrames: 2_048)
    #expect(studio.fill(ring, counting: 3_000) == 2_048)
    let id = start(studio, ring, at: 500)
    var out: [Frame] = []
    while out.count < 12_000 {
      out += studio.render(256)
      let left = 10_000 - Int(ring.pointee.framesWritten)
      let written = studio.fill(ring, counting: min(ring.pointee.writableFrames, left))
      if written == left { ring.pointee.finish() }
    }
    for frame in out.indices {
      let expected = 500..<10_500 ~= frame ? count(frame - 500) : 0
      #expect(out[frame].left == expected, "frame \(frame)")
    }
    #expect(studio.events == [.started(id, at: 500), .finished(id, at: 10_500, .ended)])
  }

  @Test func aStarvedStreamFadesOutAndRejoinsThePlan() throws {
    let studio = Studio()
    let ring = studio.ring(capacityFrames: 8_192)
    _ = studio.fill(ring, counting: 4_000)
    let id = start(studio, ring, at: 0)
    var out = studio.render(6_000)
    guard case .starved(id, let silent)? = studio.events.last else {
      Issue.record("no starvation in \(studio.events)")
      return
    }
    // It falls silent when there is nothing left, after a fade of 240 frames, and not a frame later.
    #expect(silent <= 4_000 && silent > 3_500)
    #expect(out[Int(silent) - 241].left == count(Int(silent) - 241))
    #expect(out[Int(silent)...].allSatisfy { $0 == Frame(left: 0, right: 0) })

    _ = studio.fill(ring, counting: 8_192)
    out += studio.render(3_000)
    guard case .rejoined(id, let back)? = studio.events.last else {
      Issue.record("no return in \(studio.events)")
      return
    }
    for frame in Int(back)..<Int(back) + 1_000 {
      let gain = Oracle.linear(0, 1, frame - Int(back), of: 240)
      #expect(abs(Double(out[frame].left) - gain * Double(count(frame))) < 1e-8, "frame \(frame)")
    }
    // Every sample is at most 2^-20 * 12000, a fade in 240 frames steps no more than that divided by 240.
    #expect(out.largestStep < count(12_000) / 240 + 0x1p-19)
  }

  @Test func aStreamThatEndsWhileItIsStarvedEnds() {
    let studio = Studio()
    let ring = studio.ring(capacityFrames: 8_192)
    _ = studio.fill(ring, counting: 1_000)
    let id = start(studio, ring, at: 0)
    _ = studio.render(3_000)
    _ = studio.fill(ring, counting: 500)
    ring.pointee.finish()
    _ = studio.render(256)
    guard case .finished(id, let at, .ended)? = studio.events.last else {
      Issue.record("no end in \(studio.events)")
      return
    }
    #expect(at >= 3_000)
  }

  @Test func aLateStreamEntersInPlace() {
    let studio = Studio()
    _ = studio.render(1_000)
    let reach = Int(studio.controller.mixedFrame)
    let ring = studio.ring(capacityFrames: 8_192)
    _ = studio.fill(ring, counting: 8_192)
    let id = start(studio, ring, at: 300, late: .skip)
    let out = studio.render(2_000)
    // It had never fallen silent, so it is not told to be back.
    #expect(studio.events == [.started(id, at: Int64(reach))])
    let first = reach - 1_000
    for frame in first + 240..<2_000 { #expect(out[frame].left == count(frame + 1_000 - 300)) }
    #expect(out.largestStep < count(8_192) / 240 + 0x1p-19)
  }

  @Test func aLateStreamThatRunsDryAfterItSoundedIsToldToBeBack() throws {
    let studio = Studio()
    _ = studio.render(1_000)
    let ring = studio.ring(capacityFrames: 8_192)
    _ = studio.fill(ring, counting: 200)
    let id = start(studio, ring, at: 300, late: .skip)
    // What it has missed has not come by yet.
    _ = studio.render(1_000)
    #expect(studio.events.count == 1)
    _ = studio.fill(ring, counting: 4_000)
    _ = studio.render(4_000)
    #expect(studio.events.count == 2)
    guard case .starved(id, _)? = studio.events.last else {
      Issue.record("no starvation in \(studio.events)")
      return
    }
    _ = studio.fill(ring, counting: 8_000)
    _ = studio.render(500)
    guard case .rejoined(id, _)? = studio.events.last else {
      Issue.record("no return in \(studio.events)")
      return
    }
    #expect(studio.events.count == 3)
  }

  @Test func aPausedStreamKeepsItsPlaceAndTakesNothing() {
    let studio = Studio()
    let ring = studio.ring(capacityFrames: 8_192)
    _ = studio.fill(ring, counting: 8_192)
    let id = start(studio, ring, at: 0)
    studio.submit(
      .pause(id, at: 1_000, fade: Fade(frames: 240)), .resume(id, at: 5_000, fade: Fade(frames: 240)))
    let before = studio.render(4_000)
    #expect(ring.pointee.framesConsumed == 1_240)
    #expect(before[999].left == count(999))
    let after = studio.render(2_000)
    #expect(after[1_500].left == count(1_240 + 500))
  }

  @Test func aStarvedStreamThatIsPausedMissesNothingWhileItStands() {
    let studio = Studio()
    let ring = studio.ring(capacityFrames: 8_192)
    _ = studio.fill(ring, counting: 2_000)
    let id = start(studio, ring, at: 0)
    studio.submit(
      .pause(id, at: 3_100, fade: Fade(frames: 240)), .resume(id, at: 6_000, fade: Fade(frames: 240)))
    _ = studio.render(5_000)
    _ = studio.fill(ring, counting: 5_000)
    let out = studio.render(2_000)
    // It stood at 3340, where it would have been, in the middle of a block.
    #expect(out[1_600].left == count(3_340 + 600))
  }

  @Test func aStreamIsPausedWhileItFadesOutForWantOfMore() {
    let studio = Studio()
    let ring = studio.ring(capacityFrames: 8_192)
    _ = studio.fill(ring, counting: 4_000)
    let id = start(studio, ring, at: 0)
    studio.submit(.pause(id, at: 3_700, fade: Fade(frames: 100)), .resume(id, at: 6_000, fade: Fade(frames: 100)))
    var out = studio.render(5_000)
    _ = studio.fill(ring, counting: 8_000)
    out += studio.render(3_000)
    #expect(out[3_800..<6_000].allSatisfy { $0 == Frame(left: 0, right: 0) })
    #expect(out[7_000].left == count(3_800 + 1_000))
    #expect(out.largestStep < count(12_000) / 100 + 0x1p-19)
  }

  @Test func aRingCanServeAnotherVoice() {
    let studio = Studio()
    let ring = studio.ring(capacityFrames: 1_024)
    _ = studio.fill(ring, counting: 10)
    ring.pointee.finish()
    _ = start(studio, ring, at: 0)
    _ = studio.render(512)
    ring.pointee.reset()
    #expect(ring.pointee.writableFrames == 1_024 && ring.pointee.framesWritten == 0)
    _ = studio.fill(ring, counting: 7)
    ring.pointee.finish()
    let id = start(studio, ring, at: 1_000)
    let out = studio.render(1_000)
    #expect(out[488..<495].map(\.left) == (0..<7).map(count))
    #expect(studio.events.last == .finished(id, at: 1_007, .ended))
  }
}
