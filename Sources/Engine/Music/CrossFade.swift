// SPDX-License-Identifier: Apache-2.0

import Mixing

/// How a track takes over from what sounds: by one fade for both, or by two that differ.
struct CrossFade {
  /// By which the track comes in.
  var fadeIn: Fade
  /// By which what sounds goes out; nil where it is the same fade.
  var fadeOut: Fade?
  /// Whether the track fades in as long where nothing sounds: where its length was asked for.
  var fadesInAlone: Bool
}
