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
}
