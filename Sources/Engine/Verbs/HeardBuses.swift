// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Wire

// By whose volumes what is played is heard.

extension PackManifest {
  /// By whose volume a sound is heard.
  func heardBus(of sound: String) -> HeardBus {
    switch sounds[sound]?.bus {
    case .voice: .voice
    case .sound, nil: .sound
    }
  }
}

extension HapticPattern {
  /// By whose volume it is heard; nil where it is only felt.
  var heardBus: HeardBus? { audioEvents.isEmpty ? nil : .sound }
}

extension CueMusic {
  /// Whether music is heard by it: a stop only ends what is.
  var isHeard: Bool {
    switch self {
    case .play, .gain: true
    case .stop: false
    }
  }
}
