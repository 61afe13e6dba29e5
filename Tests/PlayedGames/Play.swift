// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments

/// A player's program beside real daemons, until it says that the game is done by ending with 0: it is begun again where it
/// killed itself, and the daemon where the player asks for that.
struct Play {
  /// What a player says on its standard output where its daemon is to be killed; it waits then for the next one.
  static let request = "kill the daemon"
  /// A player that does not come to an end.
  static let mostPrograms = 40
  static let mostSeconds = 240

  let probes: ProbePack
  private(set) var lives: [DaemonLife] = []
  private(set) var log = ""
  private(set) var programs = 0
  /// What players said besides: something was not as it should be.
  private(set) var complaints: [String] = []
  private let directory: String
  private let command: [String]

  init(_ probes: ProbePack, _ command: [String], in directory: String) {
    (self.probes, self.command, self.directory) = (probes, command, directory)
    log = directory + "/player.ndjson"
  }

  /// Plays from the first start to the end.
  mutating func run() throws {
    let socket = directory + "/starlightd.sock"
    try begin(socket)
    let deadline = Date().addingTimeInterval(Double(Self.mostSeconds))
    while true {
      programs += 1
      guard programs <= Self.mostPrograms else { throw ProcessFailure("the player was begun \(programs) times") }
      let said = directory + "/said.\(programs)"
      let arguments = command + ["--socket", socket, "--state", directory + "/state", "--log", log]
      let pid = try spawn(arguments, environment: [], errorsTo: said)
      var requests = 0
      var status: Int32 = 0
      while waitpid(pid, &status, WNOHANG) == 0 {
        lives[lives.count - 1].listen()
        let text = (try? String(contentsOfFile: said, encoding: .utf8)) ?? ""
        if text.split(separator: "\n").filter({ $0 == Self.request }).count > requests {
          requests += 1
          lives[lives.count - 1].kill()
          try begin(socket)
        }
        if Date() > deadline {
          kill(pid, SIGKILL)
          waitpid(pid, &status, 0)
          throw ProcessFailure("the player is not done after \(Self.mostSeconds) s; it said: \(text)")
        }
      }
      let text = (try? String(contentsOfFile: said, encoding: .utf8)) ?? ""
      complaints += text.split(separator: "\n").filter { $0 != Self.request }.map { "the player says: \($0)" }
      if status == 0 { break }
      guard status & 0x7f == SIGKILL else {
        throw ProcessFailure("the player failed (\(status)): \(text)")
      }
    }
    try lives[lives.count - 1].end()
  }

  private mutating func begin(_ socket: String) throws {
    lives.append(try DaemonLife(packs: probes.folder, socket: socket, in: directory + "/life.\(lives.count)"))
  }
}
