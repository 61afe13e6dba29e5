// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CommandLineTool

@Suite struct DemoReportTests {
  private var good: DemoReport {
    var report = DemoReport()
    report.beatsTold = 13
    report.spawns = 14
    report.hits = 8
    report.misses = 5
    report.ghosts = 1
    report.assisted = true
    report.assistDue = 10
    report.levels = 40
    report.tapErrorsUs = [10_000, -2_000]
    report.wideErrorsUs = [201_000]
    report.beatLatenessUs = [100, 300, 200]
    report.readyUs = 85_000
    report.peak = 0.707
    report.peakResidentBytes = 24_100_000
    report.cpuUs = 400_000
    report.uptimeUs = 20_000_000
    report.daemonEnd = "exit code 0"
    report.files = [.init(path: "demo.wav", bytes: 3_800_000, holds: "all that was played")]
    return report
  }

  @Test func saysEverythingThatWasMeasured() {
    #expect(
      good.lines(style: .plain) == [
        "", "Summary",
        "  beats    13: 8 hits, 5 misses, 1 ghost, windows widened",
        "  taps     mean error +4.0 ms, standard deviation 6.0 ms over 2 near taps",
        "           wide on purpose, yet hits in the widened window: +201.0 ms",
        "  told     beats arrived 0.30 ms after their instant at most, 0.20 ms on average",
        "  audio    0 xruns, peak 0.71 of 1",
        "  daemon   ready in 85 ms, peak memory 24.1 MB, 400 ms of processor time (2.0 % of a core), exit code 0",
        "  written  demo.wav (3.8 MB): all that was played",
      ])
  }

  @Test func aPeakThatTheLimiterHeldDownIsSaidToBeBeforeIt() {
    var report = good
    report.peak = 1.1
    #expect(report.lines(style: .plain).contains("  audio    0 xruns, peak 1.10 before the limiter"))
  }

  @Test func aFinaleThatIsNotHeardIsAFailureAndMusicThatFellSilentIsTold() {
    var report = good
    report.skipped = ["starlight-sync:finale: music audio_bgm_finale: unavailable"]
    report.silences = 2
    report.judge(interrupted: false)
    #expect(
      report.failures == [
        "the finale was not as it should be: starlight-sync:finale: music audio_bgm_finale: unavailable"
      ])
    #expect(
      report.lines(style: .plain).contains(
        "  audio    0 xruns, peak 0.71 of 1; the music fell silent 2 times, as this machine was too busy"))
  }

  @Test func aGoodRunHasNoFailures() {
    var report = good
    report.judge(interrupted: false)
    #expect(report.failures == [])
  }

  @Test func namesWhatDidNotHappen() {
    var report = DemoReport()
    report.daemonEnd = "killed by signal 11"
    report.files = [.init(path: "demo.wav", bytes: 44, holds: "")]
    report.judge(interrupted: false)
    #expect(
      report.failures == [
        "no beat was told of", "no beat came into sight", "demo.wav is empty",
        "starlightd ended with killed by signal 11",
      ])
    #expect(report.lines(style: .plain).contains("  FAILED: no beat was told of"))
  }

  @Test func missingHitsMatterOnlyOnceThereWasTimeForThem() {
    var report = good
    report.hits = 0
    report.assisted = false
    report.levels = 0
    report.judge(interrupted: false)
    #expect(
      report.failures == [
        "not one tap was a hit", "the window was not widened after the misses", "no haptic level was told of",
      ])
    report.failures = []
    report.beatsTold = 5
    report.files.append(.init(path: "haptics.ndjson", bytes: 0, holds: ""))
    report.judge(interrupted: false)
    #expect(report.failures == [])
  }

  @Test func theShareOfACoreNeedsASecondToMeanAnything() {
    var report = good
    report.uptimeUs = 400_000
    #expect(
      report.lines(style: .plain).contains(
        "  daemon   ready in 85 ms, peak memory 24.1 MB, 400 ms of processor time, exit code 0"))
  }

  @Test func theSummaryFitsTheTerminal() {
    for line in good.lines(style: .plain, width: 60) { #expect(line.count <= 60) }
  }

  @Test func theProgramsAreNamedAsTheyAreTyped() {
    let next = DemoReport.next(daemon: "out/starlightd", tool: "starlight", recording: "d/demo.wav").map { $0[0] }
    #expect(next.first == "out/starlightd --pack starlight-sync")
    #expect(next.contains("starlight watch"))
    #expect(next.last == "aplay d/demo.wav")
  }

  @Test func aDemoThatIsTooShortIsRefused() {
    #expect(runStarlight(arguments: ["demo", "--seconds", "4.9"]) == 2)
  }

  @Test func aRunThatWasInterruptedIsNotJudged() {
    var report = DemoReport()
    report.judge(interrupted: true)
    #expect(report.failures == [])
  }
}
