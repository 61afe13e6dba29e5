// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FreefallFrontEnd
import FreefallLevels
import FreefallRules
import Glibc
import SeededNumbers
import StarlightClient

/// A line to standard error, and the exit code of a run that failed.
func fail(_ message: String) -> Never {
  say(message, to: STDERR_FILENO)
  exit(1)
}

guard let options = Options(Array(CommandLine.arguments.dropFirst())) else { fail(Options.usage) }
do {
  let file = options.state.map { StateFile(path: $0 + "/progress.json") }
  guard let file = file ?? StateFile(environment: ProcessInfo.processInfo.environment) else {
    fail("there is no home to keep progress in: set XDG_STATE_HOME or give --state")
  }
  let folder = LevelFolder(path: options.levels)
  let rules = Rules.designed
  if let first = options.first, file.read() == nil {
    let done = rules.worlds.levels.filter { $0 < first }
    let progress = Progress(
      completed: done, switches: Switches(), worldScores: rules.worlds.titles.map { _ in 0 }, totalScore: 0,
      rules: rules.worlds)
    if let progress { try file.write(StoredProgress.bytes(progress)) }
  }
  let starlight = try Starlight(pack: "freefall", name: "freefall-player", path: options.socket)
  let clock = Clock(starlight: starlight)
  try await clock.otherDaemon(than: nil)
  let log = try PlayLog(path: options.log)
  defer { log.finish() }
  let nowUs = try await clock.begin()
  var frontEnd = FrontEnd(
    starlight, rules: rules, levels: try folder.levels(rules), state: file, chance: Seeded(seed: options.seed ^ 0xFA11))
  frontEnd.dropped = options.dropped
  var player = try Player(frontEnd, clock: clock, nowUs: nowUs, log: log)
  player.drawing = options.stallEveryUs.map(Drawing.init)
  player.restless = options.restless
  var campaign = Campaign(player, rules: rules, folder: folder, options: options, before: log.before)
  try await campaign.play()
} catch {
  fail("\(error)")
}
