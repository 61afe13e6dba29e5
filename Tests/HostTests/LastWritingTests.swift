// SPDX-License-Identifier: Apache-2.0

import Glibc
import Problems
import Testing

@testable import Host

/// What is wrong with a file that is only seen as the last of it is written.
@Suite struct LastWritingTests {
  @Test func aHapticLogThatIsGoneByItsLastLineIsToldByTheStop() throws {
    var path = ""
    let rig = try HostRig(configure: { configuration in
      path = configuration.packFolders[0] + "/felt.ndjson"
      configuration.hapticLogPath = path
    })
    _ = rig.ask("haptics.continuous", #"{"durationUs":1000000}"#)
    rig.step(microseconds: 100_000)
    unlink(path)
    #expect(rig.host.takeProblems().isEmpty && !rig.host.hasIncompleteFile)
    // Silence.
    #expect(rig.host.stop().map(\.kind) == [.logFailed])
    #expect(rig.host.hasIncompleteFile)
  }

  @Test func whatWasToldBeforeIsNotToldAgain() throws {
    let rig = try HostRig(configure: { $0.recordPath = "/dev/full" })
    rig.step(microseconds: 1_000_000)
    #expect(rig.host.takeProblems().map(\.kind) == [.recordingFailed])
    #expect(rig.host.stop() == [])
    #expect(rig.host.hasIncompleteFile)
  }
}
