// SPDX-License-Identifier: Apache-2.0

import CAllocationCounter
import Glibc
import Mixing
import RealTime
import Testing

/// At run time too: rendering allocates nothing, frees nothing and takes no lock, whatever it is asked to do.
@Suite(.enabled(if: call_counter_works())) struct RealTimeSafetyTests {
  @Test func theCounterSeesWhatItIsThereFor() {
    call_counter_begin()
    let memory = malloc(100)
    free(memory)
    let array = [Int](repeating: 1, count: Int.random(in: 100...200))
    var mutex = pthread_mutex_t()
    pthread_mutex_lock(&mutex)
    pthread_mutex_unlock(&mutex)
    let counts = call_counter_end()
    #expect(array.count >= 100)
    #expect(counts.allocations >= 2 && counts.releases >= 1 && counts.locks >= 1)
  }

  @Test func renderingAndSkippingTouchNeitherAllocatorNorLock() {
    let studio = Studio(MixerConfiguration(effectVoices: 16, effectReserve: 16, families: 1))
    let loop = studio.counter(frames: 3_000, loop: 10..<2_990)
    let once = studio.counter(frames: 700)
    let loud = studio.constant(2)
    let integers = UnsafeMutablePointer<Int16>.allocate(capacity: 48)
    defer { integers.deallocate() }
    integers.initialize(repeating: 999, count: 48)
    let short = ResidentSource(samples: .int16(integers), frames: 24, loop: 0..<24)
    let ring = studio.ring(capacityFrames: 8_192)
    _ = studio.fill(ring, counting: 3_000)
    let stream = studio.voice()
    studio.submit(.start(VoiceStart(id: stream, source: .stream(ring), bus: .music, at: 0)))
    let fade = Fade(frames: 900, curve: .equalPower)
    studio.submit(.stop(studio.start(loop, on: .music, at: 0), at: 500, fade: fade))
    for turn in 0..<60 {
      let at = Int64(turn * 150)
      let looping = studio.start(loop, at: at, fadeIn: fade, pan: 0.3)
      let rule = DuckRule(.music, depth: 0.5, attack: 10, hold: Int32(turn % 4 * 20), release: 30)
      studio.start(once, on: .voice, at: at + 1, pitch: 1.3, ducking: rule)
      studio.start(short, at: at + 1, pitch: turn % 2 == 0 ? 7.9 : 1)
      let noisy = studio.start(loud, at: at + 2, gain: 0.4)
      studio.submit(
        .gain(looping, to: 0.3, at: at + 50, fade: fade), .pan(looping, to: -0.4, at: at + 60),
        .pause(looping, at: at + 80, fade: fade), .fadeOut(looping, at: at + 84, fade: fade),
        .bringBack(looping, at: at + 86, fade: fade), .resume(looping, at: at + 90, fade: fade),
        .pitch(looping, to: 0.7, at: at + 100), .stop(noisy, at: at + 110, fade: fade),
        .busGain(.voice, to: turn % 3 == 0 ? 0 : 0.9, at: at + 120, fade: fade))
      let beside = VoiceStart<VoiceSource>(
        id: studio.voice(), source: .resident(loop), bus: .haptic, at: at + 95, alignedWith: looping)
      studio.submit(
        .start(beside), .gain(looping, to: 0.9, at: at + 105, fade: fade), .retract(looping, from: at + 101))
      let driven = VoiceStart<VoiceSource>(
        id: studio.voice(), source: .resident(loop), bus: .voice, at: at + 96, family: 0)
      studio.submit(
        .start(driven), .drive(.familyGain(0), to: Float(turn % 5) / 4, at: at, fade: fade),
        .drive(.familyPitch(0), to: Float(turn % 3 + 1) / 2, at: at + 40, fade: .none),
        .drive(.lowPass(.voice), to: Float(turn % 4 - 3), at: at + 20, fade: fade),
        .drive(.busGain(.voice), to: Float(turn % 2), at: at + 30, fade: fade),
        .stop(driven.id, at: at + 140, fade: fade),
        .retractDriven(.lowPass(.voice), from: at + 10))
      let takenBack = studio.start(loop, at: at + 300)
      studio.submit(.pause(takenBack, at: at + 301, fade: fade), .retract(takenBack, from: at + 200))
    }
    studio.submit(.stopAll(nil, at: 20_000, fade: fade))
    for (frame, stood) in [(3_000, 1_000), (9_000, 1_200), (12_000, 9_000)] {
      _ = studio.controller.stand(before: Int64(frame))
      _ = studio.controller.goOn(afterStanding: Int64(stood))
    }
    let out = UnsafeMutablePointer<Float>.allocate(capacity: 1_024)
    defer { out.deallocate() }
    let mixer = studio.controller.mixer

    call_counter_begin()
    for period in 0..<100 {
      mixer.pointee.render(into: out, frames: 1 + period * 5)
      if period % 10 == 9 { mixer.pointee.skip(frames: period * 30) }
    }
    let counts = call_counter_end()

    #expect(counts.allocations == 0 && counts.releases == 0 && counts.locks == 0)
    // And it did work meanwhile.
    studio.collect()
    let names = ["started", "finished", "starved", "stolen", "ended", "stopped", "cancelled"]
    for name in names { #expect(studio.events.contains { "\($0)".contains(name) }, "\(name)") }
    #expect(studio.controller.readStatistics().limiterGain < 1)
  }

  @Test func comingBackToItsCourseTouchesNeitherAllocatorNorLock() {
    let studio = Studio()
    let ring = studio.ring(capacityFrames: 16_384, layers: 2)
    _ = studio.fill(ring, frames: 16_000, layers: 2) { _, frame in Frame(left: count(frame), right: 0) }
    let fade = Fade(frames: 100)
    let voices = [VoiceSource.resident(studio.counter(frames: 20_000)), .stream(ring)].map { source in
      var start = VoiceStart<VoiceSource>(id: studio.voice(), source: source, bus: .music, at: 0, late: .skip)
      start.stems = StemGains([0.25])
      studio.submit(
        .start(start), .pause(start.id, at: 500, fade: fade), .stem(start.id, 0, to: 1, at: 400, fade: fade))
      return start.id
    }
    let course = VoiceCourse(
      level: Ramp(steady: 1), gate: Ramp(steady: 1), gain: 1, isLeaving: false, stood: 0, stems: StemGains([0.5]))
    _ = studio.render(1_000)
    for voice in voices {
      studio.submit(
        .retract(voice, from: 400), .restore(voice, to: course, from: 400), .pause(voice, at: 700, fade: fade),
        .resume(voice, at: 900, fade: fade), .pause(voice, at: 2_400, fade: fade), .resume(voice, at: 3_000, fade: fade)
      )
    }
    let out = UnsafeMutablePointer<Float>.allocate(capacity: 512)
    defer { out.deallocate() }
    let mixer = studio.controller.mixer

    call_counter_begin()
    for _ in 0..<20 { mixer.pointee.render(into: out, frames: 256) }
    let counts = call_counter_end()

    #expect(counts.allocations == 0 && counts.releases == 0 && counts.locks == 0)
    // And it plays again.
    #expect(studio.render(1)[0].left > 0)
  }
}
