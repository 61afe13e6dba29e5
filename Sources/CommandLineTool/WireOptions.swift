// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Wire

/// Options for what a method takes: their ranges, and what counts without them, are the wire's.
extension OptionKey<Double> {
  static func number(_ name: String, short: Character? = nil, _ param: OptionalParam<Double>, help: String) -> Self {
    .number(name, short: short, in: param.range, default: param.fallback, help: help)
  }

  static func duration(_ name: String, short: Character? = nil, _ param: OptionalParam<Int64>, help: String) -> Self {
    .duration(name, short: short, in: param.seconds, default: Double(param.fallback) / 1e6, help: help)
  }
}
