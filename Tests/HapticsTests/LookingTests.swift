// SPDX-License-Identifier: Apache-2.0

import Haptics
import SeededNumbers
import Testing
import Timing

/// What a look at a stretch of time shows, and takes, where more changes than can be looked at.
@Suite struct LookingTests {
  private static let zero = Instant(microseconds: 1_000_000)

  /// Taps and vibrations at random, microseconds apart.
  private func dense(_ random: inout SeededRandom) -> HapticPattern {
    let events = (0..<400).map { index in
      index.isMultiple(of: 3)
        ? AHAPEvent(
          .continuous, time: Double(index) * 2e-5, duration: Double.random(in: 0.0001...0.004, using: &random),
          parameters: [.intensity: Double.random(in: 0...0.02, using: &random), .sharpness: 0.5])
        : AHAPEvent(
          .transient, time: Double(index) * 2e-5,
          parameters: [.intensity: Double.random(in: 0...0.02, using: &random), .sharpness: 0.5])
    }
    return HapticPattern(AHAPDocument(events: events))
  }

  /// A mixer whose `players` loop every 10 ms at instants of their own, with so many changes of their gains to come in a
  /// millisecond.
  private func mixer(players: Int, changes: Int, _ random: inout SeededRandom) -> HapticMixer {
    var mixer = HapticMixer()
    for number in 1...UInt64(players) {
      mixer.apply(
        .start(
          HapticPlayerID(rawValue: number), dense(&random), source: "p",
          at: Self.zero + .microseconds(Int64.random(in: 0..<10_000, using: &random)),
          options: HapticPlayOptions(loops: true)))
    }
    for _ in 0..<changes {
      mixer.apply(
        .set(
          HapticPlayerID(rawValue: UInt64.random(in: 1...UInt64(players), using: &random)),
          .gain(Double.random(in: 0...1, using: &random)),
          at: Self.zero + .milliseconds(50) + .microseconds(Int64.random(in: 0..<1_000, using: &random))))
    }
    return mixer
  }

  @Test(arguments: [1, 8, 48, 112], [1, 200] as [Int64])
  func aLookShowsABoundedNumberOfInstantsWhatIsFeltThere(players: Int, milliseconds: Int64) {
    var random = SeededRandom(seed: UInt64(players))
    let start = Self.zero + .milliseconds(50)
    var before = mixer(players: players, changes: 300, &random)
    _ = before.advance(to: start)
    var mixer = before
    var shown: [(at: Instant, level: HapticLevel)] = []
    let most = mixer.looks(atMost: 128)
    let changes = mixer.look(from: start, to: start + .milliseconds(milliseconds), most: most) {
      shown.append(($0, $1))
    }
    // Two that are strong, four commands and the last, behind those that were looked at one by one.
    #expect(shown.count <= most + 1 + 7)
    #expect(shown.map(\.at) == shown.map(\.at).sorted())
    // Of those of one instant one counts, where they are looked at one by one.
    #expect(changes >= 200)
    for (at, level) in shown {
      var alone = before
      _ = alone.advance(to: at)
      #expect(alone.level(at: at) == level)
    }
  }

  /// Asked of an instant behind others' turns and ends, it is as if time had passed up to there.
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func whatWillBeIsWhatIsThen(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var mixer = mixer(players: 6, changes: 0, &random)
    for number in 7...14 as ClosedRange<UInt64> {
      let options = HapticPlayOptions(
        loops: .random(using: &random), loopEnd: Bool.random(using: &random) ? .milliseconds(13) : nil,
        rate: Double.random(in: 0.25...4, using: &random),
        replaced: number == 14 && seed.isMultiple(of: 2)
          ? HapticPlayerID(rawValue: UInt64.random(in: 1...6, using: &random)) : nil)
      mixer.apply(
        .start(
          HapticPlayerID(rawValue: number), dense(&random), source: "p",
          at: Self.zero + .microseconds(Int64.random(in: 0..<60_000, using: &random)), options: options))
    }
    let start = Self.zero + .milliseconds(20)
    mixer.apply(.pause(HapticPlayerID(rawValue: 3), at: Self.zero + .milliseconds(12)))
    _ = mixer.advance(to: start)
    if seed.isMultiple(of: 3) { mixer.apply(.enable(false, at: start)) }
    for _ in 0..<20 {
      let at = start + .microseconds(Int64.random(in: 0..<80_000, using: &random))
      var then = mixer
      _ = then.advance(to: at)
      #expect(mixer.level(at: at) == then.level(at: at))
      #expect(mixer.loopingPlayers(at: at) == then.loopingPlayers(at: at))
      for id in mixer.activePlayers { #expect(mixer.position(of: id, at: at) == then.position(of: id, at: at)) }
    }
  }

  @Test func whatIsLookedAtTogetherWithManyIsBoundedByHowManyTheyAre() {
    var random = SeededRandom(seed: 1)
    for players in [1, 16, 32, 33, 64, 108] {
      var mixer = mixer(players: players, changes: 0, &random)
      // Who has not begun is not asked.
      #expect(mixer.looks(atMost: 128) == 128 && mixer.denseSpan == .milliseconds(1))
      _ = mixer.advance(to: Self.zero + .milliseconds(10))
      // Four looks at all of them at least, and so much longer apart.
      #expect(mixer.looks(atMost: 128) * players <= max(128, 4 * players))
      let inAMillisecond = mixer.looks(atMost: 128) * players / Int(mixer.denseSpan.nanoseconds / 1_000_000)
      #expect(inAMillisecond <= 128)
      #expect(mixer.looks(atMost: 2) == 2)
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func ofManyTheStrongestTapIsShownOnWhicheverSideOfATurn(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    // One of them far stronger than the rest, once in the look, before or behind its turn.
    let place = Double(Int.random(in: 1...9, using: &random)) * 1e-3
    let strong = HapticPattern(
      AHAPDocument(events: [AHAPEvent(.transient, time: place, parameters: [.intensity: 0.9, .sharpness: 0.5])]))
    var mixer = mixer(players: 40, changes: 0, &random)
    let at = Self.zero + .milliseconds(30)
    mixer.apply(
      .start(
        HapticPlayerID(rawValue: 99), strong, source: "strong", at: at,
        options: HapticPlayOptions(loops: true, loopEnd: .milliseconds(10))))
    let felt = at + .milliseconds(30) + Interval.seconds(place)
    let start = felt - .microseconds(Int64.random(in: 1...900, using: &random))
    _ = mixer.advance(to: start)
    var shown: [(at: Instant, level: HapticLevel)] = []
    mixer.look(from: start, to: start + .milliseconds(1), most: 4) { shown.append(($0, $1)) }
    #expect(shown.contains { $0.at == felt })
    let strongest = try #require(shown.max { $0.level.intensity < $1.level.intensity })
    #expect(strongest.level.intensity > 0.8)
  }
}
