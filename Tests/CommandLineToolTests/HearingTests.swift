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
    var status = Self.status
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

  /// Of a daemon with a sound device, all on.
  private static let status = EngineStatus.Result(
    nowUs: 0, clock: .live, uptimeUs: 0, version: "test",
    audio: EngineStatus.Audio(
      device: "default", kind: .alsa, message: "", rate: 48_000, periodFrames: 256, bufferFrames: 1_024,
      scheduling: .other, leadUs: 0, framesRendered: 0, xruns: 0, lateStarts: 0, activeVoices: 0, peak: 0),
    haptics: [],
    music: MusicStatus.Result(
      state: .stopped, track: nil, positionUs: nil, atUs: 0, durationUs: nil, bpm: nil, fading: [],
      timeline: Timeline(frame: 0, instantUs: 0, framesPerSecond: 48_000, errorUs: 0)),
    rhythm: RhythmStatus.Result(
      chapter: nil, running: false,
      score: Score(
        hits: 0, misses: 0, ghosts: 0, remaining: 0, assisted: false, medianErrorUs: nil, meanErrorUs: nil,
        spreadUs: nil),
      positionUs: nil),
    settings: Settings(), clients: 1,
    resources: EngineStatus.Resources(residentBytes: 0, peakResidentBytes: 0, cpuUs: 0), problems: [])
}
