// SPDX-License-Identifier: Apache-2.0

import GamePacks

/// What the variations of a cue come to: a function of the engine's seed, the cue, and how often it was fired before.
struct Variation {
  private let count: UInt64
  private let key: UInt64

  init(seed: UInt64, cue: AssetKey, count: UInt64) {
    self.count = count
    // FNV-1a of the name.
    let name = "\(cue.pack):\(cue.name)".utf8
    key = name.reduce(14_695_981_039_346_656_037 ^ seed) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
  }

  /// The name of a step that comes this time.
  func name(of choice: CueChoice, step: Int) -> String {
    let names = choice.names
    guard names.count > 1 else { return names.first ?? "" }
    let place = Int(count % UInt64(names.count))
    return switch choice.order {
    case .inTurn: names[place]
    case .random: names[shuffled(names.count, round: count / UInt64(names.count), step: step)[place]]
    }
  }

  /// A number of a step, `salt` telling its numbers apart.
  func number(in range: ClosedRange<Double>, step: Int, salt: UInt64) -> Double {
    guard range.lowerBound < range.upperBound else { return range.lowerBound }
    var random = generator(step: step, count, salt: 1 + salt)
    return Double.random(in: range, using: &random)
  }

  /// All places in the order of one round. The first is not the last of the round before.
  private func shuffled(_ places: Int, round: UInt64, step: Int) -> [Int] {
    // Two that never come twice running take turns.
    if places == 2 { return order(2, round: 0, step: step) }
    var order = order(places, round: round, step: step)
    if round > 0, order.first == self.order(places, round: round - 1, step: step).last { order.swapAt(0, 1) }
    return order
  }

  private func order(_ places: Int, round: UInt64, step: Int) -> [Int] {
    var random = generator(step: step, round, salt: 0)
    return (0..<places).shuffled(using: &random)
  }

  private func generator(step: Int, _ number: UInt64, salt: UInt64) -> SplitMix64 {
    var mix = SplitMix64(seed: key)
    for part in [UInt64(step), number, salt] { mix = SplitMix64(seed: mix.next() ^ part) }
    return mix
  }
}
