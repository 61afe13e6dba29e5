// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A terminal that hands over each key as it is pressed, unseen; as before once this goes.
///
/// Ctrl-C still raises SIGINT; Ctrl-Z is off, since it would leave the terminal in this mode.
struct RawMode: ~Copyable {
  private let descriptor: Int32
  private var before = termios()

  /// Nil when `descriptor` is no terminal.
  init?(descriptor: Int32) {
    self.descriptor = descriptor
    guard tcgetattr(descriptor, &before) == 0 else { return nil }
    var raw = before
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &raw.c_cc) { keys in
      keys[Int(VMIN)] = 1
      keys[Int(VTIME)] = 0
      keys[Int(VSUSP)] = 0
    }
    guard tcsetattr(descriptor, TCSAFLUSH, &raw) == 0 else { return nil }
  }

  deinit {
    var before = before
    tcsetattr(descriptor, TCSAFLUSH, &before)
  }
}
