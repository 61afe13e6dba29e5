// SPDX-License-Identifier: Apache-2.0

/// What comes towards the runner: barriers on the ground, and hearts above the gaps between them.
public struct Course: Equatable, Sendable {
  /// Left edges, in points from the left of the screen, the nearest first.
  public private(set) var barriers: [Double] = []
  /// Middles, likewise.
  public private(set) var hearts: [Double] = []
  /// Points until the next barrier comes in.
  private var untilBarrier: Double
  private var made = 0

  init(_ rules: PacketRunRules) { untilBarrier = rules.gap }

  /// Moves all by so many points; what comes in is made, what is past forgotten.
  mutating func move(
    by way: Double, gapFactor: Double, _ rules: PacketRunRules, using chance: inout some RandomNumberGenerator
  ) {
    for index in barriers.indices { barriers[index] -= way }
    for index in hearts.indices { hearts[index] -= way }
    barriers.removeAll { $0 + rules.barrierWidth < 0 }
    hearts.removeAll { $0 + rules.heartRadius < 0 }
    untilBarrier -= way
    while untilBarrier <= 0 {
      let place = rules.screenWidth + untilBarrier
      let gap = (rules.gap + Double.random(in: -rules.gapSpread...rules.gapSpread, using: &chance)) * gapFactor
      barriers.append(place)
      made += 1
      if made.isMultiple(of: rules.barriersPerHeart) {
        hearts.append(place + rules.barrierWidth + gap * Units.half)
      }
      untilBarrier += rules.barrierWidth + max(gap, 1)
    }
  }

  /// Whether a runner with feet at this height runs into a barrier.
  public func isHit(atHeight height: Double, _ rules: PacketRunRules) -> Bool {
    height < rules.barrierHeight
      && barriers.contains {
        $0 < rules.runnerX + rules.runnerWidth && $0 + rules.barrierWidth > rules.runnerX
      }
  }

  /// Takes the hearts that a runner with feet at this height touches; tells how many.
  mutating func collect(atHeight height: Double, _ rules: PacketRunRules) -> Int {
    let before = hearts.count
    hearts.removeAll {
      let x = min(max($0, rules.runnerX), rules.runnerX + rules.runnerWidth)
      let y = min(max(rules.heartHeight, height), height + rules.runnerHeight)
      return Point(x: x, y: y).isWithin(rules.heartRadius, of: Point(x: $0, y: rules.heartHeight))
    }
    return before - hearts.count
  }
}
