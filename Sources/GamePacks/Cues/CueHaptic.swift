// SPDX-License-Identifier: Apache-2.0

import Timing

/// How a cue plays a pattern.
public struct CuePattern: Equatable, Sendable {
  /// The pattern, or several, of which a firing plays one.
  public var pattern: CueChoice
  /// Times every intensity, 0 to 1; anything in between.
  public var gain: ClosedRange<Double>
  /// Playback rate, 0.1 to 10; 1 is as it was made.
  public var rate: Double
  /// Whether it repeats until it is stopped.
  public var loops: Bool
}

extension CuePattern {
  /// Of a pattern a gain makes less alone.
  static let gainRule = ValueRule.span(0...1)

  init(_ fields: PackFields<PackCue.Step.Keys>) {
    pattern = CueChoice(fields, .pattern)
    gain = fields.span(.gain, by: Self.gainRule)
    rate = fields.optionalNumber(.rate) ?? 1
    loops = fields.truth(.loop) ?? false
  }
}

/// One event that is felt, written in its cue.
public struct CueHaptic: Equatable, Sendable {
  /// How strong it is felt, 0 to 1.
  public var intensity: Double
  /// From dull, 0, to sharp, 1.
  public var sharpness: Double
  /// How long it lasts; nil for a tap.
  public var duration: Interval?
}

extension CueHaptic {
  enum TransientKeys: String, PackKey {
    case intensity, sharpness

    var rule: FieldRule {
      switch self {
      case .intensity: .must(.number(0...1), "how strong it is felt")
      case .sharpness: .must(.number(0...1), "from dull to sharp")
      }
    }
  }

  enum ContinuousKeys: String, PackKey {
    case intensity, sharpness, duration

    var rule: FieldRule {
      switch self {
      case .intensity: .must(.number(0...1), "how strong it is felt")
      case .sharpness: .must(.number(0...1), "from dull to sharp")
      case .duration: .must(.seconds(leastSeconds...30), "how long it lasts, in seconds")
      }
    }
  }

  init(transient manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: TransientKeys.self)
    intensity = fields.number(.intensity)
    sharpness = fields.number(.sharpness)
  }

  init(continuous manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: ContinuousKeys.self)
    intensity = fields.number(.intensity)
    sharpness = fields.number(.sharpness)
    duration = fields.seconds(.duration)
  }
}
