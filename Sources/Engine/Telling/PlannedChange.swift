// SPDX-License-Identifier: Apache-2.0

import Timing

/// What a step of a cue, or a verb of music, changes or ends, as it is handed to the mixer or the haptic outputs: for what is
/// recorded of it.
public struct PlannedChange: Sendable, Equatable {
  /// The number of the firing; nil for a verb of its own.
  public var cue: Int64?
  /// Whose line it goes back to.
  public var cause: Cause
  /// When it is heard or felt.
  public var at: Instant
  /// The verb of music that it is.
  public var plan: Int64?
  /// The frame that it is heard from; nil for what is felt.
  public var frame: Int64?
}

extension Engine {
  /// Notes that a step of `cue`, or the verb of music `plan`, was handed over; nothing for what is neither.
  mutating func noteChange(
    of cue: PlanID?, plan: PlanID? = nil, at instant: Instant, frame: Int64?, by cause: Cause
  ) {
    if cue == nil, plan == nil { return }
    changes.append(
      PlannedChange(cue: cue?.rawValue, cause: cause, at: instant, plan: plan?.rawValue, frame: frame))
  }

  /// What was handed over of cues since the last call.
  public mutating func takeChanges() -> [PlannedChange] {
    defer { changes = [] }
    return changes
  }
}
