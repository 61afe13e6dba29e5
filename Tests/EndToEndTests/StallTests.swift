// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// A daemon that is stopped for a while, as by a debugger or a machine that freezes.
@Suite struct StallTests {
  private static func pack(in directory: String) throws -> String {
    let pack = directory + "/packs/stall"
    try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
    try WaveFile.write(pack + "/track.wav", seconds: 3) { _ in 0 }
    let manifest = """
      {"name": "stall", "title": "Stall", "version": "1", "tracks": {"track": {"file": "track.wav"}},
       "chapters": {"a": {"title": "A", "track": "track", "length": 60, "spawnLead": 0,
                          "beats": [{"at": 0.3}, {"at": 0.7}, {"at": 55}]}}}
      """
    try Data(manifest.utf8).write(to: URL(filePath: pack + "/pack.json"))
    return directory + "/packs"
  }

  /// Stops the daemon before the first beat of a chapter that is to begin, however slow the machine is; when it begins.
  private static func stop(_ daemon: DaemonProcess, beforeAChapterOf connection: StarlightConnection) throws -> Int64 {
    var aheadUs: Int64 = 2_500_000
    while true {
      let now = try connection.call(ClockNow.self, Empty()).nowUs
      let start = try connection.call(RhythmStart.self, RhythmStart.Params(chapter: "a", atUs: now + aheadUs)).startUs
      daemon.signal(SIGSTOP)
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      if Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000 < start - 500_000 { return start }
      daemon.signal(SIGCONT)
      _ = try connection.call(RhythmStop.self, RhythmStop.Params())
      aheadUs *= 2
    }
  }

  @Test func aTapOfTheStallCountsAtItsStampAndABeatNobodyTappedIsVoid() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let daemon = try DaemonProcess(["--device", "none", "--haptics", "none"], packs: Self.pack(in: directory))
    let connection = try daemon.connect()
    let start = try Self.stop(daemon, beforeAChapterOf: connection)
    let tap = try connection.send(RhythmTap.self, RhythmTap.Params(atUs: start + 700_007))
    // However late it goes on, the first beats lie inside the stall.
    var end = timespec(tv_sec: Int((start + 1_500_000) / 1_000_000), tv_nsec: 0)
    end.tv_sec += 1
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nil) == EINTR {}
    daemon.signal(SIGCONT)
    #expect(try connection.result(of: RhythmTap.self, id: tap).verdict == .held)
    var score = try connection.call(RhythmStatus.self, Empty()).score
    while score.remaining > 1 { score = try connection.call(RhythmStatus.self, Empty()).score }
    #expect([score.hits, score.voided, score.misses, score.ghosts] == [1, 1, 0, 0])
    #expect(score.medianErrorUs == 7)
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    #expect(daemon.log.contains("control stood still for "))
  }

  /// However short a stop is: none is too short to be told of and too long for what was tapped in it.
  @Test(arguments: [250, 350, 450])
  func aTapOfAStopThatIsNoStallCountsAtItsStamp(stoppedMs: Int64) throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let daemon = try DaemonProcess(["--device", "none", "--haptics", "none"], packs: Self.pack(in: directory))
    let connection = try daemon.connect()
    let now = try connection.call(ClockNow.self, Empty()).nowUs
    let start = try connection.call(RhythmStart.self, RhythmStart.Params(chapter: "a", atUs: now + 500_000)).startUs
    let beat = start + 700_000
    sleep(untilUs: beat - 30_000)
    daemon.signal(SIGSTOP)
    let tap = try connection.send(RhythmTap.self, RhythmTap.Params(atUs: beat + 7))
    sleep(untilUs: beat - 30_000 + 1_000 * stoppedMs)
    daemon.signal(SIGCONT)
    let verdict = try connection.result(of: RhythmTap.self, id: tap).verdict
    // A slow machine makes a stall of it, or settles the first beat as late.
    #expect(verdict == .hit || verdict == .held)
    var score = try connection.call(RhythmStatus.self, Empty()).score
    while score.remaining > 1 { score = try connection.call(RhythmStatus.self, Empty()).score }
    #expect(score.hits == 1 && score.ghosts == 0)
    #expect(score.medianErrorUs == 7)
  }

  private func sleep(untilUs instant: Int64) {
    var time = timespec(tv_sec: Int(instant / 1_000_000), tv_nsec: Int(instant % 1_000_000) * 1_000)
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }
}
