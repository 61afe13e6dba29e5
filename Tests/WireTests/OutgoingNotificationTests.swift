// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import Wire

@Suite struct OutgoingNotificationTests {
  private func text(_ notification: OutgoingNotification, seq: UInt64) -> String {
    String(decoding: notification.line(seq: seq), as: UTF8.self)
  }

  @Test func theLineCarriesNumberInstantAndPayload() {
    let beat = OutgoingNotification(RhythmBeat(beat: 3, lane: "left"), tUs: 1_500, sendAtUs: 1_500)
    #expect(
      text(beat, seq: 12)
        == #"{"jsonrpc":"2.0","method":"rhythm.beat","params":{"seq":12,"tUs":1500,"beat":3,"lane":"left","run":1}}"#)
    #expect(beat.topic == .rhythm)
    #expect(beat.sendAtUs == 1_500)
  }

  @Test func aPayloadWithoutFieldsStillMakesAnObject() {
    struct Bare: WireNotification {
      static let name = "test.bare"
      static let topic = Topic.cue
      static let summary = "Nothing but the instant."
    }
    #expect(
      text(OutgoingNotification(Bare(), tUs: -1), seq: 1)
        == #"{"jsonrpc":"2.0","method":"test.bare","params":{"seq":1,"tUs":-1}}"#)
  }

  /// JSON has no such number: the moment is told even so.
  @Test func aPayloadThatCannotBeWrittenLeavesTheInstant() {
    #expect(
      text(OutgoingNotification(HapticsLevel(intensity: .nan, sharpness: 1), tUs: 7), seq: 2)
        == #"{"jsonrpc":"2.0","method":"haptics.level","params":{"seq":2,"tUs":7}}"#)
  }

  @Test func noNumberMakesTheLineLongerThanForetold() {
    let level = OutgoingNotification(HapticsLevel(intensity: 0.25, sharpness: 1), tUs: 7)
    #expect(level.line(seq: .max).count == level.maximumLineLength)
  }

  /// What it takes to encode it is taken by who wants to be told; one that waits for its instant has nothing left to do then.
  @Test(arguments: [(nil, 0), (1_500, 1)] as [(Int64?, Int)])
  func itIsEncodedWhenItIsFirstToldOrAheadOfItsInstant(sendAtUs: Int64?, ahead: Int) {
    let encodings = Encodings()
    let notification = OutgoingNotification(Counting(encodings), tUs: 1_500, sendAtUs: sendAtUs)
    #expect(encodings.count == ahead)
    let line = #"{"jsonrpc":"2.0","method":"test.counting","params":{"seq":7,"tUs":1500,"value":1}}"#
    #expect((0..<3).map { _ in text(notification, seq: 7) } == [line, line, line])
    #expect(encodings.count == 1)
  }
}

private final class Encodings: Sendable {
  private let made = Mutex(0)

  var count: Int { made.withLock { $0 } }

  func add() { made.withLock { $0 += 1 } }
}

/// Notes how often it is encoded.
private struct Counting: WireNotification {
  static let name = "test.counting"
  static let topic = Topic.cue
  static let summary = "Counts."

  private let encodings: Encodings?

  private enum CodingKeys: CodingKey { case value }

  init(_ encodings: Encodings) { self.encodings = encodings }

  init(from decoder: any Decoder) throws { encodings = nil }

  func encode(to encoder: any Encoder) throws {
    encodings?.add()
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(1, forKey: .value)
  }
}
