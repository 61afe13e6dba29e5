// SPDX-License-Identifier: Apache-2.0

import Wire

/// When what is felt of a cue begins: with its sounds, or as soon after as motors can be told, and never before; and as was
/// told. What lies a tenth of a second behind its cue there is always the time to prepare for.
struct TouchLedger {
  private struct Firing {
    var zeroUs: Int64
    /// The first that was told to be felt.
    var feltUs: Int64?
    /// Whether nothing of it was skipped at once.
    var isWhole: Bool
    var isAsap: Bool
    var steps: [(source: String, afterUs: Int64)]
  }

  /// The longest that a motor must be told ahead.
  static let longestLeadUs: Int64 = 35_000
  private var firings: [Int64: Firing] = [:]

  mutating func promise(_ result: CueFire.Result, _ id: Int64, isAsap: Bool) {
    guard let steps = SimulatedPack.playersOfCues[result.cue] else { return }
    firings[id] = Firing(
      zeroUs: result.scheduledUs, feltUs: result.hapticAtUs, isWhole: result.skipped.isEmpty, isAsap: isAsap,
      steps: steps)
  }

  mutating func hear(_ told: HapticsChanged, at tUs: Int64) throws {
    guard told.change == .started, let cue = told.cue, let firing = firings[cue],
      let place = firing.steps.firstIndex(where: { $0.source == told.source })
    else { return }
    let heardUs = firing.zeroUs + firing.steps[place].afterUs
    let what = "\(told.source) of cue \(cue), whose sounds are at \(heardUs), is felt at \(tUs)"
    try ensure(firing.feltUs.map { tUs >= $0 } ?? false, "\(what), and the first was told for \(firing.feltUs ?? 0)")
    if place == 0, firing.isWhole { try ensure(tUs == firing.feltUs, "\(what), not at \(firing.feltUs ?? 0)") }
    if firing.steps[place].afterUs > 0 {
      try ensure(tUs <= heardUs && (firing.isAsap || tUs == heardUs), what)
    } else if firing.isWhole, !firing.isAsap {
      try ensure((0...Self.longestLeadUs).contains(tUs - heardUs), what)
    }
  }
}
