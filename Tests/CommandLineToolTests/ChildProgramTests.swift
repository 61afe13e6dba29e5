// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import CommandLineTool

@Suite struct ChildProgramTests {
  @Test func bothOutputsAndTheExitAreGiven() throws {
    let result = try runChild(["sh", "-c", "echo said; echo complained >&2; exit 3"], seconds: 60)
    #expect(result.code == 3 && result.output == Array("said\n".utf8) && result.complaints == "complained\n")
    // More than a pipe holds, of both at once.
    let much = try runChild(
      ["sh", "-c", "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero"], seconds: 60)
    #expect(much.code == 0 && much.output.count == 300_000 && much.complaints.utf8.count == 65_536)
    #expect(try runChild(["sh", "-c", "kill -9 $$"], seconds: 60).code == 128 + 9)
  }

  @Test func whatIsNotThereOrDoesNotEndIsSaidSo() {
    #expect(throws: ChildFailure.notInstalled) { try runChild(["no-such-program-here"], seconds: 60) }
    #expect(throws: ChildFailure.tooLong) { try runChild(["sleep", "600"], seconds: 0) }
    #expect(throws: ChildFailure.tooLong) { try runChild(["cat", "/dev/zero"], seconds: 60, atMost: 1_000) }
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    write(ends[1], "x", 1)
    #expect(throws: ChildFailure.interrupted) { try runChild(["sleep", "600"], seconds: 60, interrupt: ends[0]) }
    for end in ends { close(end) }
  }
}
