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

  /// Told when frames were passed over already, of a plan that lies among them.
  private func tell(
    _ studio: Studio, _ source: ResidentSource, plannedFor frame: Int64, ducking: DuckRule? = nil
  ) -> VoiceID {
    let id = studio.voice()
    var start = VoiceStart(
      id: id, source: VoiceSource.resident(source), bus: .sound, at: 11_100, ducking: ducking)
    start.planned = frame
    studio.submit(.start(start))
    return id
  }

  @Test func whatIsToldLateOfFramesThatNobodyHeardIsInItsPlaceBehindThem() {
    let studio = Studio()
    _ = studio.render(1_000)
    studio.skip(10_000)
    let id = tell(studio, studio.counter(frames: 5_000), plannedFor: 8_000)
    let out = studio.render(3_000)
    #expect(out[..<100].allSatisfy { $0.left == 0 })
    // It fades in over 5 ms, and is then where it would have been.
    #expect(out[340].left == count(3_340) && out[1_999].left == count(4_999) && out[2_000].left == 0)
    #expect(studio.events == [.started(id, at: 8_000), .finished(id, at: 13_000, .ended)])
  }

  @Test func whatLiesWhollyAmongThemIsOverAndTurnsNothingDown() {
    let studio = Studio()
    studio.start(studio.constant(0.5), on: .music, at: 0)
    _ = studio.render(1_000)
    studio.skip(10_000)
    let rule = DuckRule(.music, depth: 0, attack: 10, hold: 10_000, release: 10_000)
    let id = tell(studio, studio.counter(frames: 3_000), plannedFor: 8_000, ducking: rule)
    let out = studio.render(3_000)
    #expect(out[240...].allSatisfy { $0.left == 0.5 })
    #expect(studio.events.suffix(2) == [.started(id, at: 8_000), .finished(id, at: 11_000, .ended)])
  }

  @Test func whatWasPlannedForFramesThatWereHeardIsLate() {
    let studio = Studio()
    _ = studio.render(1_000)
    studio.skip(10_000)
    let id = tell(studio, studio.counter(frames: 500), plannedFor: 900)
    let out = studio.render(1_000)
    #expect(out[300].left == count(200) && out[599].left == count(499))
    #expect(studio.events == [.started(id, at: 11_100), .finished(id, at: 11_600, .ended)])
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
