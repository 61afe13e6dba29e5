// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SyncFrontEnd

/// Storing waits for nothing, and loses nothing that counts.
@Suite(.timeLimit(.minutes(2))) struct StateWriterTests {
  private let disk = HeldDisk()

  private func writer(patience: Duration = .seconds(3_600)) -> StateWriter {
    StateWriter(path: "/state", patience: patience) { [disk] bytes throws(StateFile.Failure) in try disk.write(bytes) }
  }

  @Test func whoStoresGoesOnAndTheLatestOvertakesWhatWaits() {
    let writer = writer()
    writer.store(Array("1".utf8))
    #expect(disk.waitForWrite())
    for text in ["2", "3", "4"] { writer.store(Array(text.utf8)) }
    #expect(writer.takeOutcome() == nil)
    disk.release(2)
    #expect(writer.finish(within: .seconds(60)) == .stored)
    #expect(disk.written == ["1", "4"])
    #expect(writer.takeOutcome() == nil)
  }

  @Test func whatIsRefusedIsToldOnceAndWhatComesAfterItIsWritten() {
    let refusal = StateFile.Failure("full")
    let writer = writer()
    writer.store(Array("1".utf8))
    #expect(disk.waitForWrite())
    disk.release(refusing: refusal)
    #expect(writer.finish(within: .seconds(60)) == .failed(refusal))
    #expect(writer.takeOutcome() == nil)
    writer.store(Array("2".utf8))
    disk.release()
    #expect(writer.finish(within: .seconds(60)) == .stored)
    #expect(disk.written == ["2"])
  }

  @Test func whatIsHandedOverLastIsWrittenThoughTheWriterIsLetGoOf() {
    writer().store(Array("1".utf8))
    #expect(disk.waitForWrite())
    disk.release()
    #expect(disk.waitForEnd())
    #expect(disk.written == ["1"])
  }

  @Test func aDiskThatHangsIsToldOnceAndTheEndOfTheProgramWaitsNoLongerThanItSays() {
    let writer = writer(patience: .zero)
    writer.store(Array("1".utf8))
    #expect(disk.waitForWrite())
    let late = StateFile.Failure("/state was not written within 0.0 seconds")
    #expect(writer.takeOutcome() == .failed(late))
    #expect(writer.takeOutcome() == nil)
    #expect(writer.finish(within: .zero) == .failed(late))
    disk.release()
    #expect(writer.finish(within: .seconds(60)) == .stored)
  }
}
