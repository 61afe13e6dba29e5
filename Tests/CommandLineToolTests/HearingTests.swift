// SPDX-License-Identifier: Apache-2.0

import IdleStatus
import Testing
import Wire

@testable import CommandLineTool

/// What is said of what is heard, and why where nothing is.
@Suite struct HearingTests {
  private func settings(_ change: (inout Settings) -> Void = { _ in }) -> Settings {
    var settings = Settings()
    change(&settings)
    return settings
  }

  @Test func nothingIsSaidToBeHeardWhereNothingSounds() {
    let silent: [(audio: EngineStatus.Audio.Kind, settings: Settings, why: String)] = [
      (.alsa, settings { $0.music = false }, "not heard: music is switched off, `starlight settings music=on`"),
      (
        .alsa, settings { $0.masterVolume = 0 },
        "not heard: the volume of everything is 0, `starlight settings master=1`"
      ),
      (.alsa, settings { $0.musicVolume = 0 }, "not heard: the volume of music is 0, `starlight settings music=1`"),
      (.stepped, settings(), "not heard: the clock is stepped"),
      (.null, settings(), "no sound device: heard nowhere"),
    ]
    for (audio, settings, why) in silent {
      let hearing = Hearing(audio: audio, settings, .music)
      #expect(hearing.silence == why)
      #expect(hearing.text(1_000) == why)
      #expect(hearing.note(1_000) == "")
    }
  }

  @Test func speechHasAVolumeOfItsOwnAndTheSwitchOfSounds() {
    let mute = Hearing(audio: .alsa, settings { $0.voiceVolume = 0 }, .voice)
    #expect(mute.silence == "not heard: the volume of voice is 0, `starlight settings voice=1`")
    #expect(Hearing(audio: .alsa, settings { $0.soundVolume = 0 }, .voice).silence == nil)
    #expect(Hearing(audio: .alsa, settings { $0.voiceVolume = 0 }, .sound).silence == nil)
    let off = Hearing(audio: .alsa, settings { $0.sound = false }, .voice)
    #expect(off.silence == "not heard: sound is switched off, `starlight settings sound=on`")
  }

  @Test func nothingIsHeardWhileTheEngineStands() {
    let hearing = Hearing(audio: .alsa, settings(), .music, isPaused: true)
    #expect(hearing.text(1_000) == "not heard until the engine goes on: it is paused")
  }

  @Test func aCueIsHeardByWhatItHolds() {
    var status = EngineStatus.Result.idle(device: "default", kind: .alsa)
    status.settings.music = false
    #expect(Hearing(status, onAnyOf: [.music]).silence?.contains("music is switched off") == true)
    #expect(Hearing(status, onAnyOf: [.music, .sound]).silence == nil)
    status.settings = settings { ($0.sound, $0.voiceVolume) = (false, 0) }
    #expect(Hearing(status, onAnyOf: [.music]).silence == nil)
    #expect(Hearing(status, onAnyOf: [.sound, .voice]).silence?.contains("sound is switched off") == true)
    #expect(Hearing(status, onAnyOf: []).silence == nil)
    status.paused = PauseState(atUs: 0, clients: 1, sleep: false)
    #expect(Hearing(status, onAnyOf: [.music]).silence?.contains("paused") == true)
  }

  @Test func whatIsOffForOneIsHeardOfTheOther() {
    let quiet = settings { ($0.sound, $0.musicVolume) = (false, 0) }
    #expect(Hearing(audio: .alsa, quiet, .sound).silence?.contains("sound is switched off") == true)
    #expect(Hearing(audio: .alsa, quiet, .music).silence?.contains("volume of music") == true)
    #expect(Hearing(audio: .alsa, settings { $0.sound = false }, .music).silence == nil)
    #expect(Hearing(audio: .alsa, settings { $0.music = false }, .sound).text(0).hasPrefix("heard"))
  }
}
