// SPDX-License-Identifier: Apache-2.0

import FakeLogind
import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Wire

/// A real daemon on the stepped clock from its start to its end: what it recorded, and what it told somebody who only listens.
final class DaemonLife {
  /// The instant of frame 0.
  private(set) var zero: Int64
  private(set) var told: [ReceivedNotification] = []
  /// Whether it was killed, so that its recording breaks off.
  private(set) var wasKilled = false
  /// Where its clock stood when it was asked to end; what comes after is its own leaving. Nil where it was killed.
  private(set) var endUs: Int64?
  /// What it was late with, by its own records; nothing where its clock is stepped.
  private(set) var late = LateStarts()
  /// How often it was listened to.
  private var turns = 0
  let isOnCard: Bool
  private let isLive: Bool
  /// What it plays on.
  private let audio: String
  private let daemon: DaemonProcess
  private let observer: StarlightConnection
  private let directory: String

  /// The processor time that it took, in microseconds.
  private(set) var processorUs: Int64 = 0
  /// Who tells it that the system sleeps, where its clock runs.
  private let logind: FakeLogind?

  /// Starts it with these packs at this socket; it records in `directory`.
  init(packs: String, socket: String, in directory: String, pace: Pace) throws {
    self.directory = directory
    isLive = pace.isLive
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    logind = pace.isLive ? FakeLogind(path: directory + "/bus") : nil
    let timed =
      pace.isLive ? ["--device", pace.device] + (pace.period.map { ["--period", $0] } ?? []) : ["--clock", "stepped"]
    daemon = try DaemonProcess(
      timed + ["--record", directory + "/heard.wav", "--haptic-log", directory + "/felt.ndjson"], packs: packs,
      socket: socket, environment: ["DBUS_SYSTEM_BUS_ADDRESS=unix:path=\(directory)/bus"])
    logind?.accept()
    observer = try daemon.connect()
    zero = Self.zero(try observer.call(ClockNow.self, Empty()))
    audio = try observer.call(EngineStatus.self, Empty()).audio.message
    isOnCard = pace.isLive && pace.device != "none"
    let topics: [Topic] = [.cue, .music, .sound, .rhythm, .parameter, .settings, .engine, .timeline, .devices]
    _ = try observer.call(EventsSubscribe.self, EventsSubscribe.Params(topics: topics))
  }

  private static func zero(_ clock: ClockNow.Result) -> Int64 {
    clock.timeline.instantUs - clock.timeline.frame * 1_000_000 / 48_000
  }

  /// Takes what was told; waits for it 5 ms at most.
  func listen() throws {
    logind?.work()
    turns += 1
    // Before they are overwritten: each turn takes some milliseconds.
    if isLive, turns.isMultiple(of: 200) { try late.read(by: observer) }
    var wait: Int64 = 5_000
    while let notification = try? observer.nextNotification(timeoutUs: wait) {
      told.append(notification)
      wait = 0
    }
  }

  /// The system sleeps as soon as the daemon lets it, for a second, and is awake again.
  func sleep() throws {
    guard let logind else { throw ProcessFailure("on a stepped clock there is no sleep") }
    logind.tell(isGoing: true)
    for _ in 0..<1_000 where logind.isHeldUp { try listen() }
    guard !logind.isHeldUp else { throw ProcessFailure("the daemon does not let the system sleep") }
    for _ in 0..<200 { try listen() }
    logind.tell(isGoing: false)
    try listen()
  }

  /// As a crash would, from one instant to the next.
  func kill() throws {
    wasKilled = true
    processorUs = daemon.processorUs
    daemon.signal(SIGKILL)
    _ = daemon.wait()
    try listen()
  }

  /// Lets it end in order, so that the recording is whole.
  func end() throws {
    try listen()
    let clock = try observer.call(ClockNow.self, Empty())
    endUs = clock.nowUs
    if isLive {
      try late.read(by: observer)
      let counted = try observer.call(EngineStatus.self, Empty()).audio.lateStarts
      guard late.starts.count == counted else {
        throw ProcessFailure("\(counted) late starts are counted, and \(late.starts.count) recorded")
      }
    }
    // What a card told as it began is a guess.
    if isOnCard { zero = Self.zero(clock) }
    processorUs = daemon.processorUs
    daemon.signal(SIGTERM)
    guard daemon.wait() == 0 else { throw ProcessFailure("starlightd failed: \(daemon.log)") }
  }

  /// Frames that it told to be lost, which nobody heard.
  var lost: [Range<Int>] { corrections + withoutCard }

  /// Frames of which nobody could hear anything, nor are they told: from when the card was gone to when another played.
  private var withoutCard: [Range<Int>] {
    var (goneUs, frames): (Int64?, [Range<Int>]) = (nil, [])
    for notification in told {
      guard let changed = try? notification.decode(as: DevicesChanged.self) else { continue }
      if changed.audio != audio, goneUs == nil { goneUs = notification.tUs }
      if changed.audio == audio, let from = goneUs {
        // What it still held, what it takes to tell, and what began meanwhile and sounds yet.
        frames.append(frame(from - 150_000)..<frame(notification.tUs + 300_000))
        goneUs = nil
      }
    }
    return frames
  }

  private func frame(_ us: Int64) -> Int { Int((us - zero) * 48 / 1_000) }

  private var corrections: [Range<Int>] {
    told.compactMap { try? $0.decode(as: TimelineCorrected.self) }.filter { $0.lostFrames > 0 }
      .map { Int($0.frame)..<Int($0.frame + $0.lostFrames) }
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
