// SPDX-License-Identifier: Apache-2.0

import Files
import GamePacks
import Timing
import Wire

/// What a cue holds, on one line: "sound bell, after 50 ms pattern thud".
func cueText(_ cue: PackCue) -> String {
  if cue.steps.isEmpty { return "nothing" }
  var parts = cue.steps.map { step in
    (step.at == .zero ? "" : "after \(length(step.at.microseconds)) ") + actionText(step.action)
  }
  if let align = cue.align { parts.append("align \(align.rawValue)") }
  if cue.cooldown > .zero { parts.append("\(length(cue.cooldown.microseconds)) apart at least") }
  return parts.joined(separator: ", ")
}

/// What a step does, as in "pattern thud".
func actionText(_ action: PackCue.Action) -> String {
  switch action {
  case .sound(let sound): "sound " + choiceText(sound.sound) + (sound.loops ? " over and over" : "")
  case .pattern(let pattern): "pattern " + choiceText(pattern.pattern) + (pattern.loops ? " over and over" : "")
  case .haptic(let haptic): haptic.duration.map { "vibration of \(length($0.microseconds))" } ?? "tap"
  case .music(.play(let start)): "music \(start.track)" + (start.from == .continue ? " from where it is" : "")
  case .music(.stop): "music ends"
  case .music(.gain(let gain, let stem, _)): (stem.map { "stem \($0)" } ?? "music") + " to gain \(gainText(gain))"
  case .stop(let stop): stopText(stop)
  case .parameter(let step): "parameter \(step.parameter) to \(gainText(step.value))"
  }
}

private func stopText(_ stop: GamePacks.CueStop) -> String {
  switch stop.target {
  case .sound(let name): name.map { "sound \($0) ends" } ?? "all sounds end"
  case .pattern(let name): name.map { "pattern \($0) ends" } ?? "all that is felt ends"
  }
}

private func choiceText(_ choice: CueChoice) -> String {
  guard choice.names.count > 1 else { return choice.names.first ?? "" }
  return choice.names.dropLast().joined(separator: ", ") + " or " + (choice.names.last ?? "")
    + (choice.order == .inTurn ? " in turn" : "")
}

private func gainText(_ value: Double) -> String { value == value.rounded() ? fixed(value, 0) : "\(value)" }

extension PackList.Result {
  /// What their cues hold, by `pack:cue`, as their manifests say: of one that cannot be read nothing.
  var cueTexts: [String: String] {
    var texts: [String: String] = [:]
    for pack in packs {
      let path = pack.path + "/pack.json"
      guard let bytes = try? readFile(path, atMost: PackManifest.maximumBytes),
        let manifest = try? PackManifest.parse(bytes, path: path), manifest.name == pack.name
      else { continue }
      for (name, cue) in manifest.cues { texts["\(pack.name):\(name)"] = cueText(cue) }
    }
    return texts
  }
}
