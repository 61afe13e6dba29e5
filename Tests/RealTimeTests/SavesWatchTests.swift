// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Testing

@testable import RealTime

/// What is noticed of folders that somebody works in.
@Suite struct SavesWatchTests {
  private func write(_ path: String) throws { try Data("x".utf8).write(to: URL(filePath: path)) }

  @Test func whatIsSavedInAFolderOrBelowItIsToldByTheFolder() throws {
    let root = FileManager.default.temporaryDirectory.path + "/starlight-saves-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: root) }
    for folder in ["/a/below", "/b"] {
      try FileManager.default.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
    }
    var watch = SavesWatch()
    watch.watch([root + "/a", root + "/b"])
    #expect(watch.takeSaved().isEmpty)
    try write(root + "/a/pack.json")
    #expect(watch.takeSaved() == [root + "/a"])
    try write(root + "/a/below/x.wav")
    try write(root + "/b/pack.json")
    #expect(watch.takeSaved() == [root + "/a", root + "/b"])
    // A folder that came is watched from then on; reading tells nothing.
    try FileManager.default.createDirectory(atPath: root + "/b/new", withIntermediateDirectories: false)
    #expect(watch.takeSaved() == [root + "/b"])
    _ = FileManager.default.contents(atPath: root + "/b/pack.json")
    #expect(watch.takeSaved().isEmpty)
    try write(root + "/b/new/x.wav")
    #expect(watch.takeSaved() == [root + "/b"])
    try FileManager.default.removeItem(atPath: root + "/b/new/x.wav")
    #expect(watch.takeSaved() == [root + "/b"])
    // What is watched no more is told no more.
    watch.watch([root + "/b"])
    try write(root + "/a/pack.json")
    #expect(watch.takeSaved().isEmpty)
  }

  @Test func aFolderThatIsAnotherByTheSameNameIsWatchedOnceItIsSaidToBe() throws {
    let root = FileManager.default.temporaryDirectory.path + "/starlight-saves-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: root) }
    for folder in ["/a/below", "/b"] {
      try FileManager.default.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
    }
    let folders = [root + "/a", root + "/b"]
    var watch = SavesWatch()
    watch.watch(folders)
    try FileManager.default.moveItem(atPath: root + "/a", toPath: root + "/old")
    try FileManager.default.createDirectory(atPath: root + "/a", withIntermediateDirectories: true)
    watch.watch(folders, andAnew: root + "/a")
    watch.watch(folders, andAnew: root + "/c")
    _ = watch.takeSaved()
    try write(root + "/a/pack.json")
    #expect(watch.takeSaved() == [root + "/a"])
    try write(root + "/b/pack.json")
    #expect(watch.takeSaved() == [root + "/b"])
    // What was moved away is nobody's.
    try write(root + "/old/pack.json")
    #expect(watch.takeSaved().isEmpty)
  }

  @Test func aFolderThatCannotBeWatchedIsToldOnce() {
    // No file system has names so long.
    let folder = "/tmp/" + String(repeating: "x", count: 300)
    let unwatched = SavesWatch.Unwatched(folder: folder, code: ENAMETOOLONG)
    var watch = SavesWatch()
    watch.watch(["/tmp/no/such/folder", folder])
    #expect(watch.takeUnwatched() == unwatched)
    watch.watch(["/tmp/no/such/folder", folder], andAnew: folder)
    #expect(watch.takeUnwatched() == nil)
    // And again where others are named.
    watch.watch([folder])
    #expect(watch.takeUnwatched() == unwatched)
    watch.watch(["/tmp/no/such/folder"])
    #expect(watch.takeUnwatched() == nil)
  }

  @Test func whatIsSavedIsReadOnceItIsQuiet() {
    var settling = SaveSettling()
    #expect(settling.due == nil && settling.take(at: 5).isEmpty)
    settling.note(["/b"], at: 1_000_000_000)
    settling.note([], at: 1_040_000_000)
    settling.note(["/a"], at: 1_050_000_000)
    #expect(settling.due == 1_150_000_000 && settling.take(at: 1_149_999_999).isEmpty)
    #expect(settling.take(at: 1_150_000_000) == ["/a", "/b"])
    #expect(settling.due == nil)
  }

  @Test func whatIsSavedAgainAndAgainIsReadOnceASecond() {
    var settling = SaveSettling()
    for step in 0..<19 { settling.note(["/a"], at: 50_000_000 * Int64(step)) }
    #expect(settling.due == 1_000_000_000)
  }
}
