// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing

/// Commands that are handed over for a frame: the mixer acts at it, or control knows that it has passed.
@Suite struct PassedFrameTests {
  private func start(_ studio: Studio, at frame: Int64) -> (id: VoiceID, batch: [MixerCommand]) {
    let id = studio.voice()
    let source = VoiceSource.resident(studio.counter(frames: 10))
    return (id, [.start(VoiceStart(id: id, source: source, bus: .sound, at: frame))])
  }

  @Test func whatIsHandedOverInTimeBeginsAtItsFrame() {
    let studio = Studio()
    _ = studio.render(256)
    // 256 frames are put out, and mixed is a look-ahead of 48 more.
    let (id, batch) = start(studio, at: 304)
    #expect(studio.controller.submit(batch, unlessPassed: 304) == .taken)
    _ = studio.render(256)
    #expect(studio.events == [.started(id, at: 304), .finished(id, at: 314, .ended)])
  }

  @Test func ofWhatIsTooLateNothingIsSent() {
    let studio = Studio()
    _ = studio.render(256)
    let room = studio.controller.room
    let (_, batch) = start(studio, at: 303)
    #expect(studio.controller.submit(batch, unlessPassed: 303) == .passed)
    #expect(studio.controller.room == room)
    _ = studio.render(256)
    #expect(studio.events.isEmpty)
  }

  @Test func aFrameBehindWhichTheMixerStandsHasNotPassed() {
    let studio = Studio()
    #expect(studio.controller.stand(before: 1_000))
    _ = studio.render(4_096)
    // It stands before frame 1,000, and has mixed up to 1,048.
    let (late, tooLate) = start(studio, at: 1_047)
    #expect(studio.controller.submit(tooLate, unlessPassed: 1_047) == .passed)
    let (id, batch) = start(studio, at: 1_048)
    #expect(studio.controller.submit(batch, unlessPassed: 1_048) == .taken)
    #expect(studio.controller.goOn(afterStanding: 4_096))
    _ = studio.render(4_096)
    #expect(studio.events.contains(.started(id, at: 1_048)) && !studio.events.contains(.started(late, at: 1_047)))
  }

  @Test func whatPassesAtRestPassesForThoseToo() {
    let studio = Studio()
    _ = studio.render(4_096)
    studio.controller.mixer.pointee.rest(frames: 1_000)
    let (_, tooLate) = start(studio, at: 5_143)
    #expect(studio.controller.submit(tooLate, unlessPassed: 5_143) == .passed)
    let (id, batch) = start(studio, at: 5_144)
    #expect(studio.controller.submit(batch, unlessPassed: 5_144) == .taken)
    _ = studio.render(256)
    #expect(studio.events.first == .started(id, at: 5_144))
  }

  @Test func anAudioSideThatSleepsSaysItselfWhatHasPassed() {
    let studio = Studio()
    var wakes = 0
    studio.controller.onWork = { wakes += 1 }
    studio.controller.hasRested = { $0 < 2_000 }
    #expect(studio.controller.submit(start(studio, at: 1_999).batch, unlessPassed: 1_999) == .passed)
    // It is woken all the same, to say where it is.
    #expect(wakes == 1)
    #expect(studio.controller.submit(start(studio, at: 2_000).batch, unlessPassed: 2_000) == .taken)
    #expect(wakes == 2)
  }

  /// A thread that mixes without pause, so that every frame passes as it is planned for.
  @Test func whateverTheMixerDoesMeanwhileWhatIsTakenBeginsAtItsFrame() throws {
    let studio = Studio(MixerConfiguration(effectVoices: 8, effectReserve: 8))
    let source = studio.counter(frames: 30)
    var planned: [UInt64: Int64] = [:]
    try whileMixing(studio.controller.mixer, frames: 64) {
      var passed = 0
      var hasBegun = false
      // Either thread may not be let run for long: then nothing is taken, or too much at one frame for any of it to begin.
      while planned.count < 300 || passed < 30 || !hasBegun {
        // In the call under way, or behind it.
        let (id, at) = (studio.voice(), studio.controller.mixedFrame + Int64(planned.count % 2) * 64)
        let start = VoiceStart<VoiceSource>(id: id, source: .resident(source), bus: .sound, at: at)
        switch studio.controller.submit([.start(start)], unlessPassed: at) {
        case .taken: planned[id.rawValue] = at
        case .passed: passed += 1
        case .full: break
        }
        let seen = studio.events.count
        studio.collect()
        hasBegun = hasBegun || studio.events[seen...].contains { if case .started = $0 { true } else { false } }
      }
    }
    studio.collect()
    for case .started(let id, let at) in studio.events { #expect(planned[id.rawValue] == at) }
  }
}
