// SPDX-License-Identifier: Apache-2.0

/// How the background looks at an instant, by the last beat.
public struct Breathing: Equatable, Sendable {
  /// Added to the brightness of all.
  public let brightness: Double
  /// Width of outlines, in points.
  public let outline: Double
  /// Opacity of the goal's ring.
  public let ring: Double

  /// As it is between beats, and where nothing breathes.
  public static func resting(_ rules: BreathingRules) -> Breathing {
    Breathing(brightness: 0, outline: rules.restingOutline, ring: rules.restingRing)
  }

  /// At `us`, breathing since `sinceUs`; nil, or a beat before that instant, leaves all at rest.
  public static func at(_ us: Int64, sinceUs: Int64?, beat: Beat?, rules: BreathingRules) -> Breathing {
    guard let sinceUs, let beat, beat.atUs >= sinceUs, beat.atUs <= us else { return resting(rules) }
    let wide = lift(us - beat.atUs, riseUs: rules.riseUs, fallUs: rules.brightnessFall * Double(beat.lengthUs))
    let brief = lift(us - beat.atUs, riseUs: rules.riseUs, fallUs: rules.outlineFall * Double(beat.lengthUs))
    return Breathing(
      brightness: rules.brightness * wide,
      outline: rules.restingOutline + (rules.fullOutline - rules.restingOutline) * brief,
      ring: rules.restingRing + (1 - rules.restingRing) * wide)
  }

  /// 0 to 1 within the rise, back to 0 within the fall after it.
  private static func lift(_ sinceUs: Int64, riseUs: Int64, fallUs: Double) -> Double {
    if sinceUs < riseUs { return Double(sinceUs) / Double(riseUs) }
    return fallUs > 0 ? max(1 - Double(sinceUs - riseUs) / fallUs, 0) : 0
  }
}
