// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// What `starlight doctor` says of the guest.
struct Diagnosis {
  struct Finding: Decodable {
    var severity: String
    var topic: String
    var code: String
    var what: String
    var cure: String?
  }

  private struct Report: Decodable {
    var findings: [Finding]
  }

  let findings: [Finding]
  /// What it ended with.
  let code: Int32

  /// Asks it as `user`, who runs `daemon`; what it says is kept in `log`.
  init(of daemon: Daemon, as user: String, log: String) throws {
    let path = Places.results + "/\(log).json"
    unlink(path)
    let words = ["starlight", "doctor", "--json", "--socket", daemon.socketPath]
    code = try ChildProcess(program(words, as: user), log: path).wait()
    do {
      findings = try decodeJSON(Report.self, from: readFile(path)[...]).findings
    } catch {
      throw RigFailure("starlight doctor ended with \(code) and said: \(readText(path))")
    }
  }
}
