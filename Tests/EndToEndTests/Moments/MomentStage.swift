// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import StarlightClient
import Wire

/// The real daemon on a stepped clock with the probes of one pack, recording all that is heard and felt.
final class MomentStage {
  let table: MomentTable
  let probes: ProbePack
  let connection: StarlightConnection
  /// The instant of frame 0.
  let zero: Int64
  private(set) var nowUs: Int64
  private let daemon: DaemonProcess
  private let directory: String

  init(_ table: MomentTable) throws {
    self.table = table
    directory = try makeTemporaryDirectory()
    probes = try ProbePack(table, in: directory)
    daemon = try DaemonProcess(
      ["--clock", "stepped", "--record", directory + "/out.wav", "--haptic-log", directory + "/felt"],
      packs: probes.folder)
    connection = try daemon.connect()
    let clock = try connection.call(ClockNow.self, Empty())
    zero = clock.timeline.instantUs - clock.timeline.frame * 1_000_000 / 48_000
    nowUs = clock.nowUs
    _ = try connection.call(EventsSubscribe.self, EventsSubscribe.Params())
  }

  deinit { removeDirectory(directory) }

  /// Lets time pass to `instant`; answers every notification on the way.
  @discardableResult
  func step(to instant: Int64) throws -> [ReceivedNotification] {
    nowUs = try connection.call(ClockStep.self, ClockStep.Params(toUs: instant), timeoutUs: 60_000_000).nowUs
    var received: [ReceivedNotification] = []
    while let notification = try connection.nextNotification(timeoutUs: 0) { received.append(notification) }
    return received
  }

  /// The next instant that is a whole second after frame 0, and far enough ahead to plan for.
  var nextSecond: Int64 { zero + ((nowUs - zero) / 1_000_000 + 2) * 1_000_000 }

  /// The problems that the daemon tells of, those of the pack among them.
  func problems() throws -> [String] {
    let status = try connection.call(EngineStatus.self, Empty())
    return status.problems.map(\.description)
  }

  /// Ends all that sounds and is felt, and lets it be over.
  func clear() throws {
    _ = try connection.call(MusicStop.self, MusicStop.Params(fadeUs: 0))
    _ = try connection.call(HapticsStop.self, HapticsStop.Params())
    try step(to: nowUs + 300_000)
  }

  /// Ends the daemon: both channels of what was heard, and what was felt, counted from frame 0.
  func end() throws -> (left: [Float], right: [Float], felt: [FeltLevel]) {
    daemon.signal(SIGTERM)
    guard daemon.wait() == 0 else { throw ProcessFailure("starlightd failed: \(daemon.log)") }
    struct Line: Decodable {
      var tUs: Int64
      var intensity: Double
      var sharpness: Double
    }
    let text = try String(contentsOfFile: directory + "/felt", encoding: .utf8)
    let felt = try text.split(separator: "\n").map {
      let line = try JSONDecoder().decode(Line.self, from: Data($0.utf8))
      return FeltLevel(us: line.tUs - zero, intensity: line.intensity, sharpness: line.sharpness)
    }
    let file = try WaveFile(directory + "/out.wav")
    return (file.channel(0), file.channel(1), felt)
  }
}
