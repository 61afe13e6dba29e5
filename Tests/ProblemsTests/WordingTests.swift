// SPDX-License-Identifier: Apache-2.0

import Problems
import Testing

/// The socket's words in a text, which others say in theirs.
@Suite struct WordingTests {
  private func shouted(_ text: String, _ terms: [Wording.Term]) -> String {
    Wording.saying(text, terms) { kind, word in "<\(kind) \(word)>" }
  }

  @Test func whatIsMarkedIsFoundByItsPlaceAlone() {
    let name = "music.play"
    let wording: Wording = "no träck \(name): \(method: "music.play") wants \(field: "atUs") \(microseconds: -5)"
    #expect(wording.text == "no träck music.play: music.play wants atUs -5")
    #expect(
      shouted(wording.text, wording.terms)
        == "no träck music.play: <method music.play> wants <field atUs> <microseconds -5>")
  }

  @Test func aWordingInAnotherKeepsItsMarks() {
    let inner: Wording = "from \(lasting: 0) on"
    let outer: Wording = "it lasts, é, \(inner)"
    #expect(shouted(outer.text, outer.terms) == "it lasts, é, from <microseconds 0 us> on")
  }

  /// What another version of the daemon marks is no reason to fail.
  @Test(arguments: [(-1, 2), (3, 9), (0, 0), (.max, 1), (1, .max), (2, -1)])
  func marksThatAreNotOfTheTextArePassedOver(start: Int, length: Int) {
    let term = Wording.Term(kind: .method, start: start, length: length)
    #expect(shouted("short", [term]) == "short")
  }
}
