// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Glibc

/// One of the program's outputs: whether a person looks at it, how wide it is, and writing to it.
final class Terminal {
  let descriptor: Int32
  /// Whether it is a terminal rather than a file or a pipe.
  let isInteractive: Bool
  /// Colours only on a terminal, and only without NO_COLOR.
  let style: Style
  /// Whether the reader has gone: nothing more can be shown.
  private(set) var isBroken = false
  /// Why something could not be written, though there is still a reader: a full disk, for one.
  private(set) var writeError: String?

  /// The standard output (1) or the error output (2). `plain` treats it as a file.
  init(descriptor: Int32, environment: [String: String], plain: Bool = false) {
    self.descriptor = descriptor
    isInteractive = !plain && isatty(descriptor) == 1 && environment["TERM"] != "dumb"
    let noColour = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    style = isInteractive && !noColour ? .coloured : .plain
  }

  /// Columns: as the terminal says, else 80.
  var width: Int { size.columns }

  /// The width to break sentences at: none where a machine may read them.
  var readableWidth: Int { isInteractive ? width : .max }

  /// Rows and columns now; a person may change them at any time. Serial consoles and some containers say 0 for what
  /// they do not know: then it is 24 and 80.
  var size: (rows: Int, columns: Int) {
    var size = winsize()
    guard isInteractive, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (24, 80) }
    return (size.ws_row > 0 ? Int(size.ws_row) : 24, size.ws_col > 0 ? Int(size.ws_col) : 80)
  }

  /// Whether nobody reads any more: the other end of the pipe is closed.
  var isAbandoned: Bool {
    var polled = pollfd(fd: descriptor, events: 0, revents: 0)
    return isBroken || (poll(&polled, 1, 0) > 0 && polled.revents & Int16(POLLERR | POLLHUP) != 0)
  }

  /// Writes `text`, which may hold names from outside, and a line feed.
  func line(_ text: String = "") { write(style.visible(text) + "\n") }

  /// Writes all of `text`, waiting for a slow reader.
  func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes all of `bytes`, waiting for a slow reader.
  func write(_ bytes: [UInt8]) {
    var written = 0
    while written < bytes.count, !isBroken {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        written += count
      } else if errno == EAGAIN {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, 100)
      } else if errno != EINTR {
        isBroken = true
        if errno != EPIPE { writeError = errnoText() }
      }
    }
  }
}
