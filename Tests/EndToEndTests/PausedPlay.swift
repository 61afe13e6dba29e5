// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments
import StarlightClient
import Wire

/// Music with a cross-fade, a duck, loops, stops, a limiter at work, sounds and haptics: played with pauses or without, to
/// be compared.
final class PausedPlay {
  /// A pause: at how many microseconds of the play it is asked for, and for how long.
  struct Pause {
    var atUs: Int64
    var lengthUs: Int64
  }

  /// Where it stood, as told, and how much that moved.
  struct Told {
    var atUs: Int64
    var movedUs: Int64
  }

  let game: SteppedGame
  let zero: Int64
  private(set) var pauses: [Told] = []
  private(set) var told: [ReceivedNotification] = []
  private let directory: String
  private let startUs: Int64

  /// Plans all of it; nothing has happened yet.
  init() throws {
    directory = try makeTemporaryDirectory()
    game = try SteppedGame(
      ["--record", directory + "/heard.wav", "--haptic-log", directory + "/felt.ndjson"]
    ) { pack in
      var seed: UInt32 = 1
      for (name, seconds) in [("main", 0.9), ("finale", 12.0), ("sfx_click", 0.2), ("sfx_power", 0.3)] {
        try WaveFile.write("\(pack)/\(name).wav", seconds: seconds) { _ in
          seed = seed &* 1_664_525 &+ 1_013_904_223
          return Double(Int32(bitPattern: seed)) / 4_294_967_296
        }
      }
    }
    startUs = game.nowUs
    zero = game.nowUs + 200_000
    try plan()
  }

  deinit { removeDirectory(directory) }

  private func plan() throws {
    let call = game.connection
    _ = try call.call(MusicPlay.self, .init(track: "main", atUs: zero, loop: true))
    _ = try call.call(MusicPlay.self, .init(track: "finale", atUs: zero + 1_000_000, crossfadeUs: 500_000))
    _ = try call.call(MusicGain.self, .init(gain: 0.6, atUs: zero + 1_700_000, fadeUs: 400_000))
    _ = try call.call(MusicPause.self, .init(atUs: zero + 2_300_000, fadeUs: 100_000))
    _ = try call.call(MusicResume.self, .init(atUs: zero + 2_500_000, fadeUs: 100_000))
    _ = try call.call(MusicStop.self, .init(atUs: zero + 3_500_000, fadeUs: 300_000))
    let looping = try call.call(SoundPlay.self, .init(sound: "sfx_click", atUs: zero + 300_007, loop: true))
    _ = try call.call(SoundStop.self, .init(id: looping.id, atUs: zero + 2_600_000, fadeUs: 300_000))
    for at in [1_200_000, 1_250_003, 2_777_777] as [Int64] {
      _ = try call.call(SoundPlay.self, .init(sound: "sfx_power", atUs: zero + at, gain: 2, pitch: 1.1))
    }
    _ = try call.call(CueFire.self, .init(cue: "charge", atUs: zero + 1_900_000))
    _ = try call.call(HapticsContinuous.self, .init(durationUs: 900_000, intensity: 0.7, atUs: zero + 500_000))
    _ = try call.call(HapticsTransient.self, .init(intensity: 1, atUs: zero + 1_300_000))
  }

  /// Plays to the end, with `pauses` in order, each by one client.
  func run(_ wanted: [Pause] = []) throws -> Self {
    for pause in wanted {
      told += try game.step(to: clock(pause.atUs))
      let paused = try game.connection.call(EnginePause.self, Empty())
      if pause.lengthUs > 0 { told += try game.step(to: game.nowUs + pause.lengthUs) }
      let resumed = try game.connection.call(EngineResume.self, Empty())
      guard let moved = resumed.movedUs, resumed.resumedUs == paused.atUs + moved else {
        throw ProcessFailure("paused \(paused), resumed \(resumed)")
      }
      pauses.append(Told(atUs: paused.atUs, movedUs: moved))
    }
    told += try game.step(to: clock(4_500_000))
    return self
  }

  /// Where on the clock an instant of the play is.
  private func clock(_ us: Int64) -> Int64 { zero + us + pauses.reduce(0) { $0 + $1.movedUs } }

  /// An instant as it would be without the pauses.
  func unpaused(_ us: Int64) -> Int64 {
    var moved: Int64 = 0
    for pause in pauses where us >= pause.atUs + pause.movedUs { moved += pause.movedUs }
    return us - moved
  }

  /// What was heard on the left, the silence of the pauses cut out; and where that was, and whether it was silence.
  func heard() throws -> (samples: [Float], seams: [Int], isSilent: Bool) {
    var samples = try WaveFile(directory + "/heard.wav").channel(0)
    var seams: [Int] = []
    var isSilent = true
    var cut = 0
    for pause in pauses {
      // It stands half a frame before the first that is not heard.
      let first = Int((Double(pause.atUs - startUs) * 0.048 + 0.5).rounded(.down)) - cut
      let length = Int(pause.movedUs * 48 / 1_000)
      isSilent = isSilent && samples[first..<first + length].allSatisfy { $0 == 0 }
      samples.removeSubrange(first..<first + length)
      seams.append(first)
      cut += length
    }
    return (samples, seams, isSilent)
  }

  /// The lines of the haptic log.
  func felt() throws -> [String] {
    try String(contentsOfFile: directory + "/felt.ndjson", encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// Notifications as they would be without the pauses: name and instant, in order, levels left out.
  func events() -> [String] {
    let names = Set(["haptics.level", "engine.paused", "engine.resumed"])
    return told.filter { !names.contains($0.method) }.map { "\(unpaused($0.tUs)) \($0.method)" }.sorted()
  }

  /// The recording is whole once the daemon has ended.
  func end() -> Int32 {
    game.daemon.signal(15)
    return game.daemon.wait()
  }
}
