// SPDX-License-Identifier: Apache-2.0

/// What the daemon says to programs, said to people: methods as commands, microseconds as seconds.
func forPeople(_ text: String) -> String {
  let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
  let isInMicroseconds = words.contains { isMicrosecondsField(bare($0)) || $0 == "us" }
  var result: [String] = []
  for word in words {
    let core = bare(word)
    if word == "us", result.last?.hasSuffix(" s") == true { continue }
    let said = commandForMethod(core) ?? fieldForPeople(core) ?? (isInMicroseconds ? secondsForPeople(core) : nil)
    guard let said else {
      result.append(word)
      continue
    }
    let place = word.firstRange(of: core) ?? word.startIndex..<word.endIndex
    result.append(word[..<place.lowerBound] + said + word[place.upperBound...])
  }
  return result.joined(separator: " ")
}

/// A word without the punctuation around it.
private func bare(_ word: String) -> String {
  let marks: Set<Character> = [",", ";", ":", ".", "(", ")"]
  return String(word.drop { marks.contains($0) }.reversed().drop { marks.contains($0) }.reversed())
}

/// The command that stands for a method, as it is typed; a test holds this against the table.
let commandsOfMethods: [String: String] = [
  "pack.list": "list", "engine.status": "status", "devices.list": "status", "rpc.discover": "call rpc.discover",
  "music.play": "music play", "music.stop": "music stop", "music.pause": "music pause", "music.resume": "music resume",
  "music.seek": "music seek", "music.gain": "music gain", "music.status": "music status",
  "sound.play": "sound play", "sound.stop": "sound stop", "cue.fire": "cue fire",
  "haptics.play": "haptics play", "haptics.transient": "haptics transient", "haptics.stop": "haptics stop",
  "rhythm.start": "rhythm play", "rhythm.status": "rhythm status", "rhythm.stop": "rhythm stop",
]

/// "`starlight rhythm stop`" for "rhythm.stop"; nil for what is no method that a command stands for.
private func commandForMethod(_ word: String) -> String? { commandsOfMethods[word].map { "`starlight \($0)`" } }

/// "position" for "positionUs"; options for the fields that have one.
private func fieldForPeople(_ word: String) -> String? {
  switch word {
  case "quantise": "the grid"
  case "microseconds": "seconds"
  case "gainDb": "decibels"
  case "crossfadeUs": "the fade"
  default: isMicrosecondsField(word) ? spaced(String(word.dropLast(2))) : nil
  }
}

private func isMicrosecondsField(_ word: String) -> Bool {
  word.count > 2 && word.hasSuffix("Us") && word.allSatisfy { $0.isASCII && $0.isLetter }
}

private func spaced(_ name: String) -> String {
  name.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
}

/// "12.5 s" for "12500000".
private func secondsForPeople(_ word: String) -> String? {
  guard let value = Int64(word) else { return nil }
  return value == 0 ? "0" : plain(Double(value) / 1e6) + " s"
}

/// A number without a needless ".0".
private func plain(_ value: Double) -> String {
  value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
}
