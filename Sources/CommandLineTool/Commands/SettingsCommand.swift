// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Suggestions
import Wire

enum SettingsCommand {
  static let change = Argument(
    "SWITCH=VALUE",
    help: "music, sound or haptics on or off; master, music, sound, voice or haptics a volume, "
      + "\(SettingsSet.ranges.musicVolume.span)",
    isOptional: true,
    repeats: true)

  static let command = ToolCommand(
    "settings", summary: "shows and changes the player's switches and volumes",
    arguments: [change],
    examples: [
      .init("starlight settings", "shows them all"),
      .init("starlight settings music=off haptics=on", "changes two, at once"),
      .init("starlight settings music=0.7", "a volume, as a slider stands"),
    ], action: ToolAction(run))

  private static func run(_ tool: Tool) throws(ToolFailure) {
    let words = tool.invocation.all(change)
    let params = try settingsChange(words)
    let connection = try tool.connect()
    let settings =
      words.isEmpty
      ? try connection.ask(SettingsGet.self, Empty())
      : try connection.ask(SettingsSet.self, params)
    tool.show(settings, [switchesText(settings)])
  }
}

/// A volume that can be set; nil for any other number.
private func volume(_ value: Double) -> Double? {
  SettingsSet.ranges.musicVolume.range.contains(value) ? value : nil
}

/// Words such as `music=off` as a change.
func settingsChange(_ words: [String]) throws(ToolFailure) -> SettingsSet.Params {
  let hint =
    "write for example `starlight settings music=off` or `sound=0.5`; volumes are "
    + "\(SettingsSet.ranges.musicVolume.span)"
  var params = SettingsSet.Params()
  for word in words {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    let value = parts.count == 2 ? ["on": true, "off": false][parts[1]] : nil
    let volume = parts.count == 2 ? Double(parts[1]).flatMap(volume) : nil
    guard value != nil || volume != nil else {
      throw .usage("`\(word)` is no change of a switch or volume", hint: hint)
    }
    switch (parts[0], value, volume) {
    case ("music", let value?, _): params.music = value
    case ("sound", let value?, _): params.sound = value
    case ("haptics", let value?, _): params.haptics = value
    case ("music", _, let volume?): params.musicVolume = volume
    case ("sound", _, let volume?): params.soundVolume = volume
    case ("haptics", _, let volume?): params.hapticsVolume = volume
    case ("master", _, let volume?): params.masterVolume = volume
    case ("voice", _, let volume?): params.voiceVolume = volume
    case ("master", _, _), ("voice", _, _):
      throw .usage("\(parts[0]) is a volume and no switch", hint: hint)
    default:
      let guess = didYouMean(parts[0], among: ["master", "music", "sound", "voice", "haptics"])
      throw .usage("there is no switch or volume `\(parts[0])`\(guess)", hint: hint)
    }
  }
  return params
}
