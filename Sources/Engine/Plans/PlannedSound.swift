// SPDX-License-Identifier: Apache-2.0

import Mixing
import Timing

/// What a sound is to do at an instant, not yet turned into frames.
struct PlannedSound {
  /// What it does.
  enum Action {
    case start(VoiceStart<NamedSource>)
    /// Of one voice, or for nil of all that sound then.
    case stop(VoiceID?, Fade)
  }

  var action: Action
  var cause: Cause
  /// The cue that it is part of.
  var cue: PlanID?
}
