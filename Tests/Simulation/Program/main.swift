import Glibc
import Simulation

/// Runs seeds, prints what they came to, and for one that fails the line that runs it again.
///
/// starlight-simulation [--seed FIRST] [--seeds COUNT] [--turns N] [--seconds N] [--trace 1]
var seed: UInt64 = 1
var seeds: UInt64 = .max
var turns = 200
var seconds = 0
var isTraced = false
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  guard let value = words.popFirst().flatMap(UInt64.init) else {
    print("usage: starlight-simulation [--seed FIRST] [--seeds COUNT] [--turns N] [--seconds N] [--trace 1]")
    exit(64)
  }
  switch word {
  case "--seed": (seed, seeds) = (value, seeds == .max ? 1 : seeds)
  case "--seeds": seeds = value
  case "--turns": turns = Int(value)
  case "--trace": isTraced = value > 0
  default: (seconds, seeds) = (Int(value), seeds == .max ? .max - 1 : seeds)
  }
}
if seeds == .max { seeds = 1_000 }
exit(runSeeds(from: seed, count: seeds, turns: turns, seconds: seconds, isTraced: isTraced))
