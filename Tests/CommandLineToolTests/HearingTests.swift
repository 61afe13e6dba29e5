// SPDX-License-Identifier: Apache-2.0

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

  @Test func whatIsOffForOneIsHeardOfTheOther() {
    let quiet = settings { ($0.sound, $0.musicVolume) = (false, 0) }
    #expect(Hearing(audio: .alsa, quiet, .sound).silence?.contains("sound is switched off") == true)
    #expect(Hearing(audio: .alsa, quiet, .music).silence?.contains("volume of music") == true)
    #expect(Hearing(audio: .alsa, settings { $0.sound = false }, .music).silence == nil)
    #expect(Hearing(audio: .alsa, settings { $0.music = false }, .sound).text(0).hasPrefix("heard"))
  }
}
