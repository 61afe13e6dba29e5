// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Testing
import Timing
import Wire

@testable import Engine

@Suite struct VariationTests {
  private let me = Cause(client: ClientID(rawValue: 1), user: 1)
  private let key = AssetKey(pack: "game", name: "step")

  private func names(
    _ count: Int, _ order: CueChoice.Order, of places: Int, seed: UInt64 = 7, cue: AssetKey? = nil, step: Int = 0
  ) -> [String] {
    let choice = CueChoice((0..<places).map { "s\($0)" }, order)
    return (0..<count).map { Variation(seed: seed, cue: cue ?? key, count: UInt64($0)).name(of: choice, step: step) }
  }

  @Test func inTurnIsAsWritten() {
    #expect(names(7, .inTurn, of: 3) == ["s0", "s1", "s2", "s0", "s1", "s2", "s0"])
  }

  @Test(arguments: 2...16) func atRandomEachComesOnceARoundAndNoneTwiceRunning(places: Int) {
    for seed in 1...20 as ClosedRange<UInt64> {
      let names = names(places * 12, .random, of: places, seed: seed)
      for (name, next) in zip(names, names.dropFirst()) { #expect(name != next) }
      for round in 0..<12 { #expect(Set(names[round * places..<(round + 1) * places]).count == places) }
    }
  }

  @Test func anotherSeedCueOrStepIsAnotherOrder() {
    let some = names(40, .random, of: 5)
    #expect(names(40, .random, of: 5) == some)
    #expect(names(40, .random, of: 5, seed: 8) != some)
    #expect(names(40, .random, of: 5, cue: AssetKey(pack: "game", name: "jump")) != some)
    #expect(names(40, .random, of: 5, cue: AssetKey(pack: "night", name: "step")) != some, "of another pack")
    #expect(names(40, .random, of: 5, step: 1) != some)
  }

  @Test func numbersLieInTheirRangeAndFillIt() {
    let numbers = (0..<400).map { Variation(seed: 1, cue: key, count: $0).number(in: 0.9...1.1, step: 2, salt: 0) }
    #expect(numbers.allSatisfy { (0.9...1.1).contains($0) })
    #expect(numbers.contains { $0 < 0.91 } && numbers.contains { $0 > 1.09 })
    let mean = numbers.reduce(0, +) / 400
    #expect(abs(mean - 1) < 0.01)
    #expect(Variation(seed: 1, cue: key, count: 3).number(in: 0.5...0.5, step: 0, salt: 0) == 0.5)
  }

  @Test func whatWasChosenIsPlayedAndTold() throws {
    let cues = """
      "step": {"steps": [{"sound": ["click", "word"], "choose": "inTurn", "gain": [0.25, 0.5], "pitch": [0.9, 1.1]},
                         {"pattern": "thud", "gain": [0.5, 1]}, {"sound": "click"}]}
      """
    var fixture = try EngineFixture(cues: cues)
    for (number, sound) in ["click", "word", "click"].enumerated() {
      let at = Int64(2 + number) * 1_000_000
      let fired = try fixture.engine.fireCue(CueFire.Params(cue: "step", atUs: at), by: me)
      #expect(fired.chosen.map(\.step) == [0, 1])
      let chosen = try #require(fired.chosen.first)
      let gain = try #require(chosen.gain)
      #expect(chosen.sound == "game:" + sound && (0.25...0.5).contains(gain))
      let actions = fixture.run(to: at + 100_000)
      let start = try #require(actions.soundStarts.first)
      #expect(start.sound == .sound(fixture.loaded(sound)))
      #expect(start.gain == Float(gain * (sound == "click" ? 0.5 : 1)) && start.pitch == Float(chosen.pitch ?? 0))
      guard case .start(_, _, _, _, let options) = try #require(actions.haptics.first) else { continue }
      #expect(options.gain == fired.chosen[1].gain && fired.chosen[1].pattern == "game:thud")
      let told = try #require(actions.lines.first { $0.contains("cue.fired") })
      #expect(told.contains(#""chosen":[{"gain":\#(gain)"#))
    }
  }

  /// Neither the instants count nor who asks.
  @Test func itCountsInTheOrderOfAsking() throws {
    var fixture = try EngineFixture(cues: #""step": {"steps": [{"sound": ["click", "word"], "choose": "inTurn"}]}"#)
    let other = Cause(client: ClientID(rawValue: 2), user: 1)
    let asked = [(me, 3_000_000), (other, 2_000_000), (me, 4_000_000)] as [(Cause, Int64)]
    let chosen = try asked.map { by, at in
      try fixture.engine.fireCue(CueFire.Params(cue: "step", atUs: at), by: by).chosen.map(\.sound)
    }
    #expect(chosen == [["game:click"], ["game:word"], ["game:click"]])
    let played = fixture.run(to: 4_100_000).soundStarts
    #expect(played.map(\.sound) == ["word", "click", "click"].map { .sound(fixture.loaded($0)) })
    #expect(played.map(\.at) == [2_000_000, 3_000_000, 4_000_000].map(EngineFixture.frame))
  }

  @Test func theSameSeedIsTheSameGame() throws {
    func chosen() throws -> [CueStepChoice] {
      var fixture = try EngineFixture(cues: #""step": {"steps": [{"sound": ["click", "word"], "gain": [0, 1]}]}"#)
      return try (0..<20).flatMap { _ in
        try fixture.engine.fireCue(CueFire.Params(cue: "step"), by: me).chosen
      }
    }
    let first = try chosen()
    #expect(try chosen() == first)
  }

  @Test func theGeneratorIsSplitMix64() {
    // First outputs of the reference implementation for seed 1234567.
    var random = SplitMix64(seed: 1_234_567)
    #expect(
      [random.next(), random.next(), random.next()] == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }
}
