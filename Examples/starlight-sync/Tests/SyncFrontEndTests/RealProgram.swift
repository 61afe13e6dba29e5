// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A program of this repository in a folder of its own, ended with its test.
final class RealProgram {
  let process = Process()

  /// Starts it there, where cores are wanted; what it says goes to `NAME.log` in the folder.
  init(_ program: String, _ arguments: [String], _ name: String, in folder: TemporaryFolder) throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: program), "build it first: swift build, in the root package")
    let log = folder.path + "/\(name).log"
    _ = FileManager.default.createFile(atPath: log, contents: nil)
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "ulimit -c unlimited; exec \"$0\" \"$@\"", program] + arguments
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.environment = ProcessInfo.processInfo.environment.merging([
      "XDG_CONFIG_HOME": folder.path + "/config", "STATE_DIRECTORY": folder.path,
      // Who crashes ends at once, by the kernel's hand.
      "SWIFT_BACKTRACE": "enable=no",
    ]) { $1 }
    process.standardOutput = FileHandle(forWritingAtPath: log)
    process.standardError = process.standardOutput
    try process.run()
  }

  /// A program of this package, built beside these tests.
  static func built(_ name: String) -> String {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path + "/" + name
  }

  deinit { if process.isRunning { process.terminate() } }
}
