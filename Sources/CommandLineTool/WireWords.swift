// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Problems
import Wire

/// What the daemon says to programs, said to people: methods as commands, microseconds as seconds.
func forPeople(_ text: String, _ terms: [Wording.Term]?) -> String {
  Wording.saying(text, terms ?? []) { kind, word in
    switch kind {
    case .method: commandForMethod(word) ?? word
    case .field: fieldForPeople(word)
    case .microseconds: secondsForPeople(word) ?? word
    }
  }
}

/// The command that stands for a method, as it is typed; a test holds this against the table.
let commandsOfMethods: [String: String] = [
  "pack.list": "list", "pack.load": "pack load", "pack.reload": "pack reload", "pack.unload": "pack unload",
  "engine.status": "status", "devices.list": "status", "rpc.discover": "call rpc.discover",
  "music.play": "music play", "music.stop": "music stop", "music.pause": "music pause", "music.resume": "music resume",
  "music.seek": "music seek", "music.gain": "music gain", "music.status": "music status",
  "sound.play": "sound play", "sound.stop": "sound stop", "cue.fire": "cue fire", "cue.stop": "cue stop",
  "parameter.set": "parameter set", "parameter.list": "parameter list",
  "haptics.play": "haptics play", "haptics.transient": "haptics transient", "haptics.stop": "haptics stop",
  "rhythm.start": "rhythm play", "rhythm.status": "rhythm status", "rhythm.stop": "rhythm stop",
  "engine.pause": "pause", "engine.resume": "resume",
  "rhythm.pause": "rhythm pause", "rhythm.resume": "rhythm resume", "rhythm.restart": "rhythm restart",
  "rhythm.takeOver": "rhythm take-over", "rhythm.bind": "rhythm play --bind",
  "trace.explain": "explain", "trace.read": "trace", "engine.stats": "stats",
]

/// What to type in place of words that name a method and no command: two of them, as in `rhythm tap`, or one as the socket has it;
/// nil for others.
func instead(of words: [String]) -> String? {
  let spelled = words.prefix(2).joined(separator: ".")
  guard let name = allMethods.map({ $0.name }).first(where: { $0 == spelled || $0 == words.first }) else { return nil }
  let use = commandForMethod(name) ?? "`starlight call \(name) JSON`"
  return "\(name), a method of the socket, is \(use) here"
}

/// "`starlight rhythm stop`" for "rhythm.stop"; nil for what is no method that a command stands for.
private func commandForMethod(_ word: String) -> String? { commandsOfMethods[word].map { "`starlight \($0)`" } }

/// "position" for "positionUs"; options for the fields that have one.
private func fieldForPeople(_ word: String) -> String {
  switch word {
  case "quantise": "--quantise"
  case "atUs": "the instant"
  case "gainDb": "decibels"
  default: word.hasSuffix("Us") ? spaced(String(word.dropLast(2))) : word
  }
}

private func spaced(_ name: String) -> String {
  name.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
}

/// "12.5 s" for "12500000", with its unit or without.
private func secondsForPeople(_ word: String) -> String? {
  guard let value = word.split(separator: " ").first.flatMap({ Int64($0) }) else { return nil }
  return value == 0 ? "0" : plain(Double(value) / 1e6) + " s"
}
