// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing
import Timing
import Wire

@testable import Host

/// A client that comes at 1 s, leaves something behind at 1.5 s, and what comes of it with what another does meanwhile.
struct LeavingScene {
  /// What was told of it, without beginnings and turns of loops.
  private(set) var told: [String] = []
  /// Whether its journal, done again, comes to the same.
  private(set) var isSameAgain = false
  /// From where the engine stood, and where it went on.
  private(set) var pause: ClosedRange<Int64>?
  private var samples: [Float] = []
  private var levels: [(us: Int64, intensity: Double)] = []

  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {}, "sounds": {"long": {"file": "main.wav"}, "sfx_click": {"file": "sfx_click.wav"}},
     "patterns": {"hum": {"file": "hum.ahap"}},
     "cues": {"once": {"align": "soundFirst", "steps": [{"sound": "long"},
                {"continuous": {"intensity": 0.8, "sharpness": 0.5, "duration": 2}}]},
              "loops": {"align": "soundFirst", "steps": [{"sound": "sfx_click", "loop": true},
                {"pattern": "hum", "loop": true}]}}}
    """
  private static let hum = #"""
    {"Pattern": [{"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": 2,
      "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.8}]}}]}
    """#

  init(_ left: LeftBehind, _ meanwhile: Meanwhile) throws {
    let rig = try HostRig(
      manifest: Self.manifest, files: ["main", "sfx_click"], seconds: 2, records: true,
      change: { try Data(Self.hum.utf8).write(to: URL(filePath: $0 + "/hum.ahap")) },
      configure: { configuration in
        configuration.journalPath = configuration.packFolders[0] + "/journal"
        configuration.hapticLogPath = configuration.packFolders[0] + "/felt.ndjson"
      })
    try #require(rig.host.problems.isEmpty, "\(rig.host.problems)")
    rig.host.topics = Set(Topic.allCases)
    try ask(rig, left)
    try pass(rig, to: 1_200_000)
    if left == .feltPaused { _ = rig.ask("haptics.pause", #"{"player":1}"#) }
    try pass(rig, to: 1_400_000)
    if meanwhile == .slowStopBefore { stop(rig, fadeUs: 500_000) }
    try pass(rig, to: 1_490_000)
    if meanwhile == .switchedOffBefore { turn(rig, on: false) }
    try pass(rig, to: 1_500_000)
    rig.host.clientLeft(.init(rawValue: 1))
    try pass(rig, to: 1_520_000)
    switch meanwhile {
    case .nothing, .switchedOffBefore, .slowStopBefore: break
    case .stop: stop(rig, fadeUs: 5_000)
    case .slowStop: stop(rig, fadeUs: 500_000)
    case .replacement:
      _ = rig.ask("haptics.continuous", #"{"durationUs":1,"intensity":0}"#, client: 2)
      _ = rig.ask("haptics.play", #"{"ahap":{"Pattern":[]},"replaces":1}"#, client: 2)
    case .pause: pause = try stand(rig)
    case .switchedOffAndOn:
      turn(rig, on: false)
      try pass(rig, to: 1_530_000)
      turn(rig, on: true)
    }
    try pass(rig, to: 4_500_000)
    told.sort()
    samples = try rig.heard()
    levels = try Self.levels(rig)
    let journal = [UInt8](try Data(contentsOf: URL(filePath: rig.directory + "/journal")))
    let outcome = try JournalReplay(journal).run()
    isSameAgain = outcome.isSame && outcome.end == .whole
  }

  /// The level of what is put out, and of what is felt, at an instant.
  func heard(at us: Int64) -> Double {
    let frame = Int((us - 1_000_000) * 48 / 1_000)
    return frame < samples.count ? Double(samples[frame]) : 0
  }

  func felt(at us: Int64) -> Double { levels.last { $0.us <= us }?.intensity ?? 0 }

  /// When the haptic log tells of a level.
  var lines: [Int64] { levels.map(\.us) }

  // MARK: - What is asked

  private func ask(_ rig: HostRig, _ left: LeftBehind) throws {
    switch left {
    case .soundOnce: _ = rig.ask("sound.play", #"{"sound":"long"}"#)
    case .soundThatLoops: _ = rig.ask("sound.play", #"{"sound":"sfx_click","loop":true}"#)
    case .soundsToCome:
      _ = rig.ask("sound.play", #"{"sound":"long","atUs":1600000}"#)
      _ = rig.ask("sound.play", #"{"sound":"sfx_click","loop":true,"atUs":1510000}"#)
    case .cueOnce: _ = rig.ask("cue.fire", #"{"cue":"once"}"#)
    case .cueThatLoops: _ = rig.ask("cue.fire", #"{"cue":"loops"}"#)
    case .cueToCome: _ = rig.ask("cue.fire", #"{"cue":"loops","atUs":1600000}"#)
    case .feltOnce, .feltPaused:
      _ = rig.ask("haptics.continuous", #"{"durationUs":2000000,"intensity":0.8,"sharpness":0.5}"#)
    case .feltLoop: _ = rig.ask("haptics.play", #"{"pattern":"hum","loop":true}"#)
    case .feltToCome: _ = rig.ask("haptics.play", #"{"pattern":"hum","atUs":1600000}"#)
    }
  }

  private func stop(_ rig: HostRig, fadeUs: Int64) {
    _ = rig.ask("sound.stop", #"{"fadeUs":\#(fadeUs)}"#, client: 2)
    _ = rig.ask("haptics.stop", client: 2)
  }

  private func turn(_ rig: HostRig, on: Bool) {
    _ = rig.ask("settings.set", #"{"sound":\#(on),"haptics":\#(on)}"#, client: 2)
  }

  /// Stands for 300 ms.
  private mutating func stand(_ rig: HostRig) throws -> ClosedRange<Int64> {
    let atUs = try HostRig.result(rig.ask("engine.pause", client: 2), PauseState.self).atUs
    try pass(rig, to: 1_820_000)
    let answer = try HostRig.result(rig.ask("engine.resume", client: 2), EngineResume.Result.self)
    return atUs...(try #require(answer.resumedUs))
  }

  // MARK: - What comes

  private mutating func pass(_ rig: HostRig, to us: Int64) throws {
    rig.step(microseconds: us - rig.host.now.microseconds)
    told += rig.host.takeNotifications().compactMap(Self.words)
  }

  private static func words(_ notification: OutgoingNotification) -> String? {
    let line = String(decoding: notification.line(seq: 1), as: UTF8.self)
    func value(_ field: String) -> String? {
      guard let start = line.firstRange(of: "\"\(field)\":\"")?.upperBound else { return nil }
      return String(line[start...].prefix { $0 != "\"" })
    }
    let reason = value("reason")
    switch value("method") {
    case SoundFinished.name: return "sound \(reason ?? "") \(notification.tUs)"
    case HapticsChanged.name:
      let change = value("change") ?? ""
      // Of what takes another's place nothing is felt.
      if ["started", "looped"].contains(change) || line.contains(#""player":2"#) || line.contains(#""player":3"#) {
        return nil
      }
      return (["haptics", change] + [reason].compactMap(\.self) + ["\(notification.tUs)"]).joined(separator: " ")
    case CueFired.name: return "cue fired"
    case CueCancelled.name: return "cue cancelled \(reason ?? "")"
    default: return nil
    }
  }

  private struct Line: Decodable {
    var tUs: Int64
    var intensity: Double
  }

  private static func levels(_ rig: HostRig) throws -> [(us: Int64, intensity: Double)] {
    let text = String(decoding: try Data(contentsOf: URL(filePath: rig.directory + "/felt.ndjson")), as: UTF8.self)
    return try text.split(separator: "\n").compactMap { line in
      guard line.contains("\"intensity\"") else { return nil }
      let line = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
      return (line.tUs, line.intensity)
    }
  }
}
