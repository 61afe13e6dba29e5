// SPDX-License-Identifier: Apache-2.0

/// Every number of the game. What the design is silent about is proposed in `Rules.designed`, which says so.
/// Points are lengths on the screen; scores say "score". Times are microseconds.
public struct Rules: Equatable, Sendable, Codable {
  public var worlds: WorldRules
  public var ball: BallRules
  public var play: PlayRules
  public var score: ScoreRules
  public var words: WordRules
  public var breathing: BreathingRules
  public var intermission: IntermissionRules
}

/// Worlds, their levels and their music.
public struct WorldRules: Equatable, Sendable, Codable {
  /// Titles by world; as many as there are worlds.
  public var titles: [String]
  public var levelsPerWorld: Int
  /// Levels of a world to its calm track; those after it have the heavier one.
  public var calmLevels: Int
  /// Levels after which an intermission comes.
  public var intermissionAfter: [Int]
  /// Beats per minute of each world's calm track.
  public var calmBPM: [Double]
  /// Beats per minute of each world's heavier track.
  public var heavyBPM: [Double]
}

/// The ball and the screen it falls through.
public struct BallRules: Equatable, Sendable, Codable {
  public var screenWidth: Double
  public var screenHeight: Double
  public var radius: Double
  /// Points per second, each second, up or down.
  public var gravity: Double
  public var stepsPerSecond: Int
  public var collectibleRadius: Double
  /// Half the width of an obstacle that is a line.
  public var lineReach: Double
  /// The trail keeps the ball's place every so many steps.
  public var stepsPerTrailPoint: Int
  /// The trail forgets its oldest places beyond so many.
  public var trailPoints: Int
}

/// How long a play state lasts.
public struct PlayRules: Equatable, Sendable, Codable {
  public var deadUs: Int64
  /// From the goal to the completion word.
  public var completeUs: Int64
  /// From asking the daemon to go on to asking it again, where it still stands.
  public var askAgainUs: Int64
}

/// Scores of a level.
public struct ScoreRules: Equatable, Sendable, Codable {
  public var collectible: Int
  public var level: Int
  /// The most that speed brings.
  public var speed: Int
}

/// Weights of the completion words, in percent.
public struct WordRules: Equatable, Sendable, Codable {
  /// Within par: FRESH; CLEAN has the rest of 100.
  public var freshWithinPar: Int
  /// A trail with more crossings than this is a tangle.
  public var tangleCrossings: Int
  /// A tangle: DOPE; CLEAN has the rest of 100.
  public var dopeOfTangle: Int
  public var cleanOtherwise: Int
  public var freshOtherwise: Int
  public var dopeOtherwise: Int
  public var niceOtherwise: Int
}

/// How the background answers a beat.
public struct BreathingRules: Equatable, Sendable, Codable {
  public var riseUs: Int64
  public var brightness: Double
  /// Parts of a beat in which brightness and the goal's ring go back.
  public var brightnessFall: Double
  public var restingOutline: Double
  public var fullOutline: Double
  /// Part of a beat in which outlines go back.
  public var outlineFall: Double
  /// Opacity of the goal's ring between beats; a beat takes it to 1.
  public var restingRing: Double
  /// How many beats that are yet to be heard are remembered. They are told 300 ms ahead, so that of the quickest music there are
  /// two; where more are told, the earliest count as heard.
  public var mostBeatsAhead: Int
}

/// The fall between levels.
public struct IntermissionRules: Equatable, Sendable, Codable {
  public var blackUs: Int64
  /// From the beginning of the intermission to play, where its track begins.
  public var playUs: Int64
  public var stepsPerSecond: Int
  /// Of the screen's height, from the top.
  public var ballHeight: Double
  /// Points per second a dodge gives the ball, to the tapped half.
  public var dodgeSpeed: Double
  /// The spring to the centre: points per second, each second, for each point away from it.
  public var springStiffness: Double
  /// The spring's damping, per second.
  public var springDamping: Double
  /// Points per second at first.
  public var speed: Double
  /// Speed is multiplied by this every `speedStepUs`.
  public var speedFactor: Double
  public var speedStepUs: Int64
  /// Points between walls: never below `wallGap` - `wallGapSpread`, never above their sum.
  public var wallGap: Double
  public var wallGapSpread: Double
  public var wallThickness: Double
  /// How far a wall reaches past the centre.
  public var wallReach: Double
  /// Score of a step, for each point per second of speed.
  public var scorePerSpeed: Double
  public var firstBonusUs: Int64
  public var firstBonus: Double
  public var secondBonusUs: Int64
  public var secondBonus: Double
  /// From death: white to black.
  public var whiteUs: Int64
  /// How long the words stand once all is black.
  public var wordsUs: Int64
}
