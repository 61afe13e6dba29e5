// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// Searches for the dearest line of each method, and prints a table: microseconds of the processor that control takes for
/// it, by its text before an empty daemon, and by what it sets off in a full one, with all that are told of it. The exit code is 1
/// where that is more than 2 ms, which is what control may take for a line.
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
var tooDear: [String] = []
let most = 2_000.0
/// How often it is searched where it is too much: on a machine that is shared a line takes longer now and then.
let searches = 3
print("| method | by its text, us | bytes | in a full daemon, us | full of |\n| --- | ---: | ---: | ---: | --- |")
// What reads packs is done by the loader; on the stepped clock alone control does it itself.
let others = ["clock.step", "pack.load", "pack.reload"]
for method in allMethods.map({ $0.name }).sorted() where !others.contains(method) {
  if let named = options["--method"], !named.isEmpty, named != method { continue }
  do {
    var text = try search.dearestText(of: method)
    var full = try search.dearestInFull(of: method)
    for _ in 1..<searches where max(text.us, full.us) > most {
      if case let again = try search.dearestText(of: method), again.us < text.us { text = again }
      if case let again = try search.dearestInFull(of: method), again.us < full.us { full = again }
    }
    if max(text.us, full.us) > most { tooDear.append(method) }
    if !full.isGranted { neverGranted.append(method) }
    let behind = full.isGranted ? full.daemon.rawValue : "refused"
    print("| \(method) | \(Int(text.us)) | \(text.bytes) | \(Int(full.us)) | \(behind) |")
  } catch {
    print("starlight-dearest-lines: \(method): \(error)")
    exit(1)
  }
}
if !tooDear.isEmpty {
  print("starlight-dearest-lines: more than \(Int(most)) us of control, \(searches) times: \(tooDear)")
  exit(1)
}
if !neverGranted.isEmpty {
  print("starlight-dearest-lines: never granted in a full daemon, so what they cost is not known: \(neverGranted)")
  exit(1)
}
