// SPDX-License-Identifier: Apache-2.0

import Glibc
import RealTime
import Synchronization
import Testing
import Timing
import Wire

@testable import Server

@Suite struct SlowReaderTests {
  /// Long, so that few are much.
  private func cue(_ number: Int) -> OutgoingNotification {
    OutgoingNotification(
      CueFired(id: 1, cue: "\(number)" + String(repeating: "x", count: 10_000), skipped: []), tUs: Int64(number))
  }

  private func level(_ number: Int) -> OutgoingNotification {
    OutgoingNotification(
      HapticsLevel(intensity: Double(number), sharpness: 0), tUs: Int64(number), coalescingKey: "haptics.level")
  }

  @Test func aClientOverItsBoundIsToldWhyAndClosedAndNobodyElseNotices() throws {
    // However long a busy machine takes, the slow one is closed for having read why.
    let rig = try Rig(clock: .live) { $0.farewell = .milliseconds(3_600_000) }
    let slow = try rig.connect()
    let quick = try rig.connect()
    for client in [slow, quick] { _ = rig.exchange(client, #"{"id":1,"method":"events.subscribe"}"# + "\n") }
    var seen: [String] = []
    for number in 0..<300 {
      rig.host.pending = [cue(number)]
      rig.settle(rounds: 1)
      seen += quick.lines()
    }
    #expect(seen.count == 300, "\(seen.filter { !$0.contains("cue.fired") })")
    #expect(!quick.isClosed)
    var lines: [String] = []
    for _ in 0..<300 where !slow.isClosed {
      lines += slow.lines()
      rig.settle(rounds: 2)
    }
    #expect(slow.isClosed)
    #expect(lines.last?.contains(#""kind":"tooSlow""#) == true)
    // All that came before the reason is whole and numbered without a gap.
    for (index, line) in lines.dropLast().enumerated() {
      #expect(line.hasPrefix(#"{"jsonrpc":"2.0","method":"cue.fired","params":{"seq":\#(index + 1),"#))
    }
    #expect(rig.host.left.count == 1)
    #expect(rig.host.clientCount == 1)
  }

  @Test func aSlowReaderOfStateStaysAndGetsTheLatestAndEveryJudgement() throws {
    let rig = try Rig()
    let slow = try rig.connect()
    _ = rig.exchange(slow, #"{"id":1,"method":"events.subscribe"}"# + "\n")
    for number in 0..<10_000 {
      rig.host.pending.append(level(number))
      if number % 1_000 == 999 {
        rig.host.pending.append(
          OutgoingNotification(
            RhythmJudgement(verdict: .hit, beat: number / 1_000, lane: nil, errorUs: 0, misses: 0), tUs: 0))
      }
    }
    rig.settle()
    var lines: [String] = []
    for _ in 0..<1_000 {
      let more = slow.lines()
      rig.settle(rounds: 1)
      if more.isEmpty { break }
      lines += more
    }
    #expect(!slow.isClosed)
    #expect(lines.count < 10_000)
    #expect(lines.contains { $0.contains(#""tUs":9999,"intensity":9999"#) })
    let beats = lines.filter { $0.contains("rhythm.judgement") }
    #expect(beats.count == 10)
    for (beat, line) in beats.enumerated() { #expect(line.contains(#""beat":\#(beat),"#)) }
    let numbers = lines.compactMap { line in
      line.split(separator: #""seq":"#).dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
    }
    #expect(numbers.count == lines.count)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy(<))
  }

  @Test func aStepThatBringsMoreThanMayWaitIsHeldUpForAReaderAndLosesNothing() throws {
    let rig = try Rig()
    let client = try rig.connect()
    _ = rig.exchange(client, #"{"id":1,"method":"events.subscribe"}"# + "\n")
    rig.host.onStep = (1...2_000).map(cue)
    client.send(#"{"id":2,"method":"clock.step","params":{"toUs":60000000}}"# + "\n")
    var reader = Reader(descriptor: client.descriptor)
    let lines = try withUnsafeMutablePointer(to: &reader) { reader in
      let thread = try RealTimeThread(name: "reader", priority: nil, body: readThroughReply, argument: reader)
      while !reader.pointee.hasEnded.load(ordering: .acquiring) { rig.settle(rounds: 1) }
      thread.join()
      return reader.pointee.lines
    }
    #expect(lines.count == 2_001 && !client.isClosed)
    for (index, line) in lines.dropLast().enumerated() { #expect(line.contains(#""seq":\#(index + 1),"#)) }
  }
}

/// A client's reading end, for a thread of its own.
private struct Reader: ~Copyable {
  let descriptor: Int32
  var lines: [String] = []
  let hasEnded = Atomic<Bool>(false)

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Waits for bytes and reads, until they contain `mark` or the other end closes.
  mutating func read(through mark: String) {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !String(decoding: received.suffix(4_096), as: UTF8.self).contains(mark) {
      var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&watched, 1, -1)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count <= 0 { break }
      received += buffer[..<count]
    }
    lines = String(decoding: received, as: UTF8.self).split(separator: "\n").map(String.init)
    hasEnded.store(true, ordering: .releasing)
  }
}

private func readThroughReply(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  argument?.assumingMemoryBound(to: Reader.self).pointee.read(through: #""id":2"#)
  return nil
}
