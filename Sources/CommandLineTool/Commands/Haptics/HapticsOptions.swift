// SPDX-License-Identifier: Apache-2.0

import CommandTable

/// What several verbs of haptics take.
enum HapticsOptions {
  static let at = OptionKey.duration("at", in: planAhead, help: "when, counted from now")
}
