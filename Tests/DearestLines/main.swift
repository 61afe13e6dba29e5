// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// Searches for the dearest line of each method, and prints a table: microseconds of the processor that control takes for
/// it, by its text before an empty daemon, and by what it sets off in a full one, with all that are told of it.
let usage = "usage: starlight-dearest-lines PACKS [--rounds N] [--seed N] [--method NAME]"
var options = ["--rounds": "60", "--seed": "1", "--method": ""]
var words = CommandLine.arguments.dropFirst()
guard let packs = words.popFirst(), !packs.hasPrefix("-") else {
  print(usage)
  exit(64)
}
while let word = words.popFirst() {
  guard options[word] != nil, let value = words.popFirst() else {
    print(usage)
    exit(64)
  }
  options[word] = value
}
guard let rounds = options["--rounds"].flatMap(Int.init), let seed = options["--seed"].flatMap(UInt64.init) else {
  print(usage)
  exit(64)
}
var search = DearestSearch(packs: packs, rounds: rounds, seed: seed)
var neverGranted: [String] = []
print("| method | by its text, us | bytes | in a full daemon, us | full of |\n| --- | ---: | ---: | ---: | --- |")
// What reads packs is done by the loader; on the stepped clock alone control does it itself.
let others = ["clock.step", "pack.load", "pack.reload"]
for method in allMethods.map({ $0.name }).sorted() where !others.contains(method) {
  if let named = options["--method"], !named.isEmpty, named != method { continue }
  do {
    let text = try search.dearestText(of: method)
    let full = try search.dearestInFull(of: method)
    if !full.isGranted { neverGranted.append(method) }
    let behind = full.isGranted ? full.daemon.rawValue : "refused"
    print("| \(method) | \(Int(text.us)) | \(text.bytes) | \(Int(full.us)) | \(behind) |")
  } catch {
    print("starlight-dearest-lines: \(method): \(error)")
    exit(1)
  }
}
if !neverGranted.isEmpty {
  print("starlight-dearest-lines: never granted in a full daemon, so what they cost is not known: \(neverGranted)")
  exit(1)
}
