// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import Testing

/// A system that gives few descriptors: a daemon says that it cannot start, or starts and ends when it is told to.
@Suite struct FewDescriptorsTests {
  /// From what is too few for the first of them to what is enough for all.
  @Test(arguments: Array(12...44)) func itStartsOrSaysWhyNotAndEnds(limit: Int) throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let log = directory + "/log"
    let process = try spawn(
      [
        "/bin/sh", "-c", "ulimit -n \(limit); exec \"$@\"", "sh", DaemonProcess.program("starlightd"), "--socket",
        directory + "/socket", "--device", "none", "--packs", try TestPack.make(in: directory), "--no-built-in-packs",
        "--record", directory + "/heard.wav", "--journal", directory + "/journal",
      ], environment: ["STATE_DIRECTORY=" + directory], errorsTo: log)
    var status: Int32 = 0
    var isTold = false
    var left = 4_000
    while waitpid(process, &status, WNOHANG) == 0 {
      let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      if !isTold, said.contains("listening at") {
        isTold = true
        kill(process, SIGTERM)
      }
      left -= 1
      if left == 0 { kill(process, SIGKILL) }
      usleep(5_000)
    }
    let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    #expect(status & 0x7F == 0, "ended by signal \(status & 0x7F): \(said)")
    #expect(status >> 8 & 0xFF == (isTold ? 0 : 1), "\(said)")
    #expect(isTold || said.contains("Too many open files"), "\(said)")
  }
}
