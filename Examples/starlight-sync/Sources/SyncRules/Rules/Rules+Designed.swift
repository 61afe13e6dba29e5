// SPDX-License-Identifier: Apache-2.0

extension Rules {
  /// The game as designed. Proposed where the design is silent: how long victories and "welcome back" stand; all of the
  /// runner but when it is won and helped; the decoys, how a glow fades and how long a wheel settles; the heart's scale;
  /// how long the message's answer is waited for, and when something is asked for again; and what bounds a finger's movement.
  public static let designed = Rules(
    flow: FlowRules(victoryUs: 2_000_000, welcomeBackUs: 1_500_000, askAgainUs: 1_000_000),
    handshake: HandshakeRules(holdUs: 3_000_000),
    packetRun: PacketRunRules(
      surviveUs: 60_000_000,
      hearts: 20,
      helpAfterDeaths: 3,
      helpSpeedFactor: 0.8,
      helpGapFactor: 1.2,
      stepsPerSecond: 120,
      screenWidth: 390,
      runnerX: 80,
      runnerWidth: 30,
      runnerHeight: 40,
      gravity: 1800,
      jumpSpeed: 640,
      glideSpeed: 140,
      speed: 240,
      barrierWidth: 24,
      barrierHeight: 50,
      gap: 380,
      gapSpread: 120,
      heartHeight: 90,
      heartRadius: 14,
      barriersPerHeart: 2,
      deadUs: 1_000_000),
    cipher: CipherRules(
      wheels: [
        WheelRules(answer: "THIS IS", decoys: ["HERE GOES", "THAT WAS", "IT SEEMS", "YOU ARE"]),
        WheelRules(answer: "CRIMINAL", decoys: ["MAGICAL", "LOGICAL", "TYPICAL", "CYNICAL"]),
        WheelRules(answer: "BEHAVIOUR", decoys: ["ADVENTURE", "MOONLIGHT", "DISTANCE", "NONSENSE"]),
      ],
      helpAfterAttempts: 3,
      glow: 0.3,
      glowAtReach: 0.15,
      glowReach: 1,
      settleUs: 200_000,
      mostSegments: 25),
    firewall: FirewallRules(chapter: "firewall", askAgainUs: 1_000_000),
    blueprint: BlueprintRules(
      nodes: 12,
      wave: 16,
      waves: [13, -5, -2, -1],
      landmarks: [
        Landmark(node: 0, name: "Dog"), Landmark(node: 2, name: "New Apt"), Landmark(node: 6, name: "Coffee"),
        Landmark(node: 10, name: "Paris"),
      ],
      scale: 10,
      nodeRadius: 22,
      hitRadii: 1.5,
      snapBackUs: 200_000,
      helpAfterUs: 10_000_000,
      pulseUs: 800_000,
      pulseScale: 1.3,
      restingOpacity: 0.6,
      lookEvery: 4,
      reach: 1000),
    eventHorizon: EventHorizonRules(power: 0.8),
    message: MessageRules(
      waitsUs: [1_000_000, 2_000_000], answerUs: 10_000_000, content: "@everyone SHE SAID YES! ❤️"))
}
