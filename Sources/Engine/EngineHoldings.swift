// SPDX-License-Identifier: Apache-2.0

extension Engine {
  /// What is kept for what plays, is planned or fades; zero everywhere when all has ended.
  package var holdings: [String: Int] {
    [
      "plans": plans.count + sounds.held.waiting.count, "sounds": sounds.voices.count,
      "tracks": music.player.voices.count,
      "verbs of music": music.count, "cues": cues.fired.count + cues.running.count + cues.leaving.count,
      "things to tell": paced.count,
      "shares": shares.count + haptics.changes.count,
      "haptic players": haptics.owners.count, "players of the mirror": haptics.mixer.activePlayers.count,
      "stops of players": haptics.stops.count, "changes of players": haptics.mixer.pendingCount,
      "settings of parameters": parameters.plannedCount,
      "sounds of patterns": haptics.audio.voiceCount,
      "unheard sounds of patterns": haptics.audio.unheard.count,
      "chapters": chapter == nil ? 0 : 1,
    ]
  }

  /// How many verbs of music were thought through to answer lines, since the start.
  package var musicSteps: Int { music.forecast.steps }

  /// How many starts of patterns' sounds were looked at, since the start.
  package var patternSoundLooks: Int { haptics.audio.looks }

  /// How many voices of its pattern's sounds a player has by now, without those that were ended.
  package func patternVoices(of player: Int64) -> Int {
    haptics.audio.sounds.reduce(0) { count, sound in
      Int64(sound.player.rawValue) == player && sound.goesOn(at: turn.now) ? count + sound.voices.count : count
    }
  }

  /// Whether a haptic player plays or waits for its instant.
  public var isFelt: Bool { !haptics.owners.isEmpty }
}
