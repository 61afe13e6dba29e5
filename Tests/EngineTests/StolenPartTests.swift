// SPDX-License-Identifier: Apache-2.0

import Haptics
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// A sound whose brightness is steered has two voices, and the mixer may take one of them for another sound.
@Suite struct StolenPartTests {
  @Test func theVoiceThatIsLeftIsStillStopped() throws {
    let tone = """
      {"Pattern": [{"Event": {"Time": 0, "EventType": "AudioContinuous", "EventDuration": 1,
        "EventParameters": [{"ParameterID": "AudioBrightness", "ParameterValue": 0}]}}]}
      """
    var fixture = try EngineFixture { pack in
      pack.patterns["thud"] = HapticPattern(try AHAPDocument.parse(Array(tone.utf8), name: "tone").0)
    }
    _ = try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud"), by: .daemon)
    let voices = fixture.run(to: 1_200_000).soundStarts.map(\.id)
    #expect(voices.count == 2)
    fixture.engine.voiceFinished(voices[1], at: 9_000, .stolen)
    #expect(fixture.engine.holdings["sounds of patterns"] == 1)
    let stopped = fixture.run(to: 2_500_000).audio.compactMap { step -> VoiceID? in
      if case .steer(.stop(let voice, _, _)) = step { voice } else { nil }
    }
    #expect(stopped == [voices[0]])
    fixture.engine.voiceFinished(voices[0], at: 48_500, .stopped)
    #expect(fixture.engine.holdings["sounds of patterns"] == 0)
  }
}
