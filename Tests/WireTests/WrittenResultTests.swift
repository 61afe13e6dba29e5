// SPDX-License-Identifier: Apache-2.0

import JSON
import SeededNumbers
import Testing

@testable import Wire

/// Results that write themselves.
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
}
