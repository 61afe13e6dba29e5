// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// A game is played to the end of what is asked for by a program of its own, while the card and the pad go away and come back.
///
/// `starlight-played` holds the daemon's recording and its haptic log against what the player saw; here it is shown that the
/// card gave that recording and nothing else, and that the pads felt each cue once.
struct PlayedChecks {
  let game: String
  let player: [String]
  /// What the player has seen, and how often, when card and pad go away.
  let goesAt: (what: String, count: Int)
  /// What it sees at the end.
  let endsWith: String
  /// Whether each cue that is felt is one tap alone, at a time of its own.
  let isTapByTap: Bool

  /// How long card and pad are away, in microseconds.
  private static let awayUs: Int64 = 300_000
  /// How far from its cue a pad may be told, in microseconds: of several at a time one waits for the next update.
  private var limitUs: Int64 { PadJudge.jitterUs + (isTapByTap ? 0 : PadJudge.intervalUs) }

  func run(_ report: inout Report) throws {
    report.part = game
    do { try play(&report) } catch {
      // What ended it says the program that plays.
      throw RigFailure("\(error): \(readText(Places.results + "/played-\(game).log"))")
    }
  }

  private func play(_ report: inout Report) throws {
    let name = "played-" + game
    let folder = Places.work + "/" + name
    mkdir(folder, 0o755)
    setenv("STARLIGHT_SOURCES", Places.sources, 1)
    let before = try PluggedPad("Rig Pad", .rumble, product: 1, log: name)
    let capturing = try Capturing(name)
    let log = Places.results + "/\(name).log"
    let staging = [
      "starlight-played", "--real-time", "--device", "hw:Loopback,0,0", "--period", "\(LoopbackChecks.period)",
      "--folder",
      folder, game,
    ]
    let play = try ChildProcess(staging + player, log: log)
    let socket = folder + "/starlightd.sock"
    try wait(upTo: 30, for: "the daemon") { access(socket, F_OK) == 0 }
    let daemon = try Daemon(of: play, at: socket)
    let leadUs = try daemon.status().haptics.first { $0.kind.isFelt }?.leadUs ?? 0
    try waitUntilSeen(goesAt.what, goesAt.count, folder, daemon)

    let goneUs = monotonicUs()
    let unplugging = try LoopbackCard.unplug()
    before.unplug()
    try daemon.listen(until: goneUs + Self.awayUs)
    try unplugging.finish()
    try LoopbackCard.plug()
    let after = try PluggedPad("Rig Pad", .rumble, product: 1, log: name + "-again")
    try wait(upTo: 10, for: "card and pad") {
      let status = try daemon.status()
      return status.audio.kind.isHeard && status.haptics.contains { $0.kind.isFelt && $0.state == .ready }
    }
    let backUs = monotonicUs()
    try waitUntilSeen(endsWith, 1, folder, daemon)
    try daemon.listen(until: monotonicUs() + 300_000)
    let clock = try daemon.now()
    let corrections = try daemon.all(TimelineCorrected.self).map(\.payload)
    let cues = try daemon.all(CueFired.self).map(\.payload)
    let code = play.wait()
    let said = readText(log)
    report.check("all was heard and felt as what the player saw", code == 0, said)
    let captured = try capturing.finish()
    after.unplug()

    let unheardUs = goneUs - LoopbackChecks.outageMarginUs..<backUs + LoopbackChecks.outageMarginUs
    let comparison = try Comparison(
      recording: folder + "/life.0/heard.wav", clock: clock, corrections, unheardUs: [unheardUs])
    let heard = comparison.check(
      captured.sound, SampleLayout(), isCard: true, isSilentAtTimes: true, &report)
    checkNothingElse(captured, heard, &report)
    checkPads(
      [MotorHistory(before.events), MotorHistory(after.events)], cues, leadUs, unheardUs,
      until: clock.nowUs, &report)
  }

  /// Waits until the player's log says so.
  private func waitUntilSeen(_ what: String, _ count: Int, _ folder: String, _ daemon: Daemon) throws {
    for _ in 0..<4_000 {
      let lines = readText(folder + "/player.ndjson").split(separator: "\n")
      if lines.count(where: { $0.contains("\"what\":\"\(what)\"") }) >= count { return }
      try daemon.listen(until: monotonicUs() + 20_000)
    }
    throw RigFailure("\(what) was not seen \(count) times: \(readText(folder + "/said.1"))")
  }

  /// All that came out of the card lies in a stretch of the recording, so that nothing sounds twice.
  private func checkNothingElse(_ captured: Captured, _ heard: [Stretch], _ report: inout Report) {
    let end = heard.last.map { $0.captured + $0.recorded.count } ?? 0
    let strays = captured.sound.strays(beside: heard)
    report.check("nothing else was heard", end > 0 && strays == 0, "\(strays) frames besides, of \(end)")
  }

  /// Each cue that is felt is one turn of the motors at its instant, and nothing else is.
  private func checkPads(
    _ pads: [MotorHistory], _ cues: [CueFired], _ leadUs: Int64, _ away: Range<Int64>, until endUs: Int64,
    _ report: inout Report
  ) {
    let felt = cues.compactMap(\.hapticAtUs).filter { !away.contains($0) && $0 < endUs }
    var turns = pads.flatMap(\.turning).map { $0.lowerBound + leadUs..<$0.upperBound + leadUs }
    turns.removeAll { away.contains($0.lowerBound) || $0.lowerBound >= endUs }
    let turned = turns.count
    var missed = 0
    for us in felt {
      if let turn = turns.firstIndex(where: { abs($0.lowerBound - us) < limitUs }) {
        turns.remove(at: turn)
      } else if isTapByTap || !pads.contains(where: { $0.turning.contains { $0.contains(us - leadUs) } }) {
        missed += 1
      }
    }
    // What goes on after its first tap.
    if !isTapByTap {
      turns.removeAll { turn in felt.contains { ($0..<$0 + 400_000).contains(turn.lowerBound) } }
    }
    let later = felt.count { $0 >= away.upperBound }
    report.check(
      "each cue is felt once", missed == 0 && turns.isEmpty && later > 0 && later < felt.count,
      "\(felt.count) cues, \(later) of them after the pad was back, \(turned) turns of its motors, \(missed) missed, "
        + "\(turns.count) too many")
  }
}
