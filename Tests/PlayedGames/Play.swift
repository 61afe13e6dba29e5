// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments

/// A player's program beside real daemons, until it says that the game is done by ending with 0: it is begun again where it
/// killed itself, and the daemon where the player asks for that.
struct Play {
  /// What a player says on its standard output where its daemon is to be killed; it waits then for the next one.
  static let request = "kill the daemon"
  /// What it says where the system is to sleep.
  static let sleep = "let the system sleep"
  /// A player that does not come to an end.
  static let mostPrograms = 40
  static let mostSeconds = 240
  static let mostLiveSeconds = 900

  let probes: ProbePack
  let pace: Pace
  private(set) var lives: [DaemonLife] = []
  private(set) var log = ""
  private(set) var programs = 0
  /// What players said besides: something was not as it should be.
  private(set) var complaints: [String] = []
  /// The processor time that players took, in microseconds.
  private(set) var playerUs: Int64 = 0
  private let directory: String
  private let command: [String]

  init(_ probes: ProbePack, _ command: [String], in directory: String, pace: Pace) {
    (self.probes, self.command, self.directory, self.pace) = (probes, command, directory, pace)
    log = directory + "/player.ndjson"
  }

  /// Plays from the first start to the end.
  mutating func run() throws {
    let socket = directory + "/starlightd.sock"
    try begin(socket)
    // Until it is measured, when a card plays a frame is a guess.
    if pace.device != "none" { usleep(1_000_000) }
    let mostSeconds = pace.isLive ? Self.mostLiveSeconds : Self.mostSeconds
    let deadline = Date().addingTimeInterval(Double(mostSeconds))
    while true {
      programs += 1
      guard programs <= Self.mostPrograms else { throw ProcessFailure("the player was begun \(programs) times") }
      let said = directory + "/said.\(programs)"
      let arguments = command + ["--socket", socket, "--state", directory + "/state", "--log", log]
      let pid = try spawn(arguments, environment: [], errorsTo: said)
      var done = 0
      var status: Int32 = 0
      var usage = rusage()
      while wait4(pid, &status, WNOHANG, &usage) == 0 {
        try lives[lives.count - 1].listen()
        let text = (try? String(contentsOfFile: said, encoding: .utf8)) ?? ""
        for asked in text.split(separator: "\n").filter({ $0 == Self.request || $0 == Self.sleep }).dropFirst(done) {
          done += 1
          if asked == Self.sleep {
            try lives[lives.count - 1].sleep()
            continue
          }
          try lives[lives.count - 1].kill()
          try begin(socket)
        }
        if Date() > deadline {
          kill(pid, SIGKILL)
          waitpid(pid, &status, 0)
          throw ProcessFailure("the player is not done after \(mostSeconds) s; it said: \(text)")
        }
      }
      for time in [usage.ru_utime, usage.ru_stime] { playerUs += Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec) }
      let text = (try? String(contentsOfFile: said, encoding: .utf8)) ?? ""
      complaints += text.split(separator: "\n").filter { $0 != Self.request && $0 != Self.sleep }.map {
        "the player says: \($0)"
      }
      if status == 0 { break }
      guard status & 0x7f == SIGKILL else {
        throw ProcessFailure("the player failed (\(status)): \(text)")
      }
    }
    try lives[lives.count - 1].end()
  }

  /// Starts a daemon where nobody finds it, and shows it once all that it tells is listened to: a front end is back at once.
  private mutating func begin(_ socket: String) throws {
    let own = directory + "/life.\(lives.count)"
    lives.append(try DaemonLife(packs: probes.folder, socket: own + ".sock", in: own, pace: pace))
    guard rename(own + ".sock", socket) == 0 else { throw ProcessFailure("cannot show the daemon at \(socket)") }
  }
}
