// SPDX-License-Identifier: Apache-2.0

import CommandTable

/// Refuses what a stepped clock would pass over in silence: it renders in pieces of a length of its own.
func checkPeriod(_ invocation: Invocation) throws(UsageError) {
  guard invocation[DaemonOptions.period] != nil, invocation[DaemonOptions.clock] == "stepped" else { return }
  throw UsageError(
    "--period is for a sound device, and with --clock stepped there is none", hint: "leave --period out")
}
