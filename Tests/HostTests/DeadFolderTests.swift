// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Synchronization
import Testing

@testable import Host

/// Folders of packs on file systems that do not answer keep nobody else's from being read.
@Suite(.timeLimit(.minutes(1))) struct DeadFolderTests {
  /// A loader whose folders `/dead…` do not answer until they may, and whose `/slow…` are read on and on until then.
  private final class Disk: Sendable {
    private let event = rt_waiter_event()
    let loader: LoaderThread
    private let mayAnswer = Atomic(false)
    private let waiting = Atomic(0)
    private let pieces = Atomic(0)
    private let now = Mutex<Int64>(0)

    init() throws {
      loader = LoaderThread(control: event)
      try loader.start()
    }

    deinit { close(event) }

    /// Lets the threads go that wait.
    func end() {
      answer()
      loader.stop()
    }

    func answer() { mayAnswer.store(true, ordering: .relaxed) }

    func begin(_ folder: String) {
      waiting.store(0, ordering: .relaxed)
      loader.begin(folder, at: now.withLock { $0 }) { [self] folder, isWanted in
        if folder.hasPrefix("/dead") {
          waiting.add(1, ordering: .relaxed)
          while !mayAnswer.load(ordering: .relaxed) { sched_yield() }
        }
        while folder.hasPrefix("/slow"), !mayAnswer.load(ordering: .relaxed), isWanted() {
          pieces.add(1, ordering: .relaxed)
          sched_yield()
        }
        return FolderReading(path: folder, problems: [], warnings: [])
      }
    }

    /// Looks that often, a second of the loader's clock between two, once the folder is waited for.
    func look(_ times: Int) {
      while waiting.load(ordering: .relaxed) == 0 { sched_yield() }
      for _ in 0..<times { lookOnce() }
    }

    func lookOnce() {
      loader.look(
        at: now.withLock { now in
          now += 1_000_000_000
          return now
        })
    }

    /// Waits until what is slow has been read on.
    func waitForPieces() {
      let before = pieces.load(ordering: .relaxed)
      while pieces.load(ordering: .relaxed) < before + 2 { sched_yield() }
    }

    /// What comes of a folder.
    func read(_ folder: String) -> String {
      begin(folder)
      return taken()
    }

    /// What came of the folder, as soon as it is through.
    func taken() -> String {
      while true {
        if let done = loader.takeDone() {
          loader.letGo()
          return "\(done.path): \(done.problems.map(\.reason).joined())"
        }
        sched_yield()
      }
    }
  }

  @Test func aFolderThatDoesNotAnswerIsGivenUpAndTheOthersAreRead() throws {
    let disk = try Disk()
    defer { disk.end() }
    #expect(disk.read("/a") == "/a: ")
    disk.begin("/dead")
    disk.look(5)
    #expect(disk.loader.takeDone() == nil && disk.loader.looksAt == 6_000_000_000)
    disk.look(1)
    #expect(disk.taken() == "/dead: /dead does not answer: nothing more of it could be read for 5 s")
    #expect(disk.loader.looksAt == nil)
    #expect(disk.read("/b") == "/b: ")
  }

  @Test func oneThatIsGivenUpIsNotWaitedForAgain() throws {
    let disk = try Disk()
    defer { disk.end() }
    disk.begin("/dead")
    disk.look(6)
    _ = disk.taken()
    #expect(disk.read("/a") == "/a: ")
    #expect(
      disk.read("/dead") == "/dead: /dead does not answer: what was to be read of it before is still waited for")
    #expect(disk.read("/b") == "/b: ")
  }

  @Test func whileOneDoesNotAnswerAnotherIsGivenUpSooner() throws {
    let disk = try Disk()
    defer { disk.end() }
    disk.begin("/dead")
    disk.look(6)
    _ = disk.taken()
    disk.begin("/dead-as-well")
    disk.look(2)
    #expect(disk.loader.takeDone() == nil)
    disk.look(1)
    #expect(disk.taken().hasPrefix("/dead-as-well: /dead-as-well does not answer"))
    #expect(disk.read("/b") == "/b: ")
  }

  @Test func oneThatAnswersAgainIsRead() throws {
    let disk = try Disk()
    defer { disk.end() }
    disk.begin("/dead")
    disk.look(6)
    _ = disk.taken()
    disk.answer()
    while disk.read("/dead") != "/dead: " { sched_yield() }
  }

  /// However long it takes.
  @Test func aFolderThatIsReadOnIsNotGivenUp() throws {
    let disk = try Disk()
    defer { disk.end() }
    disk.begin("/slow")
    for _ in 0..<100 {
      disk.waitForPieces()
      disk.lookOnce()
    }
    disk.answer()
    #expect(disk.taken() == "/slow: ")
  }

  /// All who are asked for are answered, however many files do not.
  @Test func noMoreThreadsAreLeftBehindThanAreBounded() throws {
    let disk = try Disk()
    defer { disk.end() }
    for number in 0..<LoaderThread.mostStuck {
      disk.begin("/dead\(number)")
      disk.look(number == 0 ? 6 : 3)
      #expect(disk.taken().hasPrefix("/dead\(number): /dead\(number) does not answer"))
    }
    // The last is waited for.
    disk.begin("/dead32")
    disk.look(100)
    #expect(disk.loader.takeDone() == nil)
    disk.answer()
    #expect(disk.taken() == "/dead32: ")
  }
}
