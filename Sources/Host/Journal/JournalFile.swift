// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc
import Journal
import RealTime
import Synchronization
import Timing

/// The file of a journal. On a live clock a thread of its own writes it, so that control waits for no disk; on a stepped clock
/// control does.
final class JournalFile: Sendable {
  /// Why nothing more is written.
  enum Failure: Equatable {
    /// A write failed, with `errno` as it was then.
    case refused(Int32)
    case damaged(FileDamage)
    /// A write hung at the end, and was left behind.
    case unanswered
  }

  fileprivate struct State {
    var waiting: [[UInt8]] = []
    var waitingBytes = 0
    /// Bytes that were handed over in all.
    var bytes = 0
    /// Bytes that are in the file.
    var writtenBytes: Int64 = 0
    var failure: Failure?
  }

  fileprivate final class Shared: Sendable {
    let descriptor: Int32
    let state = Mutex(State())
    /// Closing may take as long as writing, so whoever writes does it.
    private let isClosed = Atomic(false)

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close() }

    func close() {
      if !isClosed.exchange(true, ordering: .relaxed) { closeSole(descriptor) }
    }
  }

  private let shared: Shared
  private let thread: WakingThread?
  private let mostBytes: Int
  private let mostWaiting: Int

  /// No journal is longer. Ten minutes of play at random take 9.2 MB (docs/journal.md), so this is some hours.
  static let mostBytes = 1 << 28
  /// What waits for a disk that stalls; beyond it, blocks are lost.
  static let mostWaiting = 1 << 26

  /// Writes the file at `path` anew, one that is a regular file or not there; what was there is kept beside it. `isBeside` has
  /// a thread write it.
  init(
    path: String, isBeside: Bool, mostBytes: Int = mostBytes, mostWaiting: Int = mostWaiting
  ) throws(HostError) {
    let shared = Shared(try Self.opened(path))
    self.shared = shared
    (self.mostBytes, self.mostWaiting) = (mostBytes, mostWaiting)
    guard isBeside else {
      thread = nil
      return
    }
    let thread = WakingThread(
      {
        shared.write()
        return .whenWoken
      }, last: { shared.end() })
    self.thread = thread
    do throws(ThreadError) {
      try thread.start(name: "journal")
    } catch {
      throw HostError("cannot start the thread that writes the journal: \(String(cString: strerror(error.code)))")
    }
  }

  /// An empty file that nobody else can read: names, and what players did, are nobody else's business.
  private static func opened(_ path: String) throws(HostError) -> Int32 {
    func refusal(_ reason: String) -> HostError { HostError("no journal can be written to \(path): \(reason)") }
    func opened() throws(HostError) -> Int32 {
      do throws(FileRefusal) { return try openSoleFile(path, mode: 0o600) } catch {
        if case .system(let code) = error.reason { throw refusal(reasonNotOpened(code)) }
        throw refusal("it is no regular file")
      }
    }
    var descriptor = try opened()
    // The run before may be the one that somebody asks about: a daemon that crashed is started again.
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_size > 0 {
      let isKept = rename(path, path + ".before") == 0
      let code = errno
      closeSole(descriptor)
      guard isKept else { throw refusal(String(cString: strerror(code))) }
      descriptor = try opened()
    }
    guard fchmod(descriptor, 0o600) == 0 else {
      closeSole(descriptor)
      throw refusal("it is no file of this user's")
    }
    return descriptor
  }

  /// Whether so many bytes more leave the file within what it may have.
  func hasRoom(for bytes: Int) -> Bool { shared.state.withLock { $0.bytes + bytes + 64 <= mostBytes } }

  /// Has them written; never waits for a disk where there is a thread. False where they are lost: the disk is too slow.
  func put(_ bytes: [UInt8]) -> Bool {
    let isTaken = shared.state.withLock { state in
      guard state.failure == nil, state.waitingBytes + bytes.count <= mostWaiting else { return false }
      state.bytes += bytes.count
      state.waitingBytes += bytes.count
      state.waiting.append(bytes)
      return true
    }
    if let thread { thread.wake() } else { shared.write() }
    return isTaken
  }

  /// Nil while all is well.
  var failure: Failure? { shared.state.withLock { $0.failure } }

  /// Writes what is left, closes the file and ends the thread. That is not waited for beyond `deadline` where there is a thread: false
  /// where it was left behind, as `failure` tells then.
  func finish(by deadline: Instant) -> Bool {
    guard let thread else {
      shared.end()
      return true
    }
    if thread.stop(byNanoseconds: deadline.nanoseconds) { return true }
    shared.fail(.unanswered)
    return false
  }
}

extension JournalFile.Shared {
  fileprivate func write() {
    while true {
      let next: [UInt8]? = state.withLock { state in
        guard state.failure == nil, !state.waiting.isEmpty else { return nil }
        let next = state.waiting.removeFirst()
        state.waitingBytes -= next.count
        return next
      }
      guard let next, look() else { return }
      guard isWritten(next, to: descriptor) else { return fail(.refused(errno)) }
      state.withLock { $0.writtenBytes += Int64(next.count) }
    }
  }

  /// Whether what was written is there still.
  private func look() -> Bool {
    let written = state.withLock { $0.failure == nil ? $0.writtenBytes : nil }
    guard let written, let damage = FileDamage(to: descriptor, after: written) else { return written != nil }
    fail(.damaged(damage))
    return false
  }

  /// Writes what is left, and looks for the last time.
  fileprivate func end() {
    write()
    if look(), let code = deferredFailure(of: descriptor) { fail(.refused(code)) }
    close()
  }

  fileprivate func fail(_ failure: JournalFile.Failure) {
    state.withLock { state in
      state.failure = state.failure ?? failure
      (state.waiting, state.waitingBytes) = ([], 0)
    }
  }
}
