// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// `starlight latency --closed-loop` finds again what the daemon plays in what a sound server gives back, each chirp of it,
/// and nothing of that stays behind.
struct ServerProofChecks {
  let device: String
  /// The PCM that gives back what is played.
  let capture: String

  private static let trials = 20
  /// The pack that the tool plays from.
  private static let pack = "latency-proof"

  func run(_ report: inout Report) throws {
    let daemon = try Daemon("proof", ["--device", device])
    try wait(upTo: 10, for: "the sound server") { try daemon.status().audio.kind.isHeard }
    let said = Places.results + "/proof.json"
    let before = try daemon.status().audio
    // What an earlier attempt said.
    try writeFile(said, "")
    let standstills = try Standstills.watched {
      let tool = try ChildProcess(
        [
          "starlight", "--socket", daemon.socketPath, "latency", "--closed-loop", "--capture", capture,
          "--trials", "\(Self.trials)", "--json", "--html", Places.results + "/proof.html",
        ], log: said)
      _ = tool.wait()
    }
    let after = try daemon.status().audio
    if let longest = standstills.max() {
      report.note("the machine stood still", "\(standstills.count) times, \(milliseconds(longest)) at most")
    }
    report.note("device", "\(after.message), \(after.xruns - before.xruns) xruns")
    let text = readText(said)
    let all = 2 * Self.trials
    let isLate =
      !standstills.isEmpty || after.xruns != before.xruns || after.bufferFrames != before.bufferFrames
      || after.kind != before.kind
    let isHeard = text.contains("\"heard\":\(all),") && text.contains("\"tried\":\(all)")
    report.check("every chirp is heard again", isHeard, timed: isLate, isHeard ? "\(all) of \(all)" : text)
    let packs = try daemon.connection.listPacks().packs.map(\.name)
    report.check("what was played is unloaded", !packs.contains(Self.pack), "\(packs)")
    try daemon.finish()
  }
}
