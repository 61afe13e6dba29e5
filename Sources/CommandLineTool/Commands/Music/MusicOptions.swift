// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

/// What several verbs of music take.
enum MusicOptions {
  static let at = OptionKey.duration("at", in: planAhead, help: "when, counted from now")

  /// `--crossfade` of a change that cross-fades.
  static func crossfade(_ param: OptionalParam<Int64>) -> OptionKey<Double> {
    .duration(
      "crossfade", short: "c", in: param.seconds, default: Double(param.fallback) / 1e6,
      help: "length of the cross-fade; 0 cuts")
  }

  /// `--fade` of a change that fades what plays.
  static func fade(_ param: OptionalParam<Int64>) -> OptionKey<Double> {
    .duration(
      "fade", short: "f", in: param.seconds, default: Double(param.fallback) / 1e6, help: "length of the fade")
  }
}
