// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import StarlightClient
import Wire

/// The real daemon on a stepped clock with the probes of one pack, recording all that is heard and felt.
package final class MomentStage {
  package let table: MomentTable
  package let probes: ProbePack
  package let connection: StarlightConnection
  /// The instant of frame 0.
  package let zero: Int64
  package private(set) var nowUs: Int64
  private let daemon: DaemonProcess
  private let directory: String

  package init(_ table: MomentTable) throws {
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
  package func step(to instant: Int64) throws -> [ReceivedNotification] {
    nowUs = try connection.call(ClockStep.self, ClockStep.Params(toUs: instant), timeoutUs: 60_000_000).nowUs
    var received: [ReceivedNotification] = []
    while let notification = try connection.nextNotification(timeoutUs: 0) { received.append(notification) }
    return received
  }

  /// The next instant that is a whole tenth of a second after frame 0, and far enough ahead that what plays half a second
  /// before it can be planned.
  package var nextBeginning: Int64 { zero + ((nowUs - zero) / 100_000 + 8) * 100_000 }

  /// The problems that the daemon tells of, those of the pack among them.
  package func problems() throws -> [String] {
    let status = try connection.call(EngineStatus.self, Empty())
    return status.problems.map(\.description)
  }

  /// Parameters that are not as they were before anybody set them, or will not be.
  package func movedParameters() throws -> [String] {
    try connection.listParameters().parameters
      .filter { $0.value != $0.default || $0.target != $0.default || $0.planned > 0 }
      .map { "\($0.parameter) is \($0.value), on its way to \($0.target)" }
  }

  /// What of a cue is yet to come; none of it comes any more.
  package func callOff(_ cue: Int64) throws -> [String] {
    try connection.call(CueStop.self, CueStop.Params(id: cue)).calledOff
  }

  /// Ends music and all that is felt, and lets it be over: from the instant that is answered on nothing of it is left.
  @discardableResult
  package func clear() throws -> Int64 {
    let music = try connection.call(MusicStop.self, MusicStop.Params(fadeUs: 0)).scheduledUs + 5_000
    let felt = try connection.call(HapticsStop.self, HapticsStop.Params()).scheduledUs
    try step(to: max(nowUs + 100_000, music, felt))
    return max(music, felt)
  }

  /// Ends the daemon: both channels of what was heard, and what was felt, counted from frame 0.
  package func end() throws -> (left: [Float], right: [Float], felt: [FeltLevel]) {
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
