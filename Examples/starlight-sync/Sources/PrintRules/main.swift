// SPDX-License-Identifier: Apache-2.0

// Writes the rules as designed, as JSON: for `mutate-rules`, and for whoever wants to play by others.

import FoundationEssentials
import SyncRules

let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
print(String(decoding: try encoder.encode(Rules.designed), as: UTF8.self))
