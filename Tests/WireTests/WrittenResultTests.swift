// SPDX-License-Identifier: Apache-2.0

import JSON
import SeededNumbers
import Testing

@testable import Wire

/// Results and notifications that write themselves.
@Suite struct WrittenResultTests {
  @Test func aTapsIsWhatAnEncoderWrites() throws {
    try search(upTo: 300) { random in
      let result = RhythmTap.Result(
        verdict: random.pick(TapVerdictKind.allCases), beat: random.oneIn(2) ? nil : Int(random.next(below: 5_000)),
        errorUs: random.oneIn(2) ? nil : random.integer(-60_000...60_000),
        tapUs: random.pick([0, .min, .max, random.integer(0...(1 << 50))]),
        stamp: random.pick(RhythmTap.StampSource.allCases),
        grade: random.pick([nil, "perfect", "so \"so\"\n", "\u{1F469}", ""]), run: random.integer(1...1_000))
      var writer = JSONWriter()
      RhythmTap.write(result, to: &writer)
      let written = String(decoding: writer.bytes, as: UTF8.self)
      let encoded = String(decoding: try encodeJSON(result), as: UTF8.self)
      try hold(written == encoded, "\(written) for \(encoded)")
    }
  }
  @Test func aJudgementsIsWhatAnEncoderWrites() throws {
    try search(upTo: 300) { random in
      let judgement = RhythmJudgement(
        verdict: random.pick(JudgementKind.allCases), beat: random.oneIn(2) ? nil : Int(random.next(below: 5_000)),
        lane: random.pick([nil, "left", "so \"so\"\n", "\u{1F469}", ""]),
        errorUs: random.oneIn(2) ? nil : random.integer(-60_000...60_000),
        grade: random.pick([nil, "perfect", "\\"]), misses: Int(random.next(below: 5_000)),
        combo: Int(random.next(below: 5_000)),
        accuracy: random.oneIn(3) ? nil : random.pick([0, 1, 1 / 3, Double.random(in: 0...1, using: &random)]),
        run: random.integer(1...1_000))
      var writer = JSONWriter()
      try judgement.write(to: &writer)
      let written = String(decoding: writer.bytes, as: UTF8.self)
      let encoded = String(decoding: try encodeJSON(judgement), as: UTF8.self)
      try hold(written == encoded, "\(written) for \(encoded)")
      let line = OutgoingNotification(judgement, tUs: 17).line(seq: 3)
      let told = String(decoding: line, as: UTF8.self)
      let whole =
        #"{"jsonrpc":"2.0","method":"rhythm.judgement","params":{"seq":3,"tUs":17,"#
        + encoded.dropFirst() + "}"
      try hold(told == whole, "\(told) for \(whole)")
    }
  }
}
