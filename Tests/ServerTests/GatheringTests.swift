// SPDX-License-Identifier: Apache-2.0

import Engine
import Glibc
import Testing
import Timing
import Wire

@testable import Server

/// What is told of one line or turn leaves together, in one call of the system for each client.
@Suite struct GatheringTests {
  /// A channel, and the other end of its socket.
  private final class Ends {
    let channel: ClientChannel
    let descriptors: [Int32]

    init() throws {
      var pair: [Int32] = [0, 0]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
      descriptors = pair
      channel = ClientChannel(id: ClientID(rawValue: 1), descriptor: pair[0], limits: Limits(), patience: 0)
      channel.topics = [.cue, .haptics]
    }

    deinit { for descriptor in descriptors { close(descriptor) } }

    /// The lines that came since the last look.
    func lines() -> [String] {
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let count = recv(descriptors[1], &bytes, bytes.count, Int32(MSG_DONTWAIT))
      return String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  private let now = Instant(microseconds: 1_000)

  private func cue(_ id: Int64) -> OutgoingNotification {
    OutgoingNotification(CueFired(id: id, cue: "x", skipped: []), tUs: id)
  }

  private func level(_ intensity: Double) -> OutgoingNotification {
    OutgoingNotification(
      HapticsLevel(intensity: intensity, sharpness: 0), tUs: 1, coalescingKey: "haptics.level")
  }

  @Test func whatIsGatheredLeavesWhenItIsSent() throws {
    let ends = try Ends()
    for id in 1...3 { ends.channel.gather(cue(Int64(id)), at: now) }
    #expect(ends.lines().isEmpty)
    #expect(ends.channel.standing.queuedBytes > 0)
    ends.channel.sendGathered(at: now)
    let lines = ends.lines()
    #expect(lines.count == 3)
    for (index, line) in lines.enumerated() { #expect(line.contains(#""seq":\#(index + 1),"#)) }
    #expect(ends.channel.standing.queuedBytes == 0)
  }

  @Test func aReplyAndABeatTakeAlongWhatWasToldBefore() throws {
    let ends = try Ends()
    ends.channel.gather(cue(1), at: now)
    ends.channel.reply(Array("{}".utf8), at: now)
    #expect(ends.lines().map { $0.contains("cue.fired") } == [true, false])
    ends.channel.gather(cue(2), at: now)
    ends.channel.tell(cue(3), at: now)
    #expect(ends.lines().map { $0.contains(#""id":2"#) } == [true, false])
  }

  @Test func stateThatChangesTwiceInATurnIsToldTwiceToWhoeverReads() throws {
    let ends = try Ends()
    for step in 1...3 { ends.channel.gather(level(Double(step) / 4), at: now) }
    ends.channel.sendGathered(at: now)
    #expect(ends.lines().map { $0.contains("0.25") } == [true, false, false])
  }

  @Test func moreThanOneCallTakesIsSentWhole() throws {
    let ends = try Ends()
    for id in 1...500 { ends.channel.gather(cue(Int64(id)), at: now) }
    ends.channel.sendGathered(at: now)
    #expect(ends.lines().count == 500)
  }
}

/// What many are told of is told in parts, so that the engine goes on meanwhile.
@Suite struct TellingInPartsTests {
  private let subscribe = #"{"id":1,"method":"events.subscribe","params":{"topics":["cue"]}}"# + "\n"
  private let ask = #"{"id":777,"method":"settings.get"}"# + "\n"

  private func tell(_ count: Int, on rig: Rig) {
    rig.host.pending += (1...count).map { id in
      OutgoingNotification(CueFired(id: Int64(id), cue: "x", skipped: []), tUs: 0)
    }
  }

  @Test func whatATurnHasNoTimeForComesBeforeWhatIsAskedLater() throws {
    let rig = try Rig(clock: .live)
    let client = try rig.connect()
    _ = rig.exchange(client, subscribe)
    tell(40, on: rig)
    client.send(ask)
    // No time at all: what is told between two looks at the clock goes out, and no more.
    rig.server.announce(within: .zero)
    #expect(client.lines().count == 16)
    #expect(!rig.server.told.isEmpty)
    rig.settleTelling()
    let lines = client.lines()
    #expect(lines.count == 25)
    #expect(lines.dropLast().allSatisfy { $0.contains("cue.fired") })
    #expect(lines.last?.contains(#""id":777"#) == true)
    #expect(rig.server.told.isEmpty)
  }

  @Test func linesAreServedAlsoWhereTellingTakesAllTheTimeThereIs() throws {
    let rig = try Rig(clock: .live)
    let client = try rig.connect()
    let others = try (0..<12).map { _ in try rig.connect() }
    for other in others { _ = rig.exchange(other, subscribe) }
    client.send(ask)
    var isAnswered = false
    for _ in 0..<20 where !isAnswered {
      // For twelve more each turn than two parts of telling come to.
      tell(300, on: rig)
      _ = rig.server.turn(waiting: false)
      for other in others { other.receive() }
      isAnswered = client.lines().contains { $0.contains(#""id":777"#) }
    }
    #expect(isAnswered)
  }

  @Test func whoIsToldNothingIsAnsweredWhileOthersAreStillToBeTold() throws {
    let rig = try Rig(clock: .live)
    let others = try (0..<3).map { _ in try rig.connect() }
    for other in others { _ = rig.exchange(other, subscribe) }
    let client = try rig.connect()
    tell(400, on: rig)
    client.send(ask)
    let asker = others[0]
    asker.send(ask)
    rig.server.announce(within: .zero)
    rig.readLines(of: [1, 4])
    var lines: [String] = []
    // In as many turns as telling it takes.
    while !lines.contains(where: { $0.contains(#""id":777"#) }) {
      rig.server.serve(.zero)
      lines += asker.lines()
    }
    #expect(client.lines().map { $0.contains(#""id":777"#) } == [true])
    // Who is told of it is answered behind all of it, and those beside it are still behind.
    #expect(lines.count == 401)
    #expect(lines.last?.contains(#""id":777"#) == true)
    #expect(!rig.server.told.isEmpty)
    #expect(others[1].lines().count < 400 && others[2].lines().count < 400)
    rig.settleTelling()
    #expect(rig.server.told.isEmpty)
  }

  @Test func nobodyIsFarAheadOfOthersInWhatAllAreTold() throws {
    let rig = try Rig(clock: .live)
    let others = try (0..<3).map { _ in try rig.connect() }
    for other in others { _ = rig.exchange(other, subscribe) }
    tell(400, on: rig)
    var counts = [0, 0, 0]
    repeat {
      rig.server.announce(within: .zero)
      for (index, other) in others.enumerated() { counts[index] += other.lines().count }
      #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 16)
    } while !rig.server.told.isEmpty
    #expect(counts == [400, 400, 400])
  }

  @Test func whoComesIsNotToldOfWhatWasBefore() throws {
    let rig = try Rig(clock: .live)
    let early = try rig.connect()
    _ = rig.exchange(early, subscribe)
    tell(40, on: rig)
    rig.server.announce(within: .zero)
    let late = try #require(TestClient(path: rig.path))
    rig.server.take(rig.server.loop.look())
    #expect(rig.server.connections.count == 2 && !rig.server.told.isEmpty)
    late.send(subscribe)
    rig.settleTelling()
    #expect(late.lines().map { $0.contains("cue.fired") } == [false])
    #expect(early.lines().count == 40)
  }

  @Test func onTheSteppedClockAllIsToldAtOnce() throws {
    let rig = try Rig()
    let client = try rig.connect()
    _ = rig.exchange(client, subscribe)
    tell(40, on: rig)
    rig.server.announce(within: .zero)
    #expect(client.lines().count == 40)
  }
}
