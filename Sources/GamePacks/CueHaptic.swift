// SPDX-License-Identifier: Apache-2.0

import Timing

/// How a cue plays a pattern.
public struct CuePattern: Equatable, Sendable {
  /// The pattern.
  public var pattern: CueChoice
  /// Times every intensity, 0 to 1; anything in between.
  public var gain: ClosedRange<Double>
  /// Playback rate.
  public var rate: Double
  /// Whether it repeats until it is stopped.
  public var loops: Bool
}

extension CuePattern {
  init(_ fields: PackFields<PackCue.Step.Keys>) {
    pattern = CueChoice(fields, .pattern)
    gain = fields.span(.gain, in: 0...1)
    rate = fields.optionalNumber(.rate, in: 0.1...10) ?? 1
    loops = fields.optional(.loop).map(fields.file.truth) ?? false
  }
}

/// One event that is felt, written in its cue.
public struct CueHaptic: Equatable, Sendable {
  /// 0 to 1.
  public var intensity: Double
  /// 0 to 1.
  public var sharpness: Double
  /// How long it lasts; nil for a tap.
  public var duration: Interval?
}

extension CueHaptic {
  enum TransientKeys: String, CodingKey, CaseIterable {
    case intensity, sharpness
  }

  enum ContinuousKeys: String, CodingKey, CaseIterable {
    case intensity, sharpness, duration
  }

  init(transient manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: TransientKeys.self)
    intensity = fields.number(.intensity, in: 0...1)
    sharpness = fields.number(.sharpness, in: 0...1)
  }

  init(continuous manifest: PackFile, _ index: Int) {
    let fields = PackFields(manifest, index, keys: ContinuousKeys.self)
    intensity = fields.number(.intensity, in: 0...1)
    sharpness = fields.number(.sharpness, in: 0...1)
    duration = fields.seconds(.duration, in: leastSeconds...30)
  }
}
