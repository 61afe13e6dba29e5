// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Timing

/// What a sound is to do at an instant, not yet turned into frames.
struct PlannedSound {
  /// What it does.
  enum Action {
    case start(VoiceStart<NamedSource>)
    case stop(Stopped, Fade)
    case set(VoiceID, SoundChange)
  }

  /// What a stop is of.
  enum Stopped: Equatable {
    /// One voice.
    case voice(VoiceID)
    /// Every playing of a sound that has begun by then.
    case sound(AssetKey)
    /// All that have begun by then.
    case all
  }

  var action: Action
  var cause: Cause
  /// The cue that it is part of.
  var cue: PlanID?

  /// Whether it ends something.
  var isStop: Bool { if case .stop = action { true } else { false } }
}
