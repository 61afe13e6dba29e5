// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments
import StarlightClient
import Testing
import Wire

/// On the stepped clock the seed is always the same, so that a game that is played again is the same game.
@Suite struct SteppedSeedTests {
  private func chosen() throws -> [CueStepChoice] {
    let game = try SteppedGame { pack in
      let path = pack + "/pack.json"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let step = """
        "step": {"steps": [{"sound": ["sfx_click", "sfx_lock", "sfx_error", "sfx_whoosh"], "choose": "random",
                            "gain": [0.5, 1]}]},
        """
      try Data(text.replacing(#""cues": {"#, with: #""cues": {"# + step).utf8).write(to: URL(filePath: path))
    }
    return try (0..<12).flatMap { _ in
      try game.step(to: game.nowUs + 200_000)
      return try game.connection.call(CueFire.self, CueFire.Params(cue: "step")).chosen
    }
  }

  /// Worked out by another program, in another language: FNV-1a of `starlight-sync:step` and seed 0, SplitMix64, and a
  /// shuffle of four for each round of four.
  @Test func oneDaemonChoosesAsTheOther() throws {
    let first = try chosen()
    let names = ["click", "lock", "error", "whoosh"]
    let order = [2, 1, 0, 3, 1, 0, 2, 3, 1, 0, 2, 3]
    let expected = order.map { (index: Int) -> String in "starlight-sync:sfx_\(names[index])" }
    #expect(first.map(\.sound) == expected)
    #expect(Set(first.map(\.gain)).count == 12)
    #expect(try chosen() == first)
  }
}
