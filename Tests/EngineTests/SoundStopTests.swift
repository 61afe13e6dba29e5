// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Engine

/// Stops of a sound that meet: whichever is over first holds.
@Suite struct SoundStopTests {
  @Test(arguments: [
    "502 end s fade 2000", "502 fire hush", "450 end s at 540 fade 2000", "450 end s at 504 fade 5",
    "450 fire hush at 504",
  ])
  func aLaterOneProlongsNothing(later: String) throws {
    let first = "450 end s at 500 fade 5"
    let isReversed = later.hasPrefix("450")
    try Script(
      """
      0     s = sound loop word
      \(isReversed ? later : first)
      \(isReversed ? first : later)
      """, fixture: try EngineFixture(cues: #""hush": {"steps": [{"stop": {"sounds": true, "fade": 2}}]}"#)
    ).expect(
      """
      heard
      10    word begins
      500   word ends over 5
      """)
  }

  @Test func aLaterOneThatIsOverSoonerWins() throws {
    try Script(
      """
      0     s = sound loop word
      450   end s at 500 fade 2000
      600   end s fade 5
      """
    ).expect(
      """
      heard
      10    word begins
      500   word ends over 2000
      610   word ends over 5
      """)
  }
}
