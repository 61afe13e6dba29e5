// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// A program of this repository in a folder of its own, ended with its test.
final class RealProgram {
  let process = Process()

  /// Starts it there, where cores are wanted, and in a group that is not root's; what it says goes to `NAME.log` in the folder.
  /// `variables` are of its environment.
  init(
    _ program: String, _ arguments: [String], _ name: String, in folder: TemporaryFolder,
    variables: [String: String] = [:]
  ) throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: program), "build it first: swift build, in the root package")
    let log = folder.path + "/\(name).log"
    _ = FileManager.default.createFile(atPath: log, contents: nil)
    process.executableURL = URL(filePath: "/bin/sh")
    // Whose memory a process's is then shows also where root runs this.
    let group = getuid() == 0 ? "setpriv --regid=\(Self.group) --keep-groups " : ""
    process.arguments = ["-c", "ulimit -c unlimited; exec \(group)\"$0\" \"$@\"", program] + arguments
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.environment = ProcessInfo.processInfo.environment.merging([
      "XDG_CONFIG_HOME": folder.path + "/config", "STATE_DIRECTORY": folder.path,
      // Who crashes ends at once, by the kernel's hand.
      "SWIFT_BACKTRACE": "enable=no",
    ]) { $1 }.merging(variables) { $1 }
    process.standardOutput = FileHandle(forWritingAtPath: log)
    process.standardError = process.standardOutput
    try process.run()
  }

  /// Whom the kernel lets look into the memory of a process: its own user and group, or root's alone where it keeps it to itself
  /// (`PR_SET_DUMPABLE`, proc_pid(5)). Cores are written of the former only.
  static func ownersOfMemory(of process: pid_t) throws -> (user: Int, group: Int) {
    let attributes = try FileManager.default.attributesOfItem(atPath: "/proc/\(process)/mem")
    return (
      try #require(attributes[.ownerAccountID] as? Int), try #require(attributes[.groupOwnerAccountID] as? Int)
    )
  }

  /// Of what root runs: nobody's.
  private static let group = 65534

  /// A program of this package, built beside these tests.
  static func built(_ name: String) -> String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path + "/" + name
  }

  deinit { if process.isRunning { process.terminate() } }
}
