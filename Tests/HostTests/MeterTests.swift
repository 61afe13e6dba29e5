// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing
import Timing
import Wire

/// How loud each bus was, as clients are told.
@Suite struct MeterTests {
  /// A sound of half of full scale that lasts 50 ms.
  private func rig() throws -> HostRig {
    try HostRig(change: { directory in
      let wave = HostRig.wave(seconds: 0.05) { _ in 16_384 }
      try Data(wave).write(to: URL(filePath: directory + "/sfx_click.wav"))
    })
  }

  private func meters(_ rig: HostRig, over: Int64 = 1_000_000) -> [EngineStats.Meter.Bus: Double] {
    let over = Interval.microseconds(over)
    let meters = rig.host.stats(over: over, rig.host.trace.tally(since: rig.host.now - over)).meters
    #expect(meters.map(\.bus) == [.music, .sound, .voice, .haptic, .output])
    return Dictionary(uniqueKeysWithValues: meters.map { ($0.bus, $0.peakDb) }).compactMapValues { $0 }
  }

  @Test func silenceHasNoPeak() throws {
    let rig = try rig()
    #expect(meters(rig) == [:])
    rig.step(microseconds: 2_000_000)
    #expect(meters(rig) == [:])
  }

  @Test func aSoundOfHalfOfFullScaleIsSixDecibelsBelowItForASecond() throws {
    let rig = try rig()
    _ = rig.ask("sound.play", #"{"sound":"sfx_click"}"#)
    rig.step(microseconds: 500_000)
    // Whoever asks is told the same.
    #expect(meters(rig) == [.sound: -6.02, .output: -6.02])
    #expect(meters(rig, over: 100_000) == [.sound: -6.02, .output: -6.02])
    rig.step(microseconds: 500_000)
    #expect(meters(rig) == [.sound: -6.02, .output: -6.02])
    rig.step(microseconds: 150_000)
    #expect(meters(rig) == [:])
  }

  @Test func musicAndSoundsAreToldApart() throws {
    let rig = try rig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 500_000)
    #expect(meters(rig) == [.music: -12.04, .output: -12.04])
    _ = rig.ask("sound.play", #"{"sound":"sfx_click"}"#)
    rig.step(microseconds: 500_000)
    // Half and a quarter.
    #expect(meters(rig) == [.music: -12.04, .sound: -6.02, .output: -2.5])
    _ = rig.ask("engine.pause")
    rig.step(microseconds: 2_000_000)
    #expect(meters(rig) == [:])
  }

  @Test func readingThemChangesNothingOfWhatIsHeard() throws {
    func heard(asking: Bool) throws -> [Float] {
      let rig = try HostRig(records: true)
      _ = rig.ask("music.play", #"{"track":"main"}"#)
      for _ in 0..<20 {
        rig.step(microseconds: 50_000)
        if asking { _ = meters(rig) }
      }
      return try rig.heard()
    }
    #expect(try heard(asking: true) == heard(asking: false))
  }
}
