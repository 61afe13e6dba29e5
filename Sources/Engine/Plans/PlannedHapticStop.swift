// SPDX-License-Identifier: Apache-2.0

import GamePacks

/// A stop of many haptic players, kept for its instant.
struct PlannedHapticStop {
  /// The pattern that it is of; nil for all that is felt.
  var pattern: AssetKey?
  var cause: Cause
  /// The cue that it is part of.
  var cue: PlanID?
}
