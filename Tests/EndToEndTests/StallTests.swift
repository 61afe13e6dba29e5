// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import StarlightClient
import Testing
import Wire

/// A daemon that is stopped for a while, as by a debugger or a machine that freezes.
@Suite struct StallTests {
  private static func pack(in directory: String) throws -> String {
    let pack = directory + "/packs/stall"
    try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
    try TestPack.writeWave(pack + "/track.wav", seconds: 3) { _ in 0 }
    let manifest = """
      {"name": "stall", "title": "Stall", "version": "1", "tracks": {"track": {"file": "track.wav"}},
       "chapters": {"a": {"title": "A", "track": "track", "length": 60, "spawnLead": 0,
                          "beats": [{"at": 0.3}, {"at": 0.7}, {"at": 55}]}}}
      """
    try Data(manifest.utf8).write(to: URL(filePath: pack + "/pack.json"))
    return directory + "/packs"
  }

  @Test func aTapOfTheStallCountsAtItsStampAndABeatNobodyTappedIsVoid() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let daemon = try DaemonProcess(["--device", "none", "--haptics", "none"], packs: Self.pack(in: directory))
    let connection = try daemon.connect()
    let now = try connection.call(ClockNow.self, Empty()).nowUs
    // Far enough ahead for the stop to come first however slow the machine is.
    let start = try connection.call(RhythmStart.self, RhythmStart.Params(chapter: "a", atUs: now + 2_500_000)).startUs
    daemon.signal(SIGSTOP)
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
    #expect(daemon.log.contains("control stood still for "))
  }
}
