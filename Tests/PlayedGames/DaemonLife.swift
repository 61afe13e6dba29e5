// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Wire

/// A real daemon on the stepped clock from its start to its end: what it recorded, and what it told somebody who only listens.
final class DaemonLife {
  /// The instant of frame 0.
  let zero: Int64
  private(set) var told: [ReceivedNotification] = []
  /// Whether it was killed, so that its recording breaks off.
  private(set) var wasKilled = false
  /// Where its clock stood when it was asked to end; what comes after is its own leaving. Nil where it was killed.
  private(set) var endUs: Int64?
  private let daemon: DaemonProcess
  private let observer: StarlightConnection
  private let directory: String

  /// Starts it with these packs at this socket; it records in `directory`.
  init(packs: String, socket: String, in directory: String) throws {
    self.directory = directory
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    daemon = try DaemonProcess(
      ["--clock", "stepped", "--record", directory + "/heard.wav", "--haptic-log", directory + "/felt.ndjson"],
      packs: packs, socket: socket)
    observer = try daemon.connect()
    let clock = try observer.call(ClockNow.self, Empty())
    zero = clock.timeline.instantUs - clock.timeline.frame * 1_000_000 / 48_000
    let topics: [Topic] = [.cue, .music, .sound, .rhythm, .parameter, .settings, .engine]
    _ = try observer.call(EventsSubscribe.self, EventsSubscribe.Params(topics: topics))
  }

  /// Takes what was told; waits for it 5 ms at most.
  func listen() {
    var wait: Int64 = 5_000
    while let notification = try? observer.nextNotification(timeoutUs: wait) {
      told.append(notification)
      wait = 0
    }
  }

  /// As a crash would, from one instant to the next.
  func kill() {
    wasKilled = true
    daemon.signal(SIGKILL)
    _ = daemon.wait()
    listen()
  }

  /// Lets it end in order, so that the recording is whole.
  func end() throws {
    listen()
    endUs = try observer.call(ClockNow.self, Empty()).nowUs
    daemon.signal(SIGTERM)
    guard daemon.wait() == 0 else { throw ProcessFailure("starlightd failed: \(daemon.log)") }
  }

  /// Both channels of what was heard.
  func heard() throws -> (left: [Float], right: [Float]) {
    let file = try WaveFile(directory + "/heard.wav")
    return (file.channel(0), file.channel(1))
  }

  /// What was felt, counted from frame 0.
  func felt() throws -> [FeltLevel] {
    struct Line: Decodable {
      var tUs: Int64
      var intensity: Double
      var sharpness: Double
    }
    guard let data = FileManager.default.contents(atPath: directory + "/felt.ndjson") else { return [] }
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
    return try lines.map {
      let line = try JSONDecoder().decode(Line.self, from: Data($0))
      return FeltLevel(us: line.tUs - zero, intensity: line.intensity, sharpness: line.sharpness)
    }
  }
}
