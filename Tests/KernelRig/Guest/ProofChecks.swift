// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient
import Wire

/// `starlight latency --closed-loop` on the loopback, with a pad that it makes itself: it finds again all that was played, and
/// 30 ms that each way was made longer on purpose (`late.c`).
enum ProofChecks {
  private static let trials = 10
  private static let lateUs: Int64 = 30_000
  /// How near to that it has to be found: where an instant was planned, and where it lies in a period of 256 frames.
  private static let planUs: Int64 = 1_000
  private static let periodUs: Int64 = 5_334
  private static let shim = "/lib/late.so"

  private enum Late: String {
    /// Of what is captured: the tool is made late. Of the others the daemon is.
    case sound
    case touch, event
  }

  /// What of the tool's answer is looked at.
  private struct Answer: Decodable {
    struct Proof: Decodable {
      var tried: Int
      var heard: Int
      var touched: Int
      var rows: [Row]
    }
    struct Row: Decodable {
      var what: String
      var valuesUs: [Int64]
    }

    var proof: Proof

    func median(_ what: String) -> Int64 { Distribution(values(what)).median }
    func values(_ what: String) -> [Int64] { proof.rows.first { $0.what == what }?.valuesUs ?? [] }
  }

  static func run(_ report: inout Report) throws {
    report.part = "as it is"
    let daemon = try Played(late: nil)
    let plain = try ask(daemon, &report)
    report.part = "sound late"
    compare(try ask(daemon, isLate: true, &report), with: plain, .sound, &report)
    try daemon.finish()
    for late in [Late.touch, .event] {
      report.part = "\(late.rawValue) late"
      let daemon = try Played(late: late)
      compare(try ask(daemon, &report), with: plain, late, &report)
      try daemon.finish()
    }
  }

  /// What was made late is found where it is, and nothing elsewhere.
  private static func compare(_ answer: Answer, with plain: Answer, _ late: Late, _ report: inout Report) {
    // Sound that comes later has touch and events come before it.
    let expected: [(what: String, signs: [Late: Int64])] = [
      ("toldToHeard", [.sound: 1]), ("commandToSound", [.sound: 1]),
      ("soundToTouch", [.sound: -1, .touch: 1]), ("beatToTouch", [.sound: -1, .touch: 1]),
      ("beatHeardToRead", [.sound: -1, .event: 1]),
    ]
    for (what, signs) in expected {
      let added = (signs[late] ?? 0) * lateUs
      let found = answer.median(what) - plain.median(what)
      report.check(
        what, abs(found - added) <= (isPlanned(what) ? planUs : periodUs), "\(milliseconds(found)) more than as it is")
    }
  }

  /// Whether it is of an instant that was known ahead: what is asked for now lies anywhere in a period.
  private static func isPlanned(_ what: String) -> Bool { !["commandToSound", "soundToTouch"].contains(what) }

  /// A daemon with no client but the tool: what is late would be so for each.
  private struct Played {
    let process: ChildProcess
    let connection: StarlightConnection
    let socketPath: String

    init(late: Late?) throws {
      if let late {
        setenv("LD_PRELOAD", ProofChecks.shim, 1)
        setenv("LATE", late.rawValue, 1)
      }
      defer { for variable in ["LD_PRELOAD", "LATE"] { unsetenv(variable) } }
      let starting = try StartingDaemon(
        "proof-" + (late?.rawValue ?? "plain"), ["--device", "hw:Loopback,0,0", "--period", "256"])
      (process, socketPath) = (starting.process, starting.socketPath)
      connection = try starting.connect()
    }

    /// Lets go of the card for the next.
    func finish() throws {
      process.signal(SIGTERM)
      let code = process.wait()
      guard code == 0 else { throw RigFailure("starlightd ended with \(code)") }
    }
  }

  private static func ask(_ daemon: Played, isLate: Bool = false, _ report: inout Report) throws -> Answer {
    let name = Places.results + "/proof-" + report.part.split(separator: " ")[0]
    let words =
      "starlight --socket \(daemon.socketPath) latency --closed-loop --capture hw:Loopback,1,0 --pad virtual "
      + "--trials \(trials) --json --html \(name).html >\(name).json"
    let tool = try ChildProcess(
      ["sh", "-c", (isLate ? "LD_PRELOAD=\(shim) LATE=sound " : "") + "exec " + words], log: name + "-tool.log")
    let code = tool.wait()
    guard code == 0 else { throw RigFailure("starlight latency ended with \(code): \(readText(name + "-tool.log"))") }
    let answer = try decodeJSON(Answer.self, from: readFile(name + ".json")[...])
    let proof = answer.proof
    report.check(
      "all heard again", proof.heard == proof.tried && proof.tried == 2 * trials, "\(proof.heard) of \(proof.tried)")
    let felt = answer.values("soundToTouch").count + answer.values("beatToTouch").count
    report.check("all felt", felt == 2 * trials && proof.touched == felt, "\(felt) of \(proof.touched) taps")
    for row in proof.rows { report.note(row.what, "\(Distribution(row.valuesUs))") }
    // The pad is gone, and nobody waits for it.
    try wait(upTo: 3, for: "the pad to be forgotten") {
      try daemon.connection.call(EngineStatus.self, Empty()).haptics.allSatisfy { !$0.kind.isFelt }
    }
    return answer
  }
}
