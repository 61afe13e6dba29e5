// SPDX-License-Identifier: Apache-2.0

import Haptics
import Mixing
import Timing

/// What was planned and does not begin, as it is told: for what is recorded of it.
public struct UnbegunPart: Sendable, Equatable {
  /// What can be called off or skipped.
  public enum What: Sendable, Equatable {
    case sound(VoiceID)
    case player(HapticPlayerID)
    /// A verb of music, by the number of its plan.
    case music(Int64)
    /// A firing, by its number.
    case cue(Int64)
  }

  /// What it is.
  public var what: What
  /// The number of the firing that it is part of.
  public var cue: Int64?
  /// When it was to be, in the engine's time; nil for a whole cue, whose parts have instants of their own.
  public var due: Instant?
  /// What it is told for, in the engine's time.
  public var at: Instant
  /// Whether the switch for it was off at its instant; otherwise it was called off.
  public var isSkipped = false
  /// Whose line it goes back to.
  public var cause: Cause
}

extension Engine {
  /// Notes what does not begin.
  mutating func noteUnbegun(_ part: UnbegunPart) { unbegun.append(part) }

  /// What was found not to begin since the last call.
  public mutating func takeUnbegun() -> [UnbegunPart] {
    defer { unbegun = [] }
    return unbegun
  }
}
