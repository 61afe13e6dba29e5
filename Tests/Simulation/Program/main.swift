// SPDX-License-Identifier: Apache-2.0

import Glibc
import Simulation

/// Runs seeds, prints what they came to, and for one that fails the line that runs it again.
let usage = """
  usage: starlight-simulation [--seed FIRST] [--seeds COUNT] [--turns N] [--edits N] [--seconds N] [--trace 1] [--kept 1]
  """
var options: [String: UInt64] = ["--turns": 200]
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  let known = ["--seed", "--seeds", "--turns", "--edits", "--seconds", "--trace", "--kept"].contains(word)
  guard known, let value = words.popFirst().flatMap(UInt64.init) else {
    print(usage)
    exit(64)
  }
  options[word] = value
}
let isKept = options["--kept"] == 1
// As many as the time allows, or the one that was named.
let count = options["--seeds"] ?? (options["--seconds"] != nil ? .max : options["--seed"] != nil ? 1 : 1_000)
exit(
  runSeeds(
    from: options["--seed"] ?? 1, count: count, turns: Int(clamping: options["--turns"] ?? 200),
    // A run is done again with the packs as they are at its end.
    turnsOfAnEdit: max(1, Int(clamping: options["--edits"] ?? (isKept ? 1 << 40 : 8))),
    seconds: Int(clamping: options["--seconds"] ?? 0), isTraced: options["--trace"] == 1, isKept: isKept))
