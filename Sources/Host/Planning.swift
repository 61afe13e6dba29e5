// SPDX-License-Identifier: Apache-2.0

import Engine

/// What is planned by one turn and told nobody before the mixer has it. Control may not be let run in between; where the mixer has
/// passed what was planned by then, the engine is put back and all is planned anew, by a later turn. So what is told is what happens.
struct Planning {
  /// An engine that it may be put back to.
  private struct Kept {
    var engine: Engine
    /// How much had been noted of chapters by then, where it is.
    var rhythmSteps: Int
  }

  private var before: Kept?
  private var attempts = 0

  /// A machine that is late so often in a row is not waited for.
  static let most = 3

  /// Whether what is planned may be planned anew; else it is carried out however late it is.
  private(set) var isKept = false

  /// Something is about to be planned that may be heard as soon as it can.
  mutating func begin(_ engine: @autoclosure () -> Engine, _ steps: RhythmSteps?) {
    if isKept || attempts == Self.most { return }
    before = Kept(engine: engine(), rhythmSteps: steps?.count ?? 0)
    isKept = true
  }

  /// The mixer had passed it: puts the engine back.
  mutating func putBack(_ engine: inout Engine, _ steps: RhythmSteps?) {
    guard let kept = before.take() else { return }
    engine = kept.engine
    steps?.forget(from: kept.rhythmSteps)
    isKept = false
    attempts += 1
  }

  /// The mixer has it, or there is nothing for it.
  mutating func end() {
    if isKept { before = nil }
    isKept = false
    attempts = 0
  }
}
