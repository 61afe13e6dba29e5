// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import CommandLineTool

@Suite struct TerminalTests {
  @Test func aFullDiskIsKept() throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    try #require(full >= 0)
    defer { close(full) }
    let out = Terminal(descriptor: full, environment: [:])
    out.line("lost")
    #expect(out.isBroken)
    #expect(out.writeError == "No space left on device")
  }

  @Test func aTerminalThatDoesNotKnowItsRowsHas24() throws {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(terminal >= 0)
    defer { close(terminal) }
    let out = Terminal(descriptor: terminal, environment: [:])
    for (rows, columns, seen) in [(0, 0, [24, 80]), (0, 60, [24, 60]), (50, 0, [50, 80]), (50, 60, [50, 60])] {
      var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
      #expect(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
      #expect([out.size.rows, out.size.columns] == seen)
    }
  }
}
