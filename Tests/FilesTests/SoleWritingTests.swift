// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import Testing

@testable import Files

@Suite struct SoleWritingTests {
  let folder = TemporaryFolder()

  func refusal(_ path: String) -> FileRefusal.Reason? {
    do throws(FileRefusal) {
      closeSole(try openSoleFile(path, mode: 0o600))
      return nil
    } catch {
      return error.reason
    }
  }

  @Test func aFileIsMadeOpenedAndNoOtherKindOfThingIs() throws {
    mkfifo(folder.path + "/pipe", 0o600)
    folder.link("dangling", to: "made")
    folder.link("linked", to: "pipe")
    #expect(refusal(folder.path + "/new") == nil && refusal(folder.path + "/new") == nil)
    #expect(refusal(folder.path + "/dangling") == nil && access(folder.path + "/made", F_OK) == 0)
    #expect(refusal(folder.path) == .isFolder)
    for name in ["/pipe", "/linked"] { #expect(refusal(folder.path + name) == .isNoRegularFile) }
    #expect(refusal("/dev/null") == .isNoRegularFile)
    #expect(refusal(folder.path + "/none/file") == .system(ENOENT))
    let first = try openSoleFile(folder.path + "/new", mode: 0o600)
    #expect(refusal(folder.path + "/new") == .system(EBUSY))
    closeSole(first)
  }

  /// A pipe whose writer has gone tells its reader, so the pipe here would tell had it ever been opened.
  @Test func aPipeThatComesInTheFilesPlaceIsNeverOpened() throws {
    mkfifo(folder.path + "/pipe", 0o600)
    let reader = open(folder.path + "/pipe", O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    // From the first look on there is one or the other.
    let path = folder.path + "/log"
    closeSole(try openSoleFile(folder.path + "/file", mode: 0o600))
    symlink("file", path)
    let swapping = Swapping(path)
    Thread.detachNewThread { swapping.run() }
    for _ in 0..<3_000 { _ = refusal(path) }
    swapping.end()
    var told = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    #expect(poll(&told, 1, 0) == 0)
  }
}

/// Has a link lead to `file` and to `pipe` beside it by turns, on a thread of its own.
private final class Swapping: Sendable {
  private let path: String
  private let isOver = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  init(_ path: String) { self.path = path }

  func run() {
    while !isOver.load(ordering: .relaxed) {
      for target in ["file", "pipe"] {
        symlink(target, path + ".new")
        rename(path + ".new", path)
      }
    }
    ended.signal()
  }

  func end() {
    isOver.store(true, ordering: .relaxed)
    ended.wait()
  }
}
