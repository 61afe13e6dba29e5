// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient

/// A `starlightd` of the guest from when it is started until it answers, which takes an emulated processor half a second.
struct StartingDaemon {
  let process: ChildProcess
  let socketPath: String
  private let log: String

  init(_ name: String, _ arguments: [String], as user: String? = nil) throws {
    socketPath = Places.work + "/\(name).sock"
    log = Places.results + "/\(name).log"
    process = try ChildProcess(
      program(["starlightd", "--socket", socketPath, "--packs", Places.packs] + arguments, as: user), log: log)
  }

  /// Waits until it listens.
  func connect() throws -> StarlightConnection {
    var connected: StarlightConnection?
    try wait(upTo: 20, for: "starlightd") {
      guard process.isRunning else { throw RigFailure("starlightd ended: \(readText(log))") }
      connected = try? StarlightConnection(path: socketPath)
      return connected != nil
    }
    guard let connected else { throw RigFailure("no connection") }
    return connected
  }
}
