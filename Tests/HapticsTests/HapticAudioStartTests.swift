// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import Haptics

/// Which sounds of a player begin when, and with how much of them over.
@Suite struct HapticAudioStartTests {
  private let id = HapticPlayerID(rawValue: 1)

  /// A tone from 100 to 400 ms and a file of 500 ms, an octave up, from 200 ms on.
  private static let pattern: HapticPattern = {
    let tone = AHAPEvent(.audioContinuous, time: 0.1, duration: 0.3)
    var boom = AHAPEvent(.audioCustom, time: 0.2, parameters: [.audioPitch: 1])
    boom.waveformPath = "boom.wav"
    return HapticPattern(AHAPDocument(events: [tone, boom])).knowing(fileLengths: ["boom.wav": .ms(500)])
  }()

  private func mixer(_ options: HapticPlayOptions = HapticPlayOptions(), _ later: [HapticCommand] = []) -> HapticMixer {
    var mixer = HapticMixer(now: .ms(0))
    mixer.apply(.start(id, Self.pattern, source: "test", at: .ms(1_000), options: options))
    for command in later { mixer.apply(command) }
    return mixer
  }

  private func starts(_ mixer: HapticMixer, from: Instant = .ms(0), to: Instant = .ms(9_000)) -> [String] {
    mixer.audioStarts(from: from, to: to).map {
      "\($0.event.source == .tone ? "tone" : "boom") \($0.at.microseconds / 1_000) \($0.offset.microseconds / 1_000)"
    }
  }

  @Test func fromTheStartAllBeginAtTheirBeginning() {
    #expect(starts(mixer()) == ["tone 1100 0", "boom 1200 0"])
  }

  @Test func aPlayerThatBeginsLaterInItsPatternEntersSoundsInTheirMiddle() {
    #expect(starts(mixer(HapticPlayOptions(offset: .ms(150)))) == ["tone 1000 50", "boom 1050 0"])
    // The file, at twice the speed, is over 250 ms after its start.
    #expect(starts(mixer(HapticPlayOptions(offset: .ms(399)))) == ["tone 1000 299", "boom 1000 199"])
    #expect(starts(mixer(HapticPlayOptions(offset: .ms(449)))) == ["boom 1000 249"])
    #expect(starts(mixer(HapticPlayOptions(offset: .ms(450)))) == [])
    #expect(starts(mixer(HapticPlayOptions(offset: .ms(100)))) == ["tone 1000 0", "boom 1100 0"])
  }

  @Test func nothingBeginsOfWhatIsOnItsWayOut() {
    let out = HapticCommand.fadeOut(id, over: .ms(50), at: .ms(1_150))
    #expect(starts(mixer(HapticPlayOptions(), [out])) == ["tone 1100 0"])
    #expect(starts(mixer(HapticPlayOptions(), [out, .seek(id, to: .ms(250), at: .ms(1_160))])) == ["tone 1100 0"])
  }

  @Test func aSeekEntersThemWhereItGoes() {
    let seek = HapticCommand.seek(id, to: .ms(250), at: .ms(1_150))
    #expect(starts(mixer(HapticPlayOptions(), [seek])) == ["tone 1100 0", "tone 1150 150", "boom 1150 50"])
    let back = HapticCommand.seek(id, to: .ms(50), at: .ms(1_300))
    #expect(starts(mixer(HapticPlayOptions(), [back])) == ["tone 1100 0", "boom 1200 0", "tone 1350 0", "boom 1450 0"])
    // Asked from later on, what has begun is not told again.
    #expect(starts(mixer(HapticPlayOptions(), [seek]), from: .ms(1_151)) == [])
  }

  @Test func aSeekWhilePausedEntersThemWhenItGoesOn() {
    let commands: [HapticCommand] = [
      .pause(id, at: .ms(1_050)), .seek(id, to: .ms(300), at: .ms(2_000)), .resume(id, at: .ms(3_000)),
      .pause(id, at: .ms(3_010)), .resume(id, at: .ms(4_000)),
    ]
    #expect(starts(mixer(HapticPlayOptions(), commands)) == ["tone 3000 200", "boom 3000 100"])
  }

  @Test func aTurnOfALoopEntersNothing() {
    let options = HapticPlayOptions(loops: true, loopEnd: .ms(300))
    #expect(
      starts(mixer(options), to: .ms(1_550)) == ["tone 1100 0", "boom 1200 0", "tone 1400 0", "boom 1500 0"])
  }

  @Test func ofMoreThanCanBeHeardTheFirstOfTenMillisecondsBegin() {
    func count(_ spacing: Double, _ count: Int, to end: Int64) -> Int {
      let events = (0..<count).map { AHAPEvent(.audioContinuous, time: Double($0) * spacing, duration: 0.001) }
      var mixer = HapticMixer(now: .ms(0))
      let options = HapticPlayOptions(loops: true, loopEnd: .ms(10))
      mixer.apply(.start(id, HapticPattern(AHAPDocument(events: events)), source: "", at: .ms(1_000), options: options))
      return mixer.audioStarts(from: .ms(0), to: .ms(end)).count
    }
    // As many as have voices all begin, in every turn.
    #expect(count(0, 32, to: 1_030) == 96)
    #expect(count(0.000005, 300, to: 1_010) == 33)
    #expect(count(0.000005, 300, to: 1_011) == 66)
    // However long a span is, of one player no more than there are voices.
    #expect(count(0.000005, 300, to: 31_000) == 96)
  }

  @Test func theControlsOfThePlayerGoWithASound() throws {
    let louder = HapticCommand.sendParameters(id, [HapticParameter(.audioVolume, 0.25)], at: .ms(1_150))
    let bend = HapticParameterCurve(
      .audioPan, points: [.init(time: .zero, value: -1), .init(time: .ms(100), value: 1)])
    let found = mixer(HapticPlayOptions(), [louder, .scheduleCurve(id, bend, at: .ms(1_180))]).audioStarts(
      from: .ms(0), to: .ms(2_000))
    try #require(found.count == 2)
    #expect(found[0].controls == HapticAudioControls())
    #expect(found[1].controls.values(at: .ms(1_205)).volume == 0.25)
    #expect(found[1].controls.values(at: .ms(1_205)).pan == -0.5)
    #expect(found[1].controls.nextBend(after: .ms(1_205)) == .ms(1_280))
    let level = found[1].event.level(at: .ms(205), found[1].controls.values(at: .ms(1_205)))
    #expect(level.gain == 0.25 && level.pan == -0.5 && level.pitch == 1 && level.brightness == 1)
  }

  @Test func howFarIntoItsFileASoundIsFollowsItsPitch() {
    // An octave down, up to an octave up within a second: the mean of 2^p over -1...1 is (2 - 1/2) / (2 ln 2).
    var boom = AHAPEvent(.audioCustom, time: 1)
    boom.waveformPath = "boom.wav"
    let points = [AHAPControl.Point(time: 0, value: -1), AHAPControl.Point(time: 1, value: 1)]
    let event = HapticPattern(
      AHAPDocument(events: [boom], controls: [AHAPControl(.audioPitch, time: 1, points: points)])
    ).audioEvents[0]
    #expect(event.sourceTime(at: .ms(1_000)) == .zero)
    #expect(abs(event.sourceTime(at: .ms(2_000)).seconds - 1.0820) < 1e-4)
    #expect(abs(event.sourceTime(at: .ms(2_500)).seconds - 2.0820) < 1e-4)
  }

  /// Beside sums over ten thousand steps, for pitches that are clamped nowhere, at times, and everywhere.
  @Test(arguments: [-1, -0.6, 0, 0.3, 1])
  func whatOfASourceIsPlayedIsTheSumOfItsSpeeds(pitch: Double) {
    let values: [Double] = [0.2, -1, -0.9, 1, 1, 0.4, -0.3, 0.1]
    let points = values.enumerated().map { AHAPControl.Point(time: Double($0) * 0.25, value: $1) }
    let later = [AHAPControl.Point(time: 0, value: -0.5), AHAPControl.Point(time: 0.5, value: 0.5)]
    let tone = AHAPEvent(.audioContinuous, time: 0.1, duration: 9, parameters: [.audioPitch: pitch])
    let event = HapticPattern(
      AHAPDocument(
        events: [tone],
        controls: [
          AHAPControl(.audioPitch, time: 0.5, points: points), AHAPControl(.audioPitch, time: 2.1, points: later),
        ])
    ).audioEvents[0]
    for end in [0.3, 0.5, 0.6, 1.3, 2.05, 2.1, 2.3, 5] {
      var sum = 0.0
      let step = (end - 0.1) / 10_000
      for index in 0..<10_000 {
        sum += event.level(at: .seconds(0.1 + (Double(index) + 0.5) * step)).speed * step
      }
      #expect(abs(event.sourceTime(at: .seconds(end)).seconds - sum) < 2e-4)
    }
    #expect(event.sourceTime(at: .ms(50)) == .zero)
  }

  @Test func aFileSoundsUntilItHasBeenPlayedAtItsPitch() {
    var boom = AHAPEvent(.audioCustom, time: 1, parameters: [.audioPitch: 1])
    boom.waveformPath = "boom.wav"
    func control(_ time: Double, _ value: Double) -> AHAPControl {
      AHAPControl(.audioPitch, time: time, points: [AHAPControl.Point(time: 0, value: value)])
    }
    let document = AHAPDocument(events: [boom], controls: [control(1, -1), control(2, 1)])
    let pattern = HapticPattern(document).knowing(fileLengths: ["boom.wav": .ms(1_500)])
    // 1 s at its own pitch, then 0.5 s of it in 0.25 s.
    func isEntered(_ position: Int64) -> Bool {
      var mixer = HapticMixer(now: .ms(0))
      mixer.apply(.start(id, pattern, source: "", at: .ms(0), options: HapticPlayOptions(offset: .ms(position))))
      return !mixer.audioStarts(from: .ms(0), to: .ms(1)).isEmpty
    }
    #expect(isEntered(1_001) && isEntered(2_249))
    #expect(!isEntered(2_250))
  }
}
