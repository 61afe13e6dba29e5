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

  @Test func eachLineIsInAFileOnceTheLogHasEnded() throws {
    let folder = TemporaryFolder()
    let file = open(folder.path + "/log", O_RDWR | O_CREAT | O_APPEND, 0o600)
    defer { close(file) }
    let log = try #require(LogFile(file, patience: 60_000))
    var expected = ""
    for number in 0..<20 {
      #expect(log.takes(Array("line \(number)\n".utf8)))
      expected += "line \(number)\n"
    }
    log.end()
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = pread(file, &bytes, bytes.count, 0)
    #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == expected)
    #expect(log.takeLost() == 0)
  }

  @Test func whatAFileDoesNotTakeIsLostWithTheLinesItStandsFor() throws {
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    let log = try #require(LogFile(full, patience: 60_000))
    #expect(log.takes(Array("lost\n".utf8)))
    #expect(log.takes(Array("5 lines were dropped\n".utf8), for: 5))
    log.end()
    #expect(log.takeLost() == 6)
    #expect(log.takeLost() == 0)
  }

  /// Nobody empties the pipe, so who waited for a line would wait for good.
  @Test func aLineIsHandedOverAndNotWaitedFor() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let log = try #require(LogFile(ends[1], patience: .max / 1_000_000_000))
    let line = [UInt8](repeating: 0x78, count: 3_999) + [0x0A]
    // What a pipe has room for beside what waits.
    let taken = (0..<100).count { _ in log.takes(line) }
    #expect((16...33).contains(taken))
    var read = text(ends[0]).utf8.count
    while read < taken * line.count {
      var readable = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      poll(&readable, 1, -1)
      read += text(ends[0]).utf8.count
    }
    log.end()
    #expect(read == taken * line.count && log.takeLost() == 0)
  }

  @Test func aLineBehindOneThatWasTakenInPartBeginsALine() {
    var tear = LogTear()
    let line = Array("line\n".utf8)
    func sent(_ taken: Int) -> String {
      let sent = tear.begun(line)
      tear.note(sent, taken: taken)
      return String(decoding: sent, as: UTF8.self)
    }
    let all = [sent(5), sent(2), sent(-1), sent(0), sent(1), sent(4), sent(3), sent(6), sent(5)]
    let (first, later) = ("line\n", "\nline\n")
    #expect(all == [first, first, later, later, later, first, later, later, first])
  }

  /// A terminal takes what it has room for, which may be a part of a line.
  @Test func linesOfATerminalThatNobodyReadsAreNotGluedTogether() throws {
    let reader = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
    defer { close(reader) }
    var (isLocked, number): (Int32, Int32) = (0, 0)
    // TIOCSPTLCK, TIOCGPTN.
    try #require(ioctl(reader, 0x4004_5431, &isLocked) == 0 && ioctl(reader, 0x8004_5430, &number) == 0)
    let terminal = open("/dev/pts/\(number)", O_WRONLY | O_NOCTTY)
    try #require(terminal >= 0)
    defer { close(terminal) }
    let output = LogOutput(terminal)
    let line = String(repeating: "x", count: 3_000) + "."
    var taken = 0
    while output.takes(Array((line + "\n").utf8)) { taken += 1 }
    var read = ""
    func readMore() {
      var readable = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
      poll(&readable, 1, -1)
      read += text(reader)
    }
    repeat { readMore() } while !output.takes(Array("at last\n".utf8))
    while !read.hasSuffix("at last\r\n") { readMore() }
    let lines = read.split(separator: "\r\n")
    #expect(taken > 1 && lines.count { $0 == line } == taken && lines.last == "at last")
    #expect(lines.allSatisfy { line.hasPrefix($0) || "at last".hasPrefix($0) })
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
