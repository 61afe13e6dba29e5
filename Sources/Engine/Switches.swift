// SPDX-License-Identifier: Apache-2.0

import Wire

/// What the player has set: what is heard and felt at all, how loud, and how late taps come.
struct Switches: Equatable {
  var music = true
  var sound = true
  var haptics = true
  /// Of all that is heard, 0 to 1, as a slider shows it; so the others.
  var masterVolume = 1.0
  var musicVolume = 1.0
  /// Of effects and of what is heard of patterns.
  var soundVolume = 1.0
  var voiceVolume = 1.0
  var hapticsVolume = 1.0
  /// Of chapters that begin: one that runs keeps what it began with.
  var judging = JudgingProfiles(current: JudgingProfile.standard, most: JudgingProfile.most)
}
