// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Testing
import Wire

@testable import CommandLineTool

@Suite struct ChapterTests {
  private let started = RhythmStart.Result(
    chapter: "firewall", startUs: 10_000_000, endUs: 55_000_000, beats: 32, lanes: ["left", "right", "top"],
    windowUs: 150_000, spawnLeadUs: 2_000_000)

  @Test func theBoardShowsWhatIsAheadInItsLane() {
    var board = ChapterBoard(started)
    board.take(.musicChanged(MusicChanged(change: .started, track: "main", positionUs: 0)), tUs: 10_000_000)
    board.take(.rhythmSpawn(RhythmSpawn(beat: 1, lane: "right", beatUs: 12_000_000)), tUs: 10_000_000)
    board.take(.hapticsLevel(HapticsLevel(intensity: 0.5, sharpness: 0.2)), tUs: 10_000_000)
    #expect(
      board.frame(atUs: 11_000_000, width: 44, style: .plain) == [
        "  window ±150 ms   0 hits, 0 misses",
        "  left   ──◎──────────────────────────────",
        "  right  ──◎──────────────●───────────────",
        "  top    ──◎──────────────────────────────",
        "  felt   ▕██████████▌          ▏ 0.50",
      ])
  }

  @Test(arguments: [
    (80, "  window ±300 ms   0 hits, 0 misses, 0 ghosts   ♪ audio_bgm_finale 0:01.0"),
    (60, "  window ±300 ms   0 hits, 0 misses, 0 ghosts   ♪ 0:01.0"),
    (50, "  window ±300 ms   0 hits, 0 misses, 0 ghosts"), (40, "  window ±300 ms   0 hits, 0 misses"),
    (20, "  window ±300 ms"), (12, "  ±300 ms"),
  ]) func theWindowIsSeenHoweverNarrowTheTerminal(width: Int, heading: String) {
    var board = ChapterBoard(started)
    board.take(
      .musicChanged(MusicChanged(change: .started, track: "starlight-sync:audio_bgm_finale", positionUs: 0)),
      tUs: 10_000_000)
    board.take(.rhythmAssist(RhythmAssist(windowUs: 300_000)), tUs: 10_000_000)
    #expect(board.frame(atUs: 11_000_000, width: width, style: .plain)[0] == heading)
  }

  @Test func theBoardCountsAndForgetsWhatIsJudged() {
    var board = ChapterBoard(started)
    board.take(.rhythmSpawn(RhythmSpawn(beat: 0, lane: "left", beatUs: 11_000_000)), tUs: 9_000_000)
    board.take(
      .rhythmJudgement(RhythmJudgement(verdict: .hit, beat: 0, lane: "left", errorUs: 5, misses: 2)), tUs: 11_000_005)
    board.take(
      .rhythmJudgement(RhythmJudgement(verdict: .ghost, beat: nil, lane: "left", errorUs: nil, misses: 2)),
      tUs: 12_000_000)
    board.take(.rhythmAssist(RhythmAssist(windowUs: 300_000)), tUs: 12_000_000)
    #expect(board.ahead.isEmpty)
    #expect([board.hits, board.misses, board.ghosts] == [1, 2, 1])
    #expect(board.windowUs == 300_000)
  }

  @Test func theLogHasOneLineForEachThingThatHappens() {
    var log = ChapterLog(startUs: 10_000_000, windowUs: 150_000, style: .plain)
    func line(_ told: Event.Notification, at tUs: Int64) -> String? { log.line(told, tUs: tUs, arrivalUs: tUs) }
    #expect(
      line(.rhythmSpawn(RhythmSpawn(beat: 0, lane: "left", beatUs: 10_706_000)), at: 8_706_000)
        == " -0:01.3  spawn    0 left    due in 2.0 s")
    #expect(line(.rhythmBeat(RhythmBeat(beat: 11, lane: nil)), at: 10_706_000) == "  0:00.7  beat    11")
    #expect(
      line(
        .rhythmJudgement(RhythmJudgement(verdict: .miss, beat: 0, lane: "left", errorUs: nil, misses: 1)),
        at: 10_856_000)
        == "  0:00.9  miss     0 left    1 miss so far")
    #expect(
      line(.rhythmAssist(RhythmAssist(windowUs: 300_000)), at: 16_600_000)
        == "  0:06.6  assist             the window is ±300 ms from here on")
    #expect(
      line(
        .musicChanged(
          MusicChanged(change: .crossfaded, track: "finale", from: "main", fadeUs: 2_000_000, positionUs: 0)),
        at: 27_000_000) == "  0:17.0  music              cross-fade from main to finale over 2.00 s")
    #expect(line(.hapticsLevel(HapticsLevel(intensity: 1, sharpness: 0)), at: 0) == nil)
  }

  @Test func whatIsToldAheadStandsWhereItWasTold() {
    var log = ChapterLog(startUs: 10_000_000, windowUs: 150_000, style: .plain)
    let begins = Event.Notification.musicChanged(MusicChanged(change: .started, track: "main", positionUs: 0))
    #expect(
      log.line(begins, tUs: 10_000_000, arrivalUs: 8_700_000) == " -0:01.3  music              main begins, in 1.3 s")
  }

  @Test func tapsAreShownInTheWindowInForce() {
    var log = ChapterLog(startUs: 0, windowUs: 150_000, style: .plain)
    let tap = RhythmTap.Result(verdict: .hit, beat: 5, errorUs: 75_000, tapUs: 7_840_000, stamp: .at)
    #expect(log.line(tap: tap, lane: "top") == "  0:07.8  tap      5 top      +75.0 ms [··········|····●·····] hit")
    _ = log.line(.rhythmAssist(RhythmAssist(windowUs: 300_000)), tUs: 0, arrivalUs: 0)
    #expect(log.line(tap: tap, lane: "top") == "  0:07.8  tap      5 top      +75.0 ms [··········|··●·······] hit")
    log.columns = 60
    #expect(log.line(tap: tap, lane: "top") == "  0:07.8  tap      5 top      +75.0 ms [·······|·●·····] hit")
    let ghost = RhythmTap.Result(verdict: .ghost, beat: nil, errorUs: nil, tapUs: 1_000_000, stamp: .at)
    #expect(
      log.line(tap: ghost, lane: "top") == "  0:01.0  tap        top     a ghost, in no beat's window: costs nothing")
    #expect(
      log.line(tap: ghost, lane: "top", due: "left")
        == "  0:01.0  tap        top     a ghost, the wrong lane, the beat is in left: costs nothing")
  }

  @Test func aTapInTheWrongLaneIsToldFromOneAtTheWrongTime() {
    var board = ChapterBoard(started)
    board.take(.rhythmSpawn(RhythmSpawn(beat: 0, lane: "left", beatUs: 11_000_000)), tUs: 9_000_000)
    board.take(.rhythmSpawn(RhythmSpawn(beat: 1, lane: "right", beatUs: 11_200_000)), tUs: 9_200_000)
    #expect(board.laneDue(atUs: 11_100_000, besides: "top") == "left")
    #expect(board.laneDue(atUs: 11_120_000, besides: "top") == "right")
    #expect(board.laneDue(atUs: 11_040_000, besides: "left") == nil)
    #expect(board.laneDue(atUs: 10_800_000, besides: "top") == nil)
  }

  @Test func aScoreSaysWhatItMeans() {
    let score = Score(
      hits: 20, misses: 12, ghosts: 3, remaining: 0, assisted: true, medianErrorUs: 34_000, meanErrorUs: 30_000,
      spreadUs: 11_000)
    #expect(
      scoreLines("firewall", score, byKeyboard: true) == [
        "firewall: 20 hits, 12 misses, 3 ghosts, windows widened",
        "tap error: median +34.0 ms, mean +30.0 ms, spread 11.0 ms (median absolute deviation)",
        "you tap 34 ms late, the keyboard's and the sound's delay included: a game would subtract that",
      ])
    // Taps of a program say nothing about the player.
    #expect(scoreLines("firewall", score).count == 2)
  }
}
