// SPDX-License-Identifier: Apache-2.0

import SyncRules

/// When a player is called away and moves its switches: by the time that a chapter has been played, by the game's clock.
struct Interruptions {
  enum Deed {
    case callAway
    case sound(Bool)
    case touch(Bool)
    case music(Bool)

    var isCallAway: Bool { if case .callAway = self { true } else { false } }

    /// Whether a switch is on from there on.
    var isOn: Bool {
      switch self {
      case .callAway: false
      case .sound(let isOn), .touch(let isOn), .music(let isOn): isOn
      }
    }
  }

  /// Each once, in this order.
  private static let plan: [Chapter: [(us: Int64, deed: Deed)]] = [
    .handshake: [
      (900_000, .sound(false)), (1_400_000, .music(false)), (2_000_000, .sound(true)), (2_200_000, .music(true)),
      (3_500_000, .callAway),
    ],
    .packetRun: [
      (6_000_000, .callAway), (15_000_000, .sound(false)), (21_000_000, .sound(true)), (21_000_000, .touch(false)),
      (27_000_000, .touch(true)), (28_000_000, .music(false)), (34_000_000, .music(true)),
    ],
    .cipher: [
      (2_400_000, .callAway), (3_000_000, .touch(false)), (3_400_000, .touch(true)), (3_400_000, .sound(false)),
      (3_800_000, .sound(true)), (3_900_000, .music(false)), (4_500_000, .music(true)),
    ],
    .firewall: [
      (1_500_000, .callAway), (12_000_000, .music(false)), (14_000_000, .music(true)), (16_000_000, .sound(false)),
      (19_000_000, .sound(true)), (22_000_000, .touch(false)), (25_000_000, .touch(true)), (33_333_000, .callAway),
    ],
    .blueprint: [
      (3_000_000, .callAway), (11_500_000, .touch(false)), (12_300_000, .touch(true)), (12_600_000, .sound(false)),
      (13_600_000, .sound(true)), (13_700_000, .music(false)), (14_200_000, .music(true)),
    ],
    .eventHorizon: [(900_000, .callAway), (1_600_000, .sound(false)), (2_000_000, .sound(true))],
  ]

  private var chapter: Chapter?
  private var rest: [(us: Int64, deed: Deed)] = []

  /// What is due; of a chapter that was over sooner the switches that are yet to be moved.
  mutating func due(_ chapter: Chapter, us: Int64) -> [Deed] {
    var due: [Deed] = []
    if chapter != self.chapter {
      due = rest.map(\.deed).filter { !$0.isCallAway }
      (self.chapter, rest) = (chapter, Self.plan[chapter] ?? [])
    }
    let now = rest.prefix { $0.us <= us }
    rest.removeFirst(now.count)
    return due + now.map(\.deed)
  }
}
