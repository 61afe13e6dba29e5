// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc

/// Where lines of the log go: a descriptor that other programs may have as well, and write to. Nobody is ever waited for.
///
/// Whether writes wait is a matter of the open file description, which an inherited descriptor shares with whoever started the daemon:
/// it is left as it is. A pipe or a terminal is opened once more, with a description of its own that does not wait. To ask first
/// whether there is room would not do, as others may take that room meanwhile.
final class LogOutput {
  private enum Way {
    /// By a descriptor of its own, which is closed with this value.
    case own(Int32)
    /// A pipe that cannot be opened anew, because it is another user's: the kernel is asked not to wait this once, where it can do that.
    case once
    /// By a thread of its own: a file, whose disk may not answer, or a terminal that cannot be opened anew.
    case thread
    /// Where it has room: what is none of these.
    case asked
  }

  private let descriptor: Int32
  private let way: Way
  private var tear = LogTear()
  private var file: LogFile?

  /// Lines go to `descriptor`, which stays the caller's.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    way = Self.way(to: descriptor)
  }

  deinit {
    end()
    if case .own(let own) = way { close(own) }
  }

  private static func way(to descriptor: Int32) -> Way {
    var status = stat()
    let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    if kind == S_IFREG { return .thread }
    let isPipe = kind == S_IFIFO
    guard isPipe || isatty(descriptor) == 1 else { return .asked }
    let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    return own >= 0 ? .own(own) : isPipe ? .once : .thread
  }

  /// Whether text of less than PIPE_BUF bytes, which ends a line, is taken whole and at once, or handed to a thread that writes it.
  /// It stands for so many lines: what that thread cannot write is told by `takeLost`.
  func takes(_ text: [UInt8], for lines: Int = 1) -> Bool {
    let sent = tear.begun(text)
    var count = put(sent)
    if count == nil {
      file = file ?? LogFile(descriptor)
      if let file { return file.takes(text, for: lines) }
      count = putWhereThereIsRoom(sent)
    }
    tear.note(sent, taken: count ?? 0)
    return count == sent.count
  }

  /// How many lines were handed to the thread and could not be written, since that was asked.
  func takeLost() -> Int { file?.takeLost() ?? 0 }

  /// Waits, for a moment, until what was handed to the thread is written.
  func end() { file?.end() }

  /// How many bytes are taken at once, negative where none are; nil where a thread is to write them. A socket is told not to wait by
  /// each call.
  private func put(_ text: [UInt8]) -> Int? {
    let sent = send(descriptor, text, text.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    if sent >= 0 || errno != ENOTSOCK { return sent }
    switch way {
    case .own(let own): return write(own, text, text.count)
    case .once:
      let count = rt_write_once(descriptor, text, text.count)
      return count >= 0 || errno == EAGAIN ? count : nil
    case .thread: return nil
    case .asked: return putWhereThereIsRoom(text)
    }
  }

  private func putWhereThereIsRoom(_ text: [UInt8]) -> Int {
    var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&output, 1, 0) > 0, output.revents & Int16(POLLOUT) != 0 else { return -1 }
    return write(descriptor, text, text.count)
  }
}
