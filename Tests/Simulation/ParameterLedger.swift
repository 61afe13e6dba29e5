// SPDX-License-Identifier: Apache-2.0

import Wire

/// The settings of parameters that were promised: none is told that was not, nor at another instant.
struct ParameterLedger {
  /// How many of each instant are to come.
  private var promised: [Int64: Int] = [:]

  mutating func promise(at scheduledUs: Int64) { promised[scheduledUs, default: 0] += 1 }

  mutating func hear(_ told: ParameterChanged, at tUs: Int64, nowUs: Int64) throws {
    try ensure(tUs <= nowUs, "a setting of \(told.parameter) is told at \(tUs), after now, \(nowUs)")
    try ensure((0...1).contains(told.value), "\(told.parameter) is told as \(told.value)")
    let left = promised[tUs, default: 0]
    try ensure(left > 0, "a setting of \(told.parameter) at \(tUs) was promised to nobody")
    promised[tUs] = left - 1
  }
}
