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
    /// A file, by a thread of its own: its disk may not answer.
    case file
    /// Where it has room: what is none of these.
    case asked
  }

  private let descriptor: Int32
  private let way: Way
  /// From the first line on, where it is a file and there can be a thread.
  private lazy var file = LogFile(descriptor)

  /// Lines go to `descriptor`, which stays the caller's.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    way = Self.way(to: descriptor)
  }

  deinit { if case .own(let own) = way { close(own) } }

  private static func way(to descriptor: Int32) -> Way {
    var status = stat()
    let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    if kind == S_IFREG { return .file }
    let isPipe = kind == S_IFIFO
    guard isPipe || isatty(descriptor) == 1 else { return .asked }
    let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    return own >= 0 ? .own(own) : isPipe ? .once : .asked
  }

  /// Whether text of less than PIPE_BUF bytes is taken, whole and at once. A socket is told not to wait by each call.
  func takes(_ text: [UInt8]) -> Bool {
    text.withUnsafeBytes { bytes in
      let sent = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      if sent >= 0 || errno != ENOTSOCK { return sent == bytes.count }
      switch way {
      case .own(let own): return write(own, bytes.baseAddress, bytes.count) == bytes.count
      case .once:
        let count = rt_write_once(descriptor, bytes.baseAddress, bytes.count)
        if count >= 0 || errno == EAGAIN { return count == bytes.count }
      case .file: if let file { return file.takes(text) }
      case .asked: break
      }
      var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&output, 1, 0) > 0, output.revents & Int16(POLLOUT) != 0 else { return false }
      return write(descriptor, bytes.baseAddress, bytes.count) == bytes.count
    }
  }
}
