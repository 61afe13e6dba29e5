// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

/// `starlight cue fire`: what it sets off outlasts it.
@Suite struct CueCommandTests {
  @Test(arguments: [("button", []), ("button", ["--at", "1"]), ("scene-change", ["--at", "1"])])
  func whatIsHeardOfACueIsHeardThoughTheToolHasGone(_ cue: String, _ options: [String]) throws {
    let game = try SteppedGame()
    let fired = try runTool(["cue", "fire", cue] + options, socket: game.daemon.socketPath)
    #expect(fired.code == 0, "\(fired)")
    let told = try game.step(to: 4_000_000)
    #expect(told.contains { $0.method == CueFired.name }, "\(told)")
    #expect(!told.contains { $0.method == CueCancelled.name || $0.method == MusicCancelled.name }, "\(told)")
    let ends = try told.all(SoundFinished.self).map(\.payload.reason)
    #expect(ends == [.ended], "\(told)")
    let begun = try told.all(MusicChanged.self).map(\.payload.change)
    #expect(begun == (cue == "button" ? [] : [.started]), "\(told)")
  }
}
