// SPDX-License-Identifier: Apache-2.0

import ImportedBeats
import Testing

@Suite struct TimeListTests {
  private func lines(_ text: String) throws -> [String] { try read(text, as: .times).maps[0].lines }

  @Test func aLineIsATime() throws {
    #expect(try lines("0.706\n2.118\n\n# a comment\n3.53 # the last\n") == ["706000", "2118000", "3530000"])
    #expect(
      try lines("\u{FEFF}706ms\r\n1:07.3\r\n2s\r\n-0.5\r\n1e-3") == [
        "706000", "67300000", "2000000", "-500000", "1000",
      ])
    // As aubioonset prints them.
    #expect(try lines("0.000000\n0.522449\n1.044898\n") == ["0", "522449", "1044898"])
  }

  @Test func behindItMayStandALane() throws {
    #expect(try lines("time,lane\n0.5,left\n") == ["500000 left"])
    #expect(
      try lines("0.5 left\n1,right\n1.5;left\n2\tRight\n") == [
        "500000 left", "1000000 right", "1500000 left", "2000000 right",
      ])
  }

  @Test func aLabelOfAudacityIsATimeItsEndAndALane() throws {
    #expect(try lines("0.500000\t0.500000\tkick\n1.25\t1.5\tsnare\n") == ["500000 kick", "1250000 snare"])
    #expect(try lines("0.500000\t0.500000\n1.25\t1.5\n") == ["500000", "1250000"])
  }

  @Test(arguments: [
    (
      "1\nzwei\n", "file:2:1: a line begins with a time, and this one with \"zwei\"; write seconds, as in 1.5, or 706ms"
    ),
    ("1\n  ä 2\n", "file:2:3: a line begins with a time"),
    ("1:75", "file:1:1: a line begins with a time"),
    ("inf", "file:1:1: a line begins with a time"),
    ("1e9", "file:1:1: a time lies within a day"),
    ("1 left\n2\n", "beat 1 of file has no lane, and others have"),
    ("1 ?\n", "file:1:3: behind a time stands a lane, and not \"?\""),
    ("1 left right\n", "file:1:3: behind a time stands a lane, and not \"left\" and more"),
    ("# nothing\n", "file has no beats in it"),
  ])
  func whatIsWrongIsToldByItsPlace(text: String, said: String) {
    #expect(refusal(of: text, as: .times).hasPrefix(said), "\(refusal(of: text, as: .times))")
  }

  @Test func whatIsTooLargeIsRefused() {
    let bytes = [UInt8](repeating: 0x0A, count: (8 << 20) + 1)
    #expect(refusal(of: bytes, as: .times) == "file is larger than 8 MiB")
  }
}
