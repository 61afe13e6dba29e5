// SPDX-License-Identifier: Apache-2.0

/// Every number of the game. What the design is silent about is proposed in `Rules.designed`, which says so.
/// Points are lengths on the screen, times microseconds.
public struct Rules: Equatable, Sendable, Codable {
  public var flow: FlowRules
  public var handshake: HandshakeRules
  public var packetRun: PacketRunRules
  public var cipher: CipherRules
  public var firewall: FirewallRules
  public var blueprint: BlueprintRules
  public var eventHorizon: EventHorizonRules
  public var message: MessageRules
}

/// What lies between and over the chapters.
public struct FlowRules: Equatable, Sendable, Codable {
  /// How long a victory stands before the next chapter begins by itself.
  public var victoryUs: Int64
  /// How long "welcome back" stands.
  public var welcomeBackUs: Int64
  /// From asking the daemon to go on to asking it again, where it still stands.
  public var askAgainUs: Int64
}

/// The long press.
public struct HandshakeRules: Equatable, Sendable, Codable {
  public var holdUs: Int64
}

/// The runner. Heights are of the ground, upwards; places are from the left.
public struct PacketRunRules: Equatable, Sendable, Codable {
  /// How long to survive, in one go.
  public var surviveUs: Int64
  public var hearts: Int
  public var helpAfterDeaths: Int
  /// What the speed is multiplied by when help begins.
  public var helpSpeedFactor: Double
  /// What gaps are multiplied by when help begins.
  public var helpGapFactor: Double
  public var stepsPerSecond: Int
  public var screenWidth: Double
  public var runnerX: Double
  public var runnerWidth: Double
  public var runnerHeight: Double
  /// Points per second, each second, downwards.
  public var gravity: Double
  /// Points per second upwards.
  public var jumpSpeed: Double
  /// Points per second downwards, the most of them while held.
  public var glideSpeed: Double
  /// Points per second at which barriers come.
  public var speed: Double
  public var barrierWidth: Double
  public var barrierHeight: Double
  /// Points between barriers: never below `gap` - `gapSpread`, never above their sum.
  public var gap: Double
  public var gapSpread: Double
  public var heartHeight: Double
  public var heartRadius: Double
  /// Every so many barriers a heart comes, in the middle of the gap behind it.
  public var barriersPerHeart: Int
  /// From a death to the next run.
  public var deadUs: Int64
}

/// Three wheels of words.
public struct CipherRules: Equatable, Sendable, Codable {
  public var wheels: [WheelRules]
  public var helpAfterAttempts: Int
  /// Opacity of the right segment in the centre, once help has begun.
  public var glow: Double
  /// Opacity of the right segment `glowReach` segments from the centre; beyond there is none.
  public var glowAtReach: Double
  /// Segments.
  public var glowReach: Double
  /// How long a wheel takes to settle on its segment.
  public var settleUs: Int64
  /// The farthest one movement turns a wheel, in segments: what is more is not of a finger.
  public var mostSegments: Double
}

/// A wheel: one word is right.
public struct WheelRules: Equatable, Sendable, Codable {
  public var answer: String
  public var decoys: [String]
}

/// The chapter that the daemon judges, by its pack.
public struct FirewallRules: Equatable, Sendable, Codable {
  /// The chapter's name in the pack.
  public var chapter: String
  /// From a run that somebody stopped to the next.
  public var askAgainUs: Int64
}

/// Twelve nodes on a heart: x = `wave` sin³ t, y = the sum of `waves` cos t, cos 2t, …, upwards.
public struct BlueprintRules: Equatable, Sendable, Codable {
  public var nodes: Int
  public var wave: Double
  public var waves: [Double]
  public var landmarks: [Landmark]
  /// Points for each unit of the heart.
  public var scale: Double
  public var nodeRadius: Double
  /// Radii of a node within which it is hit.
  public var hitRadii: Double
  public var snapBackUs: Int64
  public var helpAfterUs: Int64
  /// How long a pulse takes one way.
  public var pulseUs: Int64
  public var pulseScale: Double
  public var restingOpacity: Double
  /// A movement is looked at every so many points, so that none passes a node unseen.
  public var lookEvery: Double
  /// The farthest a place may be from the heart's middle, in points.
  public var reach: Double
}

/// A node with a name.
public struct Landmark: Equatable, Sendable, Codable {
  public var node: Int
  public var name: String
}

/// The slider.
public struct EventHorizonRules: Equatable, Sendable, Codable {
  /// handle = finger to this power, 0 to 1 both.
  public var power: Double
}

/// The message at the end.
public struct MessageRules: Equatable, Sendable, Codable {
  /// From each failure to the next attempt; there is one attempt more than there are waits.
  public var waitsUs: [Int64]
  /// How long an attempt waits for its answer.
  public var answerUs: Int64
  /// What it says, where nothing else is configured.
  public var content: String
}
