// SPDX-License-Identifier: Apache-2.0

extension Rules {
  /// The game as designed. Proposed where the design is silent: the ball, the screen, the trail's grain, the resting ring,
  /// and of the intermission the dodge, the spring and the walls' size and spread; when something is asked for again, and how many
  /// beats are remembered.
  public static let designed = Rules(
    worlds: WorldRules(
      titles: ["THE BLOCK", "NEON YARD", "UNDERGROUND", "STATIC"],
      levelsPerWorld: 10,
      calmLevels: 5,
      intermissionAfter: [5, 10],
      calmBPM: [88, 172, 160, 132],
      heavyBPM: [95, 174, 165, 138]),
    ball: BallRules(
      screenWidth: 390,
      screenHeight: 844,
      radius: 10,
      gravity: 700,
      stepsPerSecond: 120,
      collectibleRadius: 10,
      lineReach: 2,
      stepsPerTrailPoint: 4,
      trailPoints: 1024),
    play: PlayRules(deadUs: 300_000, completeUs: 800_000, askAgainUs: 1_000_000),
    score: ScoreRules(collectible: 50, level: 200, speed: 300),
    words: WordRules(
      freshWithinPar: 25,
      tangleCrossings: 5,
      dopeOfTangle: 60,
      cleanOtherwise: 40,
      freshOtherwise: 25,
      dopeOtherwise: 20,
      niceOtherwise: 15),
    breathing: BreathingRules(
      riseUs: 50_000,
      brightness: 0.08,
      brightnessFall: 0.6,
      restingOutline: 3,
      fullOutline: 6,
      outlineFall: 0.4,
      restingRing: 0.5,
      mostBeatsAhead: 16),
    intermission: IntermissionRules(
      blackUs: 300_000,
      playUs: 1_300_000,
      stepsPerSecond: 60,
      ballHeight: 0.3,
      dodgeSpeed: 1300,
      springStiffness: 16,
      springDamping: 8,
      speed: 400,
      speedFactor: 1.08,
      speedStepUs: 3_000_000,
      wallGap: 400,
      wallGapSpread: 100,
      wallThickness: 24,
      wallReach: 20,
      scorePerSpeed: 0.1,
      firstBonusUs: 15_000_000,
      firstBonus: 1.5,
      secondBonusUs: 30_000_000,
      secondBonus: 2,
      whiteUs: 300_000,
      wordsUs: 1_500_000))
}
