// SPDX-License-Identifier: Apache-2.0

// Plays a game by its own program beside the real daemon, and compares what was heard and felt with what the player saw:
//
//     starlight-played [OPTION ...] GAME PROGRAM [ARGUMENT ...]
//
// The program is given `--socket PATH --state FOLDER --log FILE` besides. It is begun again when it killed itself, and is done
// when it ends with 0. Ends with 0 where all was as it ought to be, with 1 where not, with 2 where it could not be played.

import FoundationEssentials
import Glibc
import Moments

let games: [any PlayedGame.Type] = [SyncPlayed.self, FreefallPlayed.self]

func check(_ job: Job) throws -> [String] {
  guard job.isSwitched else {
    let (faults, measured) = try playsAtOnce(job)
    if job.pace.isLive { measured.tell() }
    return faults
  }
  var unmeasured = Measured()
  var (faults, moments): ([String], SwitchedMoments) = ([], SwitchedMoments())
  for switches in SwitchedMoments.plays {
    var restless = job
    restless.command += ["--restless", switches]
    if let folder = job.folder { restless.folder = folder + "/" + switches }
    let play = try playAndCompare(restless, &unmeasured) {}
    moments.add(play.lines)
    faults += play.faults.map { "begun with sound, touch and music \(switches): \($0)" }
  }
  return faults + moments.missing(of: job.game.moments)
}

/// What is wrong with one play, and what was seen in it. Before it is compared `whenPlayed` is called.
func playAndCompare(
  _ job: Job, _ measured: inout Measured, _ whenPlayed: () -> Void
) throws -> (faults: [String], lines: [PlayerLine]) {
  var game = job.game.init()
  let pack = type(of: game).pack
  let directory = try job.folder ?? makeTemporaryDirectory()
  defer { if job.folder == nil { removeDirectory(directory) } }
  let table = try MomentTable.read(pack)
  let probes = try ProbePack(table, in: directory)
  if !job.unanswered.isEmpty { try probes.leaveOut(job.unanswered, of: pack) }
  var play = Play(probes, job.command, in: directory, pace: job.pace)
  try play.run()
  whenPlayed()
  let lines = try PlayerLine.read(play.log)
  var faults = play.complaints + (job.isWhole ? game.missing(in: lines) : [])
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
    return (faults + ["the player found \(parts.count) daemons, there were \(play.lives.count)"], lines)
  }
  var (delaysUs, lateStarts): ([Int64], Int) = ([], 0)
  for (number, (life, part)) in zip(play.lives, parts).enumerated() {
    var expected = try ExpectedLife(
      life.told, table, musicStands: type(of: game).musicStands, pace: job.pace)
    game.daemonBegan()
    for line in part where line.what != "daemon" && !expected.expectCommon(line) { game.expect(line, of: &expected) }
    game.ended(&expected)
    expected.close()
    var comparison = Comparison(expected, life, play.probes, pace: job.pace)
    let compared = job.isHeardCompared ? try comparison.faults() : []
    delaysUs += comparison.delaysUs
    lateStarts += comparison.lateStarts
    faults += (expected.faults + compared).map { "daemon \(number + 1): \($0)" }
  }
  let us = (lines.last?.atUs ?? 0) - (lines.first?.atUs ?? 0)
  measured.add(us, delaysUs, lateStarts, play)
  print(
    "\(pack): \(lines.count) things seen and done in \(us / 1_000_000) s of play, by \(play.programs) programs beside "
      + "\(play.lives.count) daemons")
  return (faults, lines)
}

guard let job = Job(Array(CommandLine.arguments.dropFirst()), games: games) else {
  print(Job.usage)
  exit(2)
}
do {
  let faults = try check(job)
  for fault in faults.prefix(12) { print("  \(fault)") }
  if faults.count > 12 { print("  and \(faults.count - 12) more") }
  exit(faults.isEmpty ? 0 : 1)
} catch {
  print("could not be played: \(error)")
  exit(2)
}
