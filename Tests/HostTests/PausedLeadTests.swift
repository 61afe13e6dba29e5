// SPDX-License-Identifier: Apache-2.0

import Engine
import SeededNumbers
import Testing
import Timing
import Wire

@testable import Host

/// Pauses of what is handed over long before it is heard, or sent long before it is felt.
@Suite struct PausedLeadTests {
  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {"blip": {"file": "sfx_blip.wav"}}, "sounds": {"sfx_click": {"file": "sfx_click.wav"}}}
    """

  /// What was told, each as the instants that are known now; and the pauses that were.
  private struct Promises {
    var toldUs: [Int64] = []
    var pauses: [(from: Int64, until: Int64)] = []

    mutating func pause(at from: Int64, until: Int64) {
      toldUs = toldUs.map { $0 >= from ? $0 + (until - from) : $0 }
      pauses.append((from, until))
    }

    /// Whether what begins there is cut by a pause, or comes up with all else.
    func isAtAPause(_ us: Int64) -> Bool { pauses.contains { us > $0.from - 60_000 && us < $0.until + 6_000 } }
  }

  private func rig(_ random: inout SeededRandom, _ topics: Set<Topic>) throws -> HostRig {
    let hapticLead = random.pick([0, 2, 150])
    let rig = try HostRig(
      manifest: Self.manifest, files: ["sfx_click", "sfx_blip"], records: true,
      configure: { $0.steppedHapticLead = .milliseconds(Int64(hapticLead)) })
    rig.host.topics = topics
    let lead = random.pick([0, 40_000, 120_000, 200_000, 500_000])
    _ = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":\#(lead)}"#)
    rig.step(microseconds: random.integer(1_000...300_000))
    return rig
  }

  /// Pauses for a moment, as short as none and longer than any lead; it may be over before it comes.
  private func pause(_ rig: HostRig, _ random: inout SeededRandom, _ promises: inout Promises) throws {
    rig.step(microseconds: random.integer(0...400_000))
    let paused = try HostRig.result(rig.ask("engine.pause"), PauseState.self)
    rig.step(microseconds: random.integer(0...(random.oneIn(2) ? 50_000 : 900_000)))
    if random.oneIn(3) {
      let soon = try HostRig.result(rig.ask("sound.play", #"{"sound":"sfx_click"}"#), SoundPlay.Result.self)
      promises.toldUs.append(soon.scheduledUs)
      rig.step(microseconds: random.integer(0...20_000))
    }
    let resumed = try HostRig.result(rig.ask("engine.resume"), EngineResume.Result.self)
    guard let resumedUs = resumed.resumedUs else { throw Unmet("it does not go on: \(resumed)") }
    promises.pause(at: paused.atUs, until: resumedUs)
    // As soon as the status says that it can be.
    let atUs = rig.host.now.microseconds + rig.host.status().audio.leadUs
    let soonest = try HostRig.result(
      rig.ask("sound.play", #"{"sound":"sfx_click","atUs":\#(atUs)}"#), SoundPlay.Result.self)
    try hold(soonest.lateUs == 0, "\(soonest) was asked for at \(atUs), when it can be heard")
    promises.toldUs.append(soonest.scheduledUs)
  }

  @Test func whatIsPlannedIsHeardSoMuchLaterAndWhole() throws {
    try search(upTo: 12) { random in
      let rig = try rig(&random, [.music])
      let beganUs = rig.host.now.microseconds
      var promises = Promises()
      let isMusic = random.oneIn(3)
      let (method, params) =
        isMusic
        ? ("music.play", #""track":"blip","loop":false,"crossfadeUs":0"#) : ("sound.play", #""sound":"sfx_click""#)
      var at = beganUs + 700_000
      for _ in 0..<8 {
        let told = rig.ask(method, #"{\#(params),"atUs":\#(at)}"#)
        try hold(told.contains(#""lateUs":0"#), told)
        promises.toldUs.append(at)
        at += random.integer(120_000...400_000)
      }
      for _ in 0..<4 { try pause(rig, &random, &promises) }
      rig.step(microseconds: 3_000_000)
      rig.step(microseconds: 3_000_000)
      try hold(rig.host.status().audio.lateStarts == 0, "\(rig.host.status().audio.lateStarts) begin later than told")
      if isMusic {
        let started = try rig.told(MusicChanged.self).filter { $0.payload.change == .started }.map(\.tUs)
        let unheard = started.filter { !promises.toldUs.contains($0) }
        try hold(started.count >= 8 && unheard.isEmpty, "\(unheard) of \(started) for \(promises.toldUs)")
      }
      let heard = try rig.heard()
      func frame(_ us: Int64) -> Int { Int((Double(us - 1_000_000) * 0.048).rounded()) }
      for us in promises.toldUs where !promises.isAtAPause(us) {
        // Alone, so that its beginning is heard.
        if promises.toldUs.contains(where: { $0 < us && $0 > us - 120_000 }) { continue }
        let first = frame(us)
        let isSilentBefore = heard[(first - 40)..<first].allSatisfy { $0 == 0 }
        let isLoud = heard[first..<(first + 2_300)].filter { abs($0) > 0.05 }.count
        try hold(
          isSilentBefore && heard[first] != 0 && isLoud > 2_000,
          "\(us) is heard for \(isLoud) frames, and what is before it is \(isSilentBefore ? "" : "not ")silent; \(promises)"
        )
      }
    }
  }

  @Test func nothingIsFeltFromWhereItStandsToWhereItGoesOn() throws {
    try search(upTo: 12) { random in
      let rig = try rig(&random, [.haptics])
      let player = rig.ask("haptics.continuous", #"{"intensity":0.6,"sharpness":0.5,"durationUs":20000000}"#)
      try hold(player.contains("scheduledUs"), player)
      rig.step(microseconds: 400_000)
      _ = try rig.told(HapticsLevel.self)
      var promises = Promises()
      for _ in 0..<4 { try pause(rig, &random, &promises) }
      rig.step(microseconds: 2_000_000)
      let told = try rig.told(HapticsLevel.self)
      let expected = promises.pauses.flatMap { [($0.from, 0.0), ($0.until, 0.6)] }
      let isAsExpected =
        told.count == expected.count
        && zip(told, expected).allSatisfy { told, expected in
          told.tUs == expected.0 && abs(told.payload.intensity - expected.1) < 0.01
        }
      try hold(isAsExpected, "\(told.map { ($0.tUs, $0.payload.intensity) }) for \(expected)")
    }
  }
}
