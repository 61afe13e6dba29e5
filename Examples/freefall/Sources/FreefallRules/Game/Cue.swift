// SPDX-License-Identifier: Apache-2.0

/// A cue of the pack `freefall`, by its name there: what is heard and felt at one moment.
public struct Cue: Hashable, Sendable {
  public let name: String
  /// The track that it plays, of a level's music.
  public let track: String?

  private init(name: String, track: String? = nil) {
    self.name = name
    self.track = track
  }

  public static let flip = Cue(name: "flip")
  public static let death = Cue(name: "death")
  public static let goal = Cue(name: "goal")
  public static let levelComplete = Cue(name: "level-complete")
  public static let button = Cue(name: "ui-tap")
  public static let worldUnlock = Cue(name: "world-unlock")
  public static let collect = Cue(name: "collect")
  /// Cuts the music, says its word and begins its track, each in its time.
  public static let intermission = Cue(name: "intermission")
  public static let intermissionDeath = Cue(name: "intermission-death")

  /// The music of a level: its track fades in over what played before.
  public static func music(_ level: LevelName, rules: WorldRules) -> Cue {
    let letter = level.number <= rules.calmLevels ? "a" : "b"
    return Cue(name: "world\(level.world)-music-\(letter)", track: "world\(level.world)-track-\(letter)")
  }
}

extension WorldRules {
  /// Beats per minute of a level's track.
  public func bpm(_ level: LevelName) -> Double {
    (level.number <= calmLevels ? calmBPM : heavyBPM)[level.world - 1]
  }
}
