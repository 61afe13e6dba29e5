// SPDX-License-Identifier: Apache-2.0

import Wire

/// The settings of parameters that were promised: none is told that was not, nor at another instant.
struct ParameterLedger {
  /// The parameters of each instant that are to come, where they are known by name.
  private var promised: [Int64: [String?]] = [:]

  mutating func promise(_ name: String?, at scheduledUs: Int64) { promised[scheduledUs, default: []].append(name) }

  mutating func hear(_ told: ParameterChanged, at tUs: Int64, nowUs: Int64) throws {
    try ensure(tUs <= nowUs, "a setting of \(told.parameter) is told at \(tUs), after now, \(nowUs)")
    try ensure((0...1).contains(told.value), "\(told.parameter) is told as \(told.value)")
    let all = promised[tUs, default: []]
    guard let place = all.firstIndex(of: told.parameter) ?? all.firstIndex(of: nil) else {
      throw SimulationFailure("a setting of \(told.parameter) at \(tUs) was promised to nobody")
    }
    promised[tUs]?.remove(at: place)
  }
}
