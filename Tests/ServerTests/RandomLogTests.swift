// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import SeededNumbers
import Synchronization
import Testing
import Timing

@testable import Server

/// Lines of any text, in bursts and slowly, to a pipe that is emptied now and then.
@Suite struct RandomLogTests {
  @Test func everyLineIsTakenOrCountedAndNoneWaits() throws {
    try search(upTo: 6) { random in
      var ends: [Int32] = [0, 0]
      try hold(pipe(&ends) == 0, "no pipe")
      defer { for end in ends { close(end) } }
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      // Who waits for a reader is let go after a while, and noticed by that.
      let rescue = Rescue(ends[0])
      defer { rescue.end() }
      var writer = LogWriter(LogOutput(ends[1]), isPrefixed: false)
      var read: [UInt8] = []
      func drain() {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while case let count = Glibc.read(ends[0], &bytes, bytes.count), count > 0 { read += bytes[..<count] }
      }
      var now: Int64 = 1_000_000
      var rounds: [Int64] = []
      var written = 0
      for _ in 0..<(10 + random.next(below: 30)) {
        now += random.pick([0, random.integer(0...50_000), random.integer(0...20_000_000)])
        let count = random.pick([1, 1, 30, 90])
        for _ in 0..<count {
          let word = random.pick(["x", "a\nb", "\u{1B}[2J", "\u{202E}"])
          let text = String(repeating: word, count: random.next(below: 400))
          writer.write(.info, "line \(rounds.count) " + text, at: Instant(microseconds: now))
          written += 1
        }
        rounds.append(now)
        if random.oneIn(3) { drain() }
      }
      drain()
      // Slow enough to be taken, behind what was dropped.
      writer.write(.info, "line \(rounds.count) at last", at: Instant(microseconds: now + 60_000_000))
      drain()
      try hold(!rescue.hasHelped, "a line of the log waited for its reader")
      let lines = String(decoding: read, as: UTF8.self).split(separator: "\n")
      let told = lines.compactMap { line in
        line.hasSuffix("lines of the log were dropped: they came too fast, or nobody read them")
          ? Int(line.dropFirst("starlightd: ".count).prefix { $0.isNumber }) : nil
      }
      let taken = lines.compactMap { line in
        let start = "starlightd: line "
        return line.hasPrefix(start) ? Int(line.dropFirst(start.count).prefix { $0.isNumber }) : nil
      }
      try hold(
        lines.count == taken.count + told.count, "\(lines.count) lines are read, \(taken.count) of what was written")
      try hold(
        taken.count + told.reduce(0, +) == written + 1,
        "of \(written + 1) lines \(taken.count) were taken, \(told) dropped")
      try hold(!read.contains { $0 < 0x20 && $0 != 0x0A }, "control characters are in the log")
      // 50 at once, and five a second, between any two of them.
      for (first, from) in rounds.enumerated() {
        for (last, until) in rounds.enumerated().dropFirst(first) {
          let count = taken.count { (first...last).contains($0) }
          try hold(count <= 50 + (until - from) / 200_000, "\(count) lines were taken in \(until - from) us")
        }
      }
    }
  }
}

extension RandomLogTests {
  /// What others write may take the room that there was a moment before.
  @Test func noLineWaitsWhereOthersFillThePipeMeanwhile() throws {
    try search(upTo: 4) { random in
      var ends: [Int32] = [0, 0]
      try hold(pipe(&ends) == 0, "no pipe")
      defer { for end in ends { close(end) } }
      // One page of room: some bytes of another program's, and a line of the longest has none.
      try hold(fcntl(ends[1], 1_031, 4_096) == 4_096, "no small pipe")  // F_SETPIPE_SZ
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      let rescue = Rescue(ends[0])
      defer { rescue.end() }
      let other = try Other(ends[1])
      defer { other.end() }
      let output = LogOutput(ends[1])
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let line = [UInt8](repeating: 0x78, count: 4_000)
      for _ in 0..<500 {
        while read(ends[0], &bytes, bytes.count) > 0 {}
        // It writes around the moment in which the line is written.
        other.write(after: random.next(below: 200))
        for _ in 0..<random.next(below: 100) { other.passTime() }
        _ = output.takes(line)
        other.awaitWritten()
      }
      try hold(!rescue.hasHelped, "a line of the log waited where another program had filled the pipe")
      try hold(fcntl(ends[1], F_GETFL) & O_NONBLOCK == 0, "the descriptor is changed for whoever shares it")
    }
  }
}

/// Another program that writes to the same pipe, if there is room.
private final class Other: Sendable {
  private let isOver = Atomic(false)
  /// How long to wait before it writes; negative where it is not to.
  private let asked = Atomic(-1)
  private let own: Int32

  init(_ descriptor: Int32) throws {
    own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    try hold(own >= 0, "no second description")
    DispatchQueue.global().async { [self] in
      let bytes = [UInt8](repeating: 0x2E, count: 200)
      while !isOver.load(ordering: .acquiring) {
        let wait = asked.load(ordering: .acquiring)
        if wait < 0 { continue }
        for _ in 0..<wait { passTime() }
        _ = Glibc.write(own, bytes, bytes.count)
        asked.store(-1, ordering: .releasing)
      }
      close(own)
    }
  }

  func write(after wait: Int) { asked.store(wait, ordering: .releasing) }

  func awaitWritten() { while asked.load(ordering: .acquiring) >= 0 { sched_yield() } }

  /// Some nanoseconds.
  func passTime() { _ = isOver.load(ordering: .relaxed) }

  func end() { isOver.store(true, ordering: .releasing) }
}

/// Empties a pipe that somebody has waited for.
private final class Rescue: Sendable {
  private let isOver = Atomic(false)
  private let helped = Atomic(false)

  init(_ descriptor: Int32) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(5)) { [self] in
      var bytes = [UInt8](repeating: 0, count: 65_536)
      while !isOver.load(ordering: .acquiring) {
        helped.store(true, ordering: .releasing)
        while read(descriptor, &bytes, bytes.count) > 0 {}
        usleep(1_000)
      }
    }
  }

  var hasHelped: Bool { helped.load(ordering: .acquiring) }

  func end() { isOver.store(true, ordering: .releasing) }
}
