// SPDX-License-Identifier: Apache-2.0

import Engine
import Glibc
import Testing
import Timing
import Wire

@testable import Server

/// How long a reader may take, on instants that the test passes in.
@Suite struct GraceTests {
  /// A client's way out and its reading end.
  private final class Pair {
    let channel: ClientChannel
    let reading: Int32
    private let writing: Int32

    init() {
      var ends: [Int32] = [0, 0]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends)
      (writing, reading) = (ends[0], ends[1])
      channel = ClientChannel(id: ClientID(rawValue: 1), descriptor: ends[0], limits: Limits(), patience: 0)
      channel.topics = [.cue]
    }

    deinit {
      close(writing)
      close(reading)
    }

    var standing: ClientChannel.Standing { channel.standing }

    /// Tells 1,000 cues of one instant.
    func tellMany(atMs ms: Int64, _ count: Int = 1_000) {
      let cue = OutgoingNotification(CueFired(id: 1, cue: String(repeating: "x", count: 300), skipped: []), tUs: 0)
      for _ in 0..<count { channel.tell(cue, at: Instant(microseconds: 1_000 * ms)) }
    }

    /// Reads all that is there; how many bytes those were.
    @discardableResult func read() -> Int {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var all = 0
      while case let count = recv(reading, &buffer, buffer.count, 0), count > 0 { all += count }
      return all
    }
  }

  @Test func aBurstOfOneInstantClosesNobodyWhoReadsInTime() {
    let pair = Pair()
    for frame in 0..<20 as Range<Int64> {
      pair.tellMany(atMs: 1_000 * frame)
      #expect(pair.standing.condition == .open)
      #expect(pair.standing.queuedBytes > 262_144)
      // Each 100 ms it reads all that has come.
      for time in stride(from: 100 as Int64, through: 900, by: 100) {
        while pair.read() > 0 { pair.channel.flush(at: Instant(microseconds: 1_000 * (1_000 * frame + time))) }
      }
      #expect(pair.standing.queuedBytes == 0)
    }
  }

  @Test func whoReadsALittleAllTheTimeStays() {
    let pair = Pair()
    pair.tellMany(atMs: 0)
    for time in stride(from: 150 as Int64, to: 1_500, by: 150) {
      pair.read()
      pair.tellMany(atMs: time, 1)
      #expect(pair.standing.condition == .open)
    }
  }

  @Test func whoReadsNothingFor200MsIsTooSlow() {
    let pair = Pair()
    // It has long had nothing to read: that is not held against it.
    pair.tellMany(atMs: 5_000)
    pair.tellMany(atMs: 5_200, 1)
    #expect(pair.standing.condition == .open)
    pair.tellMany(atMs: 5_201, 1)
    #expect(pair.standing.condition == .overflowed)
  }

  @Test func whatWaitsWithinItsBoundMayWaitForEver() {
    let pair = Pair()
    pair.tellMany(atMs: 0, 500)
    pair.tellMany(atMs: 100_000, 1)
    #expect(pair.standing.condition == .open)
  }

  @Test func noGraceGoesBeyondTheMostThatMayWait() {
    let pair = Pair()
    for _ in 0..<10 where pair.standing.condition == .open { pair.tellMany(atMs: 0) }
    #expect(pair.standing.condition == .overflowed)
    #expect((2_000_000...2_097_152).contains(pair.standing.queuedBytes))
  }
}
