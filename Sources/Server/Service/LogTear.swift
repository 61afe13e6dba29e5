// SPDX-License-Identifier: Apache-2.0

/// What takes a part of a line, such as a terminal that is nearly full, is left in the middle of it: the next begins with a line feed.
struct LogTear {
  private static let lineFeed: UInt8 = 0x0A
  private var isTorn = false

  /// What is to be sent, so that `line` begins a line.
  func begun(_ line: [UInt8]) -> [UInt8] { isTorn ? [Self.lineFeed] + line : line }

  /// That many bytes of what was sent were taken; none where it is negative.
  mutating func note(_ sent: [UInt8], taken: Int) {
    if taken > 0 { isTorn = sent[taken - 1] != Self.lineFeed }
  }
}
