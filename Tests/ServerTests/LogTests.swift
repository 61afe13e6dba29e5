// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing
import Timing

@testable import Server

@Suite struct LogTests {
  private func at(_ ms: Int64) -> Instant { Instant(microseconds: 1_000 * ms) }

  @Test func someLinesAreTakenAtOnceAndThenOneEachInterval() {
    var rate = LogRate(burst: 3, interval: .milliseconds(100))
    func admitted(_ count: Int, at instant: Instant) -> [Bool] { (0..<count).map { _ in rate.admits(at: instant) } }
    let first = admitted(5, at: at(1_000))
    #expect(first == [true, true, true, false, false])
    #expect(rate.dropped == 2)
    let next = [admitted(1, at: at(1_099)), admitted(1, at: at(1_100)), admitted(1, at: at(1_199))]
    #expect(next == [[false], [true], [false]])
    let later = admitted(4, at: at(9_000))
    #expect(later == [true, true, true, false])
  }

  /// Reads what is in a pipe.
  private func text(_ descriptor: Int32) -> String {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(descriptor, &buffer, buffer.count), count > 0 { all += buffer[..<count] }
    return String(decoding: all, as: UTF8.self)
  }

  @Test func aPipeThatNobodyEmptiesHoldsUpNobodyAndWhatWasDroppedIsTold() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var writer = LogWriter(LogOutput(ends[1]), isPrefixed: false)
    // Far more than a pipe holds, slowly enough for the rate.
    let line = String(repeating: "x", count: 3_000)
    for number in 0..<100 { writer.write(.info, line, at: at(Int64(number) * 1_000)) }
    let lines = text(ends[0]).split(separator: "\n")
    #expect(lines.count < 30)
    writer.write(.info, "on again", at: at(1_000_000))
    #expect(
      text(ends[0]) == """
        starlightd: \(100 - lines.count) lines of the log were dropped: they came too fast, or nobody read them
        starlightd: on again

        """)
  }

  @Test func aSocketThatNobodyReadsHoldsUpNobody() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    var writer = LogWriter(LogOutput(ends[1]), isPrefixed: true)
    for number in 0..<500 {
      writer.write(.warning, String(repeating: "x", count: 3_000), at: at(Int64(number) * 1_000))
    }
    let lines = text(ends[0]).split(separator: "\n")
    #expect(lines.count < 500)
    #expect(lines.first?.hasPrefix("<4>xxx") == true)
  }

  @Test func eachLineIsInAFileWhenItWasWritten() throws {
    let folder = TemporaryFolder()
    let file = open(folder.path + "/log", O_RDWR | O_CREAT | O_APPEND, 0o600)
    defer { close(file) }
    let log = try #require(LogFile(file, patience: 60_000))
    var expected = ""
    for number in 0..<20 {
      #expect(log.takes(Array("line \(number)\n".utf8)))
      expected += "line \(number)\n"
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = pread(file, &bytes, bytes.count, 0)
      #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == expected)
    }
  }

  @Test func aFileThatTakesNothingIsTold() throws {
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    let log = try #require(LogFile(full, patience: 60_000))
    #expect(!log.takes(Array("lost\n".utf8)))
  }

  @Test func namesFromOutsideCannotEndALineOrActOnATerminal() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    var writer = LogWriter(LogOutput(ends[1]), isPrefixed: true)
    writer.write(.warning, "pack \"a\n<3>forged\u{1B}[2J\" is empty", at: at(0))
    writer.write(.info, String(repeating: "y", count: 100_000), at: at(0))
    let lines = text(ends[0]).split(separator: "\n")
    #expect(lines.first == "<4>pack \"a\\u000a<3>forged\\u001b[2J\" is empty")
    #expect(lines.count == 2 && lines.last?.utf8.count == 4_000)
  }
}
