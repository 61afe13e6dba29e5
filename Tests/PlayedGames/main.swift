// SPDX-License-Identifier: Apache-2.0

// Plays a game by its own program beside the real daemon, and compares what was heard and felt with what the player saw:
//
//     starlight-played GAME [--whole] PROGRAM [ARGUMENT ...]
//
// With --whole all that is to be shown of a game must have been seen: each mistake, each help, each loss.
// The program is given `--socket PATH --state FOLDER --log FILE` besides. It is begun again when it killed itself, and is done
// when it ends with 0. Ends with 0 where all was as it ought to be, with 1 where not, with 2 where it could not be played.

import FoundationEssentials
import Glibc
import Moments

let games: [any PlayedGame.Type] = [SyncPlayed.self, FreefallPlayed.self]

func check(_ game: any PlayedGame.Type, _ command: [String], isWhole: Bool) throws -> [String] {
  var game = game.init()
  let pack = type(of: game).pack
  let directory = try makeTemporaryDirectory()
  let isKept = ProcessInfo.processInfo.environment["STARLIGHT_KEEP"] != nil
  defer { if !isKept { removeDirectory(directory) } }
  if isKept { print("all is kept in \(directory)") }
  let table = try MomentTable.read(pack)
  var play = Play(try ProbePack(table, in: directory), command, in: directory)
  try play.run()
  let lines = try PlayerLine.read(play.log)
  var faults = play.complaints + (isWhole ? game.missing(in: lines) : [])
  // Each daemon has its part of the log, from where the player found it on.
  var parts: [[PlayerLine]] = []
  for line in lines {
    if line.what == "daemon" { parts.append([]) }
    if parts.isEmpty {
      faults.append("the log begins before there was a daemon")
    } else {
      parts[parts.count - 1].append(line)
    }
  }
  guard parts.count == play.lives.count else {
    return faults + ["the player found \(parts.count) daemons, there were \(play.lives.count)"]
  }
  for (number, (life, part)) in zip(play.lives, parts).enumerated() {
    var expected = try ExpectedLife(life.told, table, musicStands: type(of: game).musicStands)
    game.daemonBegan()
    for line in part where line.what != "daemon" && !expected.expectCommon(line) { game.expect(line, of: &expected) }
    game.ended(&expected)
    expected.close()
    let compared = try Comparison(expected, life, play.probes).faults()
    faults += (expected.faults + compared).map { "daemon \(number + 1): \($0)" }
  }
  let seconds = (lines.last?.atUs ?? 0) - (lines.first?.atUs ?? 0)
  print(
    "\(pack): \(lines.count) things seen and done in \(seconds / 1_000_000) s of play, by \(play.programs) programs beside "
      + "\(play.lives.count) daemons")
  return faults
}

var arguments = CommandLine.arguments.dropFirst()
let name = arguments.popFirst()
let isWhole = arguments.first == "--whole"
if isWhole { arguments.removeFirst() }
guard let game = games.first(where: { $0.pack == name }), !arguments.isEmpty else {
  print("usage: starlight-played \(games.map { $0.pack }.joined(separator: "|")) [--whole] PROGRAM [ARGUMENT ...]")
  exit(2)
}
do {
  let faults = try check(game, Array(arguments), isWhole: isWhole)
  for fault in faults.prefix(12) { print("  \(fault)") }
  if faults.count > 12 { print("  and \(faults.count - 12) more") }
  exit(faults.isEmpty ? 0 : 1)
} catch {
  print("could not be played: \(error)")
  exit(2)
}
