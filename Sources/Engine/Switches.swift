// SPDX-License-Identifier: Apache-2.0

/// What the player has set: what is heard and felt at all, and how loud.
struct Switches: Equatable {
  var music = true
  var sound = true
  var haptics = true
  /// 0 to 1, as a slider shows it.
  var musicVolume = 1.0
  var soundVolume = 1.0
}
