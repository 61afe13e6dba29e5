// SPDX-License-Identifier: Apache-2.0

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

  @Test func noNumberMakesTheLineLongerThanForetold() {
    let level = OutgoingNotification(HapticsLevel(intensity: 0.25, sharpness: 1), tUs: 7)
    #expect(level.line(seq: .max).count == level.maximumLineLength)
  }
}
