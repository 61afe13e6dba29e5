// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Testing
import Wire

@testable import CommandLineTool

@Suite struct DescribingTests {
  private func line(_ method: String, _ fields: String) throws -> ReceivedNotification {
    let text = "{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":{\"seq\":1,\"tUs\":5000000\(fields)}}"
    return try #require(ReceivedNotification(line: Array(text.utf8)))
  }

  @Test(arguments: [
    (
      "rhythm.judgement",
      ",\"verdict\":\"hit\",\"beat\":4,\"lane\":\"top\",\"errorUs\":-12300,\"misses\":0,\"combo\":1,\"run\":2",
      "hit beat 4 top, -12.3 ms"
    ),
    ("rhythm.judgement", ",\"verdict\":\"ghost\",\"lane\":\"top\",\"misses\":0,\"combo\":0,\"run\":2", "ghost top"),
    ("rhythm.spawn", ",\"beat\":0,\"lane\":\"left\",\"beatUs\":7000000,\"run\":2", "beat 0 left comes into sight"),
    (
      "rhythm.changed",
      ",\"change\":\"resumed\",\"chapter\":\"tap\",\"run\":2,\"startUs\":1,\"positionUs\":3,\"movedUs\":2500000",
      "tap goes on, 2.50 s later than planned"
    ),
    ("music.changed", ",\"change\":\"started\",\"track\":\"main\"", "main begins"),
    ("music.changed", ",\"change\":\"crossfaded\",\"track\":\"main\",\"from\":\"main\"", "main begins again"),
    (
      "music.changed",
      ",\"change\":\"crossfaded\",\"track\":\"main\",\"from\":\"finale\",\"fadeUs\":3000000,\"fadeOutUs\":1500000",
      "cross-fade from finale to main over 3.00 s, out over 1.50 s"
    ),
    ("haptics.changed", ",\"player\":3,\"source\":\"thud\",\"change\":\"finished\"", "thud (player 3) finished"),
    ("sound.finished", ",\"id\":7,\"sound\":\"sfx_click\",\"reason\":\"stolen\"", "sfx_click (id 7) stolen"),
    (
      "cue.fired",
      ",\"id\":3,\"cue\":\"alarm\",\"skipped\":[{\"kind\":\"soundOff\",\"step\":\"sound x\",\"reason\":\"off\"}],\"chosen\":[]",
      "alarm, skipped sound x: off"
    ),
    (
      "cue.cancelled", ",\"id\":3,\"cue\":\"game:alarm\",\"reason\":\"stopped\",\"tooLate\":[]",
      "game:alarm (id 3) is called off: stopped"
    ),
    (
      "music.cancelled", ",\"plan\":7,\"verb\":\"play\",\"reason\":\"chapter\",\"plannedUs\":1",
      "play (plan 7) is called off: chapter"
    ),
    ("parameter.changed", ",\"parameter\":\"menu\",\"value\":0.5,\"overUs\":250000", "menu to 0.50 over 250.0 ms"),
    (
      "settings.changed",
      ",\"settings\":{\"music\":true,\"sound\":false,\"haptics\":true,\"masterVolume\":1,\"musicVolume\":1,\"soundVolume\":1,\"voiceVolume\":1,\"hapticsVolume\":1,"
        + "\"profile\":\"player\",\"judgingOffsetUs\":0,\"profiles\":[]}",
      "music on, sound off, haptics on"
    ),
    (
      "devices.changed",
      ",\"audio\":\"playing on default\",\"haptics\":[{\"name\":\"Pad\",\"kind\":\"evdev\",\"leadUs\":35000,"
        + "\"path\":\"/e7\",\"capabilities\":[],\"state\":\"ready\",\"gain\":1}]",
      "playing on default; Pad at /e7, told 35 ms ahead"
    ),
    ("devices.changed", ",\"audio\":\"silent\"", "silent"),
    ("some.news", ",\"x\":1", "{\"seq\":1,\"tUs\":5000000,\"x\":1}"),
  ])
  func notificationsReadLikeSentences(method: String, fields: String, text: String) throws {
    let notification = try line(method, fields)
    #expect(describe(Event.Notification(notification), line: notification.line) == text)
  }

  /// By the numbers of the socket, as `explain` takes them.
  @Test func beatsOfTheMusicAreCountedFromZero() {
    var beat = MusicBeat(track: "game:main", beat: 0, bar: 0, beatInBar: 0, count: 8, bpm: 120)
    #expect(describe(.musicBeat(beat), line: []) == "beat 0, bar 0 of game:main")
    #expect(beatLine(.musicBeat(beat), lateUs: 300) == "● beat 0    bar 0    game:main, 120.0 BPM, +0.3 ms")
    (beat.beat, beat.bar, beat.beatInBar) = (13, 3, 1)
    #expect(beatLine(.musicBeat(beat), lateUs: 300) == "  beat 13   bar 3    game:main, 120.0 BPM, +0.3 ms")
    let recalled = MusicBeatRecalled(track: "game:main", beat: 13, count: 13, beatUs: 1)
    #expect(describe(.musicBeatRecalled(recalled), line: []) == "beat 13 of game:main will not be heard then")
  }

  @Test func aCueTellsOneSetOfNumbers() {
    let fired = CueFire.Result(
      cue: "game:lock", scheduledUs: 1_000_000, lateUs: 0, soundAtUs: 1_014_600, hapticAtUs: 999_800, skewUs: -14_800,
      skipped: [], id: 1)
    func line(_ outputs: [EngineStatus.HapticOutput.Kind]) -> [String] {
      cueLines("lock", fired, askedUs: 1_000_000, outputs: outputs)
    }
    #expect(line([.null, .evdev]) == ["lock: heard in 14.6 ms, felt 14.8 ms before it"])
    #expect(line([.null]) == ["lock: heard in 14.6 ms, no pad: felt nowhere"])
    #expect(line([.null, .log]) == ["lock: heard in 14.6 ms, written to the haptic log"])
    let silent = CueFire.Result(
      cue: "game:lock", scheduledUs: 1_020_000, lateUs: 0, soundAtUs: nil, hapticAtUs: nil, skewUs: nil,
      skipped: [CueSkip(.unknownName, step: "music.play x", reason: "no track x")], id: 1)
    #expect(
      cueLines("lock", silent, askedUs: 1_000_000, outputs: []) == [
        "lock: due in 20.0 ms", "  skipped: music.play x: no track x",
      ])
  }

  @Test func aSuppressedCueSaysSo() {
    let suppressed = CueFire.Result(
      cue: "game:lock", scheduledUs: 1_020_000, lateUs: 0, soundAtUs: nil, hapticAtUs: nil, skewUs: nil, skipped: [],
      suppressed: true,
      id: nil)
    #expect(
      cueLines("lock", suppressed, askedUs: 1_000_000, outputs: [.evdev])
        == ["lock: suppressed, it was fired within its cooldown"])
  }

  @Test func aChapterThatIsPausedIsSaidToBe() {
    let score = Score(
      hits: 2, misses: 0, ghosts: 0, remaining: 3, assisted: false, medianErrorUs: nil, meanErrorUs: nil, spreadUs: nil)
    var status = RhythmStatus.Result(
      chapter: "game:tap", running: true, score: score, positionUs: 12_300_000, run: 1)
    #expect(
      chapterLines("game:tap", status) == ["game:tap, at 0:12.3: 2 hits, 0 misses, 0 ghosts, 3 to come"])
    status.pausedUs = 5
    #expect(
      chapterLines("game:tap", status) == [
        "game:tap, paused at 0:12.3: 2 hits, 0 misses, 0 ghosts, 3 to come",
        "it is paused: `starlight rhythm resume` lets it go on",
      ])
    status.running = false
    #expect(chapterLines("game:tap", status)[0].hasPrefix("game:tap, over: "))
  }

  @Test func whatIsFeltNowhereIsNotSaidToBeFelt() {
    #expect(felt(0, [.null]) == "no pad: felt nowhere")
    #expect(felt(0, [.log]) == "written to the haptic log")
    #expect(felt(0, [.log, .evdev]) == "felt in 0.0 ms")
  }

  @Test func hapticOutputsAreToldWithWhatTheyAre() {
    func text(_ outputs: EngineStatus.HapticOutput...) -> [String] { hapticsTexts(outputs) }
    #expect(
      text(.init(name: "null", kind: .null, leadUs: 0)) == [
        "nothing is felt: no pad with force feedback is used; `starlight doctor` says why"
      ])
    #expect(
      text(
        .init(name: "h.ndjson", kind: .log, leadUs: 0),
        .init(name: "Pad", kind: .evdev, leadUs: 35_000, path: "/e7", state: .denied, gain: 0.5)) == [
          "h.ndjson: all that is felt is written there", "Pad at /e7, denied, told 35 ms ahead, gain 0.50",
        ])
  }

  @Test func aWatchedLineHasItsInstantAndItsName() {
    #expect(
      watchLine("rhythm.beat", "beat 0 left", sinceUs: 1_234_567, .plain)
        == "    1.235  rhythm.beat        beat 0 left")
  }
}
