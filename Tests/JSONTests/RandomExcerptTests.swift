// SPDX-License-Identifier: Apache-2.0

import JSON
import SeededNumbers
import Testing

/// Texts of letters of any length and kind, cut for a message.
@Suite struct RandomExcerptTests {
  /// Of one to four bytes; half of them are of one character with what is before them.
  private static let letters: [Unicode.Scalar] = [
    "a", "7", "\u{E4}", "\u{20AC}", "\u{1F469}", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{1F3FD}", "\u{E0061}",
  ]

  /// The bytes of as many scalars as fit, counted one by one, and three dots where some do not.
  private func cut(_ scalars: [Unicode.Scalar], bytes: Int) -> [UInt8] {
    var shown: [UInt8] = []
    for scalar in scalars {
      let next = Array(String(Character(scalar)).utf8)
      if shown.count + next.count > bytes { return shown + [0x2E, 0x2E, 0x2E] }
      shown += next
    }
    return shown
  }

  private func text(_ scalars: [Unicode.Scalar]) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  @Test func whatIsShownHasSoManyBytesAtMostAndWholeLetters() throws {
    try search(upTo: 100) { random in
      // Many of one letter, or any.
      let few = random.oneIn(2) ? [random.pick(Self.letters)] : Self.letters
      let scalars = (0..<random.next(below: 90)).map { _ in random.pick(few) }
      let bytes = random.oneIn(2) ? 64 : random.next(below: 100)
      let shown = Array(excerpt(text(scalars), bytes: bytes).utf8)
      try hold(shown == cut(scalars, bytes: bytes), "\(scalars.count) letters are shown in \(bytes) bytes as \(shown)")
      // As it is written, its quotes with it.
      let written: [Unicode.Scalar] = ["\""] + scalars + ["\""]
      let tape = try JSONTape(scanning: Array(text(written).utf8))
      let quoted = Array(tape.excerpt(at: 0).utf8)
      try hold(quoted == cut(written, bytes: 64), "\(written.count) letters are shown as \(quoted)")
    }
  }
}
