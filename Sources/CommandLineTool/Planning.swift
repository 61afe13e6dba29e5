// SPDX-License-Identifier: Apache-2.0

import CommandTable
import StarlightClient
import Wire

/// How far from now something may be planned, in seconds.
let planAhead = 0...Double(farthestPlanUs) / 1e6

/// Of all commands that may do later what they do.
let plannedAt = OptionKey.duration("at", in: planAhead, help: "when, counted from now")

extension Tool {
  /// The instant that an option in seconds from now means, on the daemon's clock.
  func instant(
    _ key: OptionKey<Double>, _ connection: StarlightConnection
  ) throws(ToolFailure) -> Int64? {
    guard let seconds = invocation[key] else { return nil }
    return try connection.ask(ClockNow.self, Empty()).nowUs + microseconds(seconds)
  }
}

/// "heard in 5.3 ms": how far off an instant is.
func due(_ verb: String, _ scheduledUs: Int64) -> String {
  "\(verb) in \(milliseconds(max(0, scheduledUs - nowUs())))"
}

/// ", 2.0 ms late", or nothing.
func late(_ lateUs: Int64) -> String { lateUs > 0 ? ", \(milliseconds(lateUs)) late" : "" }
