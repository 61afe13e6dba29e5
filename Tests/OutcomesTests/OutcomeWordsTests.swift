// SPDX-License-Identifier: Apache-2.0

import Outcomes
import Testing

/// What clients read, and act on: a word that is spelled otherwise is another to them.
@Suite struct OutcomeWordsTests {
  @Test func whatWasPlannedDoesNotComeForOneOfTheseReasons() {
    #expect(
      CancelReason.allCases.map(\.rawValue) == [
        "cancelled", "stopped", "notPlaying", "busy", "chapterStopped", "chapterPaused", "chapter", "clientLeft",
        "unavailable", "outdated", "shutdown",
      ])
    #expect(
      CueSkip.Kind.allCases.map(\.rawValue) == [
        "soundOff", "hapticsOff", "calledOff", "tooFar", "unknownName", "unavailable", "notRunning", "busy",
        "heldByChapter",
      ])
  }

  @Test func whatPlaysEndsInOneOfTheseWays() {
    #expect(
      SoundEnd.allCases.map(\.rawValue) == [
        "ended", "stopped", "stolen", "cancelled", "skipped", "switchedOff", "outdated",
      ])
    #expect(
      HapticStopReason.allCases.map(\.rawValue) == [
        "requested", "disconnected", "replaced", "switchedOff", "outdated",
      ])
    #expect(
      MusicHappening.allCases.map(\.rawValue) == [
        "started", "crossfaded", "paused", "resumed", "stopped", "ended", "starved", "rejoined",
      ])
  }

  @Test func aLifeIsToldInTheseWords() {
    #expect(
      TraceKind.allCases.map(\.rawValue) == ["cue", "sound", "haptics", "music", "tap", "beat", "musicBeat"])
    #expect(
      LifeStage.allCases.map(\.rawValue) == [
        "received", "waited", "decoded", "planned", "handedOver", "answered", "rendered", "heard", "lost", "silent",
        "written", "told", "calledOff", "skipped", "stolen",
      ])
    #expect(
      Culprit.allCases.map(\.rawValue) == [
        "clientAskedLate", "clientDoesNotRead", "daemonStoodStill", "controlBusy", "controlDescheduled",
        "errandsBusy", "decoding", "audioBusy", "audioDescheduled", "soundDevice", "hapticDevice",
        "hapticDescheduled", "beatsDescheduled", "unknown",
      ])
  }

  @Test func stagesAreInTheOrderOfTheirWay() {
    #expect(LifeStage.received.order == 0)
    #expect(LifeStage.heard.order == 7)
    #expect(LifeStage.stolen.order == 14)
  }
}
