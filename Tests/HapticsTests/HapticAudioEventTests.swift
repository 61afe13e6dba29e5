// SPDX-License-Identifier: Apache-2.0

import Testing
import Timing

@testable import Haptics

/// What of a pattern is heard, place by place.
@Suite struct HapticAudioEventTests {
  private func curve(_ parameter: AHAPDynamicParameter, _ time: Double, _ points: [(Double, Double)]) -> AHAPControl {
    AHAPControl(parameter, time: time, points: points.map { AHAPControl.Point(time: $0, value: $1) })
  }

  @Test func audioEventsAreLedByTheControlsWhileTheySound() throws {
    var boom = AHAPEvent(.audioCustom, time: 0.5, parameters: [.audioVolume: 0.8, .audioPan: -0.5])
    boom.waveformPath = "boom.wav"
    boom.waveformLoops = true
    let tone = AHAPEvent(.audioContinuous, time: 0.25, duration: 1, parameters: [.audioBrightness: 0.4])
    let mute = AHAPEvent(.audioCustom, time: 0)
    let pattern = HapticPattern(
      AHAPDocument(
        events: [boom, tone, mute],
        controls: [
          curve(.audioVolume, 0, [(0, 1), (1, 0)]), curve(.audioPan, 0, [(0, -1)]),
          curve(.audioBrightness, 0, [(0, 0.1)]),
        ]))
    try #require(pattern.audioEvents.count == 2)
    #expect(pattern.audioEvents[0].source == .tone)
    #expect(pattern.audioEvents[0].level(at: .ms(250)).gain == 0.75)
    #expect(pattern.audioEvents[0].level(at: .ms(500)).gain == 0.5)
    #expect(pattern.audioEvents[0].level(at: .ms(500)).brightness == 0.5)
    #expect(pattern.audioEvents[0].nextEdge(after: .ms(250)) == .ms(1_000))
    #expect(pattern.audioEvents[0].nextEdge(after: .ms(1_000)) == .ms(1_250))
    #expect(pattern.audioEvents[1].source == .waveform(path: "boom.wav", loops: false))
    #expect(pattern.audioEvents[1].level(at: .ms(500)).gain == 0.4)
    #expect(pattern.audioEvents[1].level(at: .ms(500)).pan == -1)
    #expect(pattern.audioEvents[1].isMoving(at: .ms(500)) && !pattern.audioEvents[1].isMoving(at: .ms(1_000)))
    #expect(pattern.audioEvents[1].length == nil)
    #expect(pattern.audioEvents[1].time == .ms(500))
    #expect(pattern.duration == .ms(1_250))
  }

  @Test func aFileLoopsForTheEventsDurationAndElseIsPlayedOnce() {
    func source(duration: Double? = nil, sustained: Double = 1) -> HapticAudioEvent.Source? {
      var boom = AHAPEvent(.audioCustom, time: 0, duration: duration, parameters: [.sustained: sustained])
      boom.waveformPath = "boom.wav"
      boom.waveformLoops = true
      return HapticPattern(AHAPDocument(events: [boom])).audioEvents.first?.source
    }
    #expect(source() == .waveform(path: "boom.wav", loops: false))
    #expect(source(duration: 1) == .waveform(path: "boom.wav", loops: true))
    // What is not sustained has its envelope's end.
    #expect(source(sustained: 0) == .waveform(path: "boom.wav", loops: true))
  }

  @Test func aPatternLastsUntilItsFilesHaveBeenHeard() {
    var boom = AHAPEvent(.audioCustom, time: 0.5)
    boom.waveformPath = "boom.wav"
    var cut = boom
    cut.duration = 0.1
    var low = boom
    low.parameters = [.audioPitch: -1]
    func duration(_ event: AHAPEvent) -> Interval {
      HapticPattern(AHAPDocument(events: [event])).knowing(fileLengths: ["boom.wav": .ms(2_000)]).duration
    }
    #expect(duration(boom) == .ms(2_500))
    #expect(duration(cut) == .ms(600))
    // An octave down takes twice as long.
    #expect(duration(low) == .ms(4_500))
  }

  @Test func soundsRiseAndFallByTheEnvelopeOfTheirAdjusters() throws {
    // 91 ms at 0.5, by the law of haptic events.
    let half = HapticEnvelope.time(0.5, from: 0)
    let tone = AHAPEvent(
      .audioContinuous, time: 1, duration: 1, parameters: [.audioVolume: 0.5, .attackTime: 0.5, .releaseTime: 0.2])
    var boom = AHAPEvent(.audioCustom, time: 0, parameters: [.attackTime: 0.5, .sustained: 0, .decayTime: 0.5])
    boom.waveformPath = "boom.wav"
    var flat = boom
    flat.waveformUsesEnvelope = false
    flat.time = 0.1
    let pattern = HapticPattern(
      AHAPDocument(
        events: [tone, boom, flat],
        controls: [curve(.audioReleaseTime, 0, [(0, 0), (2, 0.3)]), curve(.attackTime, 0, [(0, 1)])]))
    let events = pattern.audioEvents
    try #require(events.count == 3)
    let middle = Interval(nanoseconds: half / 2)
    #expect(abs(events[0].level(at: middle).gain - 0.5) < 1e-6)
    #expect(events[0].length == Interval(nanoseconds: half + HapticEnvelope.time(0.5, from: 0.02)))
    #expect(events[1].level(at: .ms(100)).gain == 1 && events[1].length == nil)
    #expect(abs(events[2].level(at: .seconds(1) + middle).gain - 0.25) < 1e-6)
    #expect(abs(events[2].level(at: .seconds(2) + middle).gain - 0.25) < 1e-6)
    #expect(events[2].length == .seconds(1) + Interval(nanoseconds: half))
    #expect(pattern.duration == .seconds(2) + Interval(nanoseconds: half))
  }
}
