// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import HangingDisk
import Moments
import StarlightClient
import Testing
import Wire

/// The end of the real daemon where a disk that it writes to does not answer any more.
@Suite(.enabled(if: HangingDisk.isPossible, "needs root and /dev/fuse"), .timeLimit(.minutes(1)))
struct HangingDiskTests {
  /// What is written, and what is told of it where its disk hangs.
  enum File: CaseIterable {
    case record, hapticLog, journal, settings

    var told: String {
      switch self {
      case .record: "the recording PATH is not whole: writing to it hangs, so the last of it is missing"
      case .hapticLog: "haptic log PATH: writing to it hangs, so the last of it is missing"
      case .journal: "the journal PATH ends here: writing to it hangs, so the last of it is missing"
      case .settings: "the player's last settings are not kept in PATH/settings.json: writing to it hangs"
      }
    }
  }

  /// A daemon that writes all four files, those of `hanging` to a disk that does not answer any more.
  private func daemon(_ hanging: [File], _ disk: HangingDisk, _ folder: String) throws -> DaemonProcess {
    func place(_ file: File) -> String { hanging.contains(file) ? disk.path : folder }
    let daemon = try DaemonProcess(
      [
        "--device", "none", "--haptics", "none", "--record", place(.record) + "/file", "--haptic-log",
        place(.hapticLog) + "/felt", "--journal", place(.journal) + "/journal",
      ], packs: folder, environment: ["STATE_DIRECTORY=" + place(.settings)])
    let client = try daemon.connect()
    disk.hang()
    // Something for each of them.
    _ = try client.call(SettingsSet.self, SettingsSet.Params(musicVolume: 0.25))
    _ = try client.call(HapticsTransient.self, HapticsTransient.Params(intensity: 1, sharpness: 0.5))
    return daemon
  }

  @Test(arguments: File.allCases.map { [$0] } + [File.allCases])
  func itEndsTellsWhichFileAndGivesTheExitCode(hanging: [File]) throws {
    let folder = try makeTemporaryDirectory()
    defer { removeDirectory(folder) }
    let disk = try HangingDisk()
    let daemon = try daemon(hanging, disk, folder)
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 1)
    let names: [File: String] = [.record: "/file", .hapticLog: "/felt", .journal: "/journal", .settings: ""]
    for file in File.allCases {
      let path = (hanging.contains(file) ? disk.path : folder) + (names[file] ?? "")
      let told = file.told.replacingOccurrences(of: "PATH", with: path)
      #expect(daemon.log.contains(told) == hanging.contains(file), "\(daemon.log)")
    }
    #expect(access(daemon.socketPath, F_OK) != 0)
    if !hanging.contains(.settings) {
      let kept = try String(contentsOfFile: folder + "/settings.json", encoding: .utf8)
      #expect(kept.contains("0.25"))
    }
    disk.answerAgain()
  }

  /// Whoever sets a player's controls without end while nothing is written has what waits left out. The journal knows what was, and the run
  /// done again writes the same log.
  @Test func aLogWhoseDiskHangsLeavesOutWhatItCannotTakeAndItsRunIsTheSameAgain() throws {
    let folder = try makeTemporaryDirectory()
    defer { removeDirectory(folder) }
    let disk = try HangingDisk()
    let (felt, again, journal) = (disk.path + "/felt", folder + "/again", folder + "/journal")
    let daemon = try DaemonProcess(
      ["--device", "none", "--haptics", "none", "--haptic-log", felt, "--journal", journal], packs: folder)
    let client = try daemon.connect()
    let event: [String: JSONValue] = [
      "EventType": .string("HapticContinuous"), "Time": .number(0), "EventDuration": .number(1),
    ]
    let pattern = JSONValue.object(["Pattern": .array([.object(["Event": .object(event)])])])
    let playing = try client.call(HapticsPlay.self, HapticsPlay.Params(ahap: pattern, loop: true))
    let player = try #require(playing.player)
    /// Sets it to one value after another until the log is told as `reason`; how many times.
    func set(until reason: String?) throws -> Int {
      var count = 0
      repeat {
        for _ in 0..<256 {
          count += 1
          let value = Double(count % 100) / 100
          _ = try client.call(
            HapticsSendParameters.self, HapticsSendParameters.Params(player: player, intensity: value))
        }
      } while try client.call(EngineStatus.self, Empty()).problems.first { $0.kind == .logFailed }?.reason != reason
      return count
    }
    disk.hang()
    // So many may wait for as long as they like.
    let count = try set(until: "haptic log \(felt): its disk does not answer, and changes are left out")
    #expect(count > 4_000)
    disk.answerAgain()
    _ = try set(until: "haptic log \(felt): changes are missing in it: its disk did not answer for a while")
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 1)
    let tool = try runTool(["replay", journal, "--haptic-log", again], socket: daemon.socketPath)
    #expect(tool.code == 0, "\(tool.output)")
    let (first, second) = (
      try String(contentsOfFile: felt, encoding: .utf8), try String(contentsOfFile: again, encoding: .utf8)
    )
    #expect(first == second && first.contains("\n"))
  }

  /// What the thread that keeps the device remembers of it is on that disk, and the device answers.
  @Test func whatIsRememberedOfADeviceIsToldByItsFileAndNotAsADeviceThatHangs() throws {
    let folder = try makeTemporaryDirectory()
    defer { removeDirectory(folder) }
    let disk = try HangingDisk()
    let daemon = try DaemonProcess(
      ["--device", "null", "--haptics", "none"], packs: folder, environment: ["STATE_DIRECTORY=" + disk.path])
    let client = try daemon.connect()
    disk.hang()
    _ = try client.call(DevicesSet.self, DevicesSet.Params(device: "null", deviceLeadUs: 5_000))
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 1)
    #expect(
      daemon.log.contains(
        "how late the sound device is heard is not kept in \(disk.path)/leads: writing to it hangs, so the last of it is missing"
      ), "\(daemon.log)")
    #expect(!daemon.log.contains("did not answer within"), "\(daemon.log)")
    disk.answerAgain()
  }

  /// Lines of the log go to a file on that disk: nobody waits for them, and what is asked is answered.
  @Test func aLogOnADiskThatHangsHoldsUpNobody() throws {
    let folder = try makeTemporaryDirectory()
    defer { removeDirectory(folder) }
    let disk = try HangingDisk()
    let log = disk.path + "/log"
    let daemon = try DaemonProcess(
      ["--device", "none", "--haptics", "none"], packs: folder, limits: "exec 2>\(log)")
    let client = try daemon.connect()
    disk.hang()
    for _ in 0..<3 {
      daemon.signal(SIGHUP)
      _ = try client.call(ClockNow.self, Empty())
    }
    disk.answerAgain()
    // What waited is written.
    while case let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? "", !text.contains("SIGHUP") {
      _ = try client.call(ClockNow.self, Empty())
    }
    disk.hang()
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    disk.answerAgain()
  }
}
