// SPDX-License-Identifier: Apache-2.0

@_spi(Measuring) import Mixing
import Testing

/// What the mixer has to look at in one call is bounded, whatever clients had it told at once: counted, not timed.
@Suite struct WorkOfACallTests {
  private let configuration = MixerConfiguration()

  /// As many as all clients together may plan for one instant.
  private static let starts = 64 * 4 + 384 + 64

  private func start(
    _ number: Int, _ source: ResidentSource, at frame: Int64, in studio: Studio
  ) -> VoiceStart<VoiceSource> {
    var start = VoiceStart<VoiceSource>(
      id: VoiceID(rawValue: UInt64(1 + number)), source: .resident(source), bus: .sound, at: frame)
    (start.owner, start.user) = (UInt64(1 + number % 64), 1)
    return start
  }

  private func begin(_ studio: Studio, at frame: Int64) {
    let source = studio.constant(0.001)
    for first in stride(from: 0, to: Self.starts, by: 64) {
      let batch = (first..<first + 64).map { MixerCommand.start(start($0, source, at: frame, in: studio)) }
      #expect(studio.controller.submit(batch))
    }
  }

  @Test func hundredsOfStartsLookAtEachSlotTwiceForEach() {
    let studio = Studio(configuration)
    begin(studio, at: 100)
    let before = studio.controller.mixer.pointee.looks
    _ = studio.render(256)
    let looks = studio.controller.mixer.pointee.looks - before
    #expect(looks <= 2 * Self.starts * (configuration.effectVoices + configuration.effectReserve))
    #expect(looks >= Self.starts * (configuration.effectVoices + configuration.effectReserve))
  }

  /// However much else is planned.
  @Test func hundredsThatAreTakenBackLookAtWhatIsPlannedOnce() {
    let studio = Studio(configuration)
    begin(studio, at: 40_000)
    let others = 3 * configuration.commandCapacity / 4 - Self.starts
    for first in stride(from: 0, to: others / 64 * 64, by: 64) {
      let batch = (first..<first + 64).map {
        MixerCommand.gain(VoiceID(rawValue: UInt64(10_000 + $0)), to: 1, at: 40_000, fade: .none)
      }
      #expect(studio.controller.submit(batch))
    }
    _ = studio.render(64)
    let before = studio.controller.mixer.pointee.looks
    let reach = studio.controller.mixedFrame
    let voices = (0..<Self.starts).map { VoiceID(rawValue: UInt64(1 + $0)) }
    #expect(studio.controller.submit(voices.map { .retract($0, from: 0) }))
    _ = studio.render(64)
    #expect(studio.controller.mixer.pointee.looks - before <= configuration.commandCapacity)
    #expect(studio.events.count == voices.count)
    #expect(voices.allSatisfy { studio.events.contains(.finished($0, at: reach, .cancelled)) })
  }
}
