// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Testing

@testable import Engine

/// Cross-fades cut short by others, from the player's steps to what the mixer makes of them.
@Suite struct InterruptedFadeTests {
  private let fade = Fade.milliseconds(500, rate: 48_000, curve: .equalPower)
  private let declick = Fade.declick(rate: 48_000)

  private func request(_ turn: Int, _ fade: Fade) -> MusicPlayer.Request {
    MusicPlayer.Request(
      track: .of("\(turn)"),
      info: TrackInfo(frames: 64, loop: LoopRegion(start: 0, end: 64), headFrames: 64), position: 0, loops: true,
      continues: false, fade: fade, standsWhenOff: false)
  }

  /// What is heard when tracks that are all the same DC of 0.5, the worst there is, cross-fade at those frames.
  private func heard(_ turns: [Int64], _ fade: Fade) -> [Float] {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    defer { samples.deallocate() }
    samples.initialize(repeating: 0.5, count: 128)
    let source = ResidentSource(samples: .float(samples), frames: 64, loop: 0..<64)
    let controller = MixerController()
    var player = MusicPlayer()
    for (turn, frame) in turns.enumerated() {
      let voice = VoiceID(rawValue: UInt64(turn + 1))
      let started = player.apply(.play(request(turn, fade)), voice: voice, at: frame, declick: declick)
      _ = controller.submit(started.steps.compactMap { $0.command(on: source) })
    }
    let frames = Int(turns.last ?? 0) + 3 * Int(fade.frames)
    var out = [Float](repeating: 0, count: 2 * frames)
    out.withUnsafeMutableBufferPointer { out in
      guard let base = out.baseAddress else { return }
      var done = 0
      while done < frames {
        let count = min(256, frames - done)
        controller.mixer.pointee.render(into: base + 2 * done, frames: count)
        done += count
      }
    }
    return (Int(turns.first ?? 0)..<frames).map { out[2 * $0] }
  }

  /// Fades at even distances, at the loudest moment of each, in one period, and here and there.
  static let interruptions: [[Int64]] = [
    [0, 24_000, 28_800, 33_600, 38_400, 43_200], [0, 24_000, 36_000, 50_000, 66_000, 84_000],
    [0, 24_000, 24_050, 24_100, 24_150, 24_200], [0, 24_000, 31_010, 41_280, 48_007, 56_280],
    [0, 24_000, 47_000, 60_000, 61_000, 80_000],
  ]

  @Test(arguments: interruptions) func aFadeInterruptedFourTimesNeverSteps(turns: [Int64]) {
    let heard = heard(turns, fade)
    let steepest = zip(heard, heard.dropFirst()).map { abs($1 - $0) }.max() ?? 1
    #expect(steepest > 3e-5 && steepest <= 4e-5)
    #expect(heard.last == 0.5)
  }

  @Test(arguments: interruptions) func thePowersOfItsTracksAddUpToOneThroughout(turns: [Int64]) {
    var player = MusicPlayer()
    for (turn, frame) in turns.enumerated() {
      _ = player.apply(.play(request(turn, fade)), voice: VoiceID(rawValue: UInt64(turn)), at: frame, declick: declick)
      let end = turn + 1 < turns.count ? turns[turn + 1] : frame + 100_000
      for frame in stride(from: frame, to: end, by: 997) {
        let gains = (player.tails + [player.current].compactMap(\.self)).map { $0.level.value(at: frame) }
        let power = gains.reduce(0) { $0 + $1 * $1 }
        #expect(abs(power - 1) < 1e-5, "turn \(turn), frame \(frame)")
      }
    }
  }

  @Test func linearFadesAddUpToOneTrackAndKeepTheirLength() {
    let linear = Fade.milliseconds(500, rate: 48_000)
    let heard = heard([0, 24_000, 28_800, 33_600, 38_400, 43_200], linear)
    #expect(heard.allSatisfy { abs($0 - 0.5) < 1e-6 })
  }
}

extension AudioStep {
  fileprivate func command(on source: ResidentSource) -> MixerCommand? {
    switch self {
    case .command(let command): command
    case .start(let start):
      .start(start.with(.resident(source)))
    default: nil
    }
  }
}
