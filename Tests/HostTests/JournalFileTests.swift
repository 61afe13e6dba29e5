// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Journal
import Testing
import Timing

@testable import Host

/// What becomes of a journal's file.
@Suite struct JournalFileTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/journal-" + UUID().uuidString

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: folder + "/" + name)))
  }

  @Test func aBlockThatIsLostStandsInItsPlace() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = try JournalFile(path: folder + "/run", isBeside: false, mostWaiting: 200)
    let door = JournalDoor(file)
    #expect(door.failure == nil)
    for _ in 0..<1_000 { door.enter(.advance) }
    door.flush(at: Instant(nanoseconds: 0))
    #expect(door.failure?.reason == "records were lost, so nothing behind them can be done again")
    door.enter(.carryOut)
    door.flush(at: Instant(nanoseconds: 1_000_000_000))
    #expect(door.finish(by: .distantFuture))
    #expect(try JournalReader(bytes("run")).records.map(\.kind) == [.lost, .carryOut, .end])
  }

  @Test(arguments: [false, true])
  func aFileThatIsCutShortIsToldAndWrittenNoMore(atTheEnd: Bool) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let door = JournalDoor(try JournalFile(path: folder + "/run", isBeside: false))
    door.enter(.advance)
    door.flush(at: Instant(nanoseconds: 0))
    #expect(truncate(folder + "/run", 0) == 0)
    if atTheEnd {
      #expect(door.finish(by: .distantFuture))
    } else {
      door.enter(.carryOut)
      door.flush(at: Instant(nanoseconds: 1_000_000_000))
    }
    #expect(door.failure?.reason == "another program cut it short")
    #expect(try bytes("run").isEmpty)
  }

  @Test func aFileThatIsRemovedIsToldAndWrittenNoMore() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let door = JournalDoor(try JournalFile(path: folder + "/run", isBeside: false))
    door.enter(.advance)
    door.flush(at: Instant(nanoseconds: 0))
    #expect(door.failure == nil)
    unlink(folder + "/run")
    door.enter(.carryOut)
    door.flush(at: Instant(nanoseconds: 1_000_000_000))
    #expect(door.failure?.reason == "it was removed")
  }

  @Test func whatWasThereIsKeptAndNobodyElseMayRead() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for text in ["one", "two"] {
      try Data(text.utf8).write(to: URL(filePath: folder + "/run"))
      chmod(folder + "/run", 0o644)
      #expect(JournalDoor(try JournalFile(path: folder + "/run", isBeside: false)).finish(by: .distantFuture))
      #expect(try bytes("run.before") == Array(text.utf8))
    }
    var status = stat()
    #expect(stat(folder + "/run", &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try JournalReader(bytes("run")).records.map(\.kind) == [.end])
  }

  @Test func aFileThatIsBeingWrittenIsRefusedAndStaysInPlace() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let door = JournalDoor(try JournalFile(path: folder + "/run", isBeside: false))
    for _ in 0..<2 {
      let error = #expect(throws: HostError.self) { _ = try JournalFile(path: folder + "/run", isBeside: false) }
      #expect(error?.description.contains("\(folder)/run: another program writes it") == true)
      door.enter(.advance)
      door.flush(at: Instant(nanoseconds: 0))
    }
    #expect(door.finish(by: .distantFuture))
    #expect(door.failure == nil)
    #expect(try JournalReader(bytes("run")).records.map(\.kind).filter { $0 == .advance }.count == 2)
  }

  @Test func aFolderOrAPipeIsRefused() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    mkfifo(folder + "/pipe", 0o600)
    for path in [folder, folder + "/pipe"] {
      #expect(throws: HostError.self) { _ = try JournalFile(path: path, isBeside: false) }
    }
  }

  @Test func numbersThatNoRunComesToAreNoRecord() {
    for fields in [[0, 2, 0], [0, 2, 1], [4, 1, 2, 2, 2]] as [[UInt64]] {
      var written = JournalFields()
      for field in fields { written.add(field) }
      var reader = JournalFieldReader(JournalRecord(.mixer, written.bytes))
      #expect(throws: JournalFault.record) { try reader.mixerNote() }
    }
  }
}
