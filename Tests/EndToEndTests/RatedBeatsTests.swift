// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments
import StarlightClient
import Testing
import Wire

/// `music.beat` of a chapter that begins in the middle of its song, at another rate, is held and goes on, through the song's
/// loop: each where it is heard. A turn of the song is 3 s, six beats of half a second, a click of one frame on each.
@Suite struct RatedBeatsTests {
  /// At 0.8 a beat of half a second lasts 0.625 s, 30 000 frames; the place is a quarter of a second in.
  private static let place: Int64 = 250_000

  private static func pack(_ folder: String) throws {
    try WaveFile.write(folder + "/main.wav", seconds: 3) { $0 % 24_000 == 0 ? 0.75 : 0 }
    let beats = (0..<24).map { "{\"at\": \(Double($0) / 2 + 0.5)}" }.joined(separator: ", ")
    let manifest = """
      {"name": "starlight-sync", "title": "Clicks", "version": "1",
       "tracks": {"main": {"file": "main.wav", "bpm": 120, "firstBeat": 0, "beatsPerBar": 4, "loop": true}},
       "chapters": {"clicks": {"title": "Clicks", "track": "main", "length": 13, "spawnLead": 0.5, "beats": [\(beats)]}}}
      """
    try Data(manifest.utf8).write(to: URL(filePath: folder + "/pack.json"))
  }

  /// When the beat of that number is heard, counted through the loops, where the song began at `startUs`.
  private func heard(_ beat: Int, of startUs: Int64) -> Int64 {
    startUs + (Int64(beat) * 500_000 - Self.place) * 5 / 4
  }

  @Test func eachIsToldWhereItIsHeard() throws {
    let folder = try makeTemporaryDirectory()
    defer { removeDirectory(folder) }
    let game = try SteppedGame(["--record", folder + "/heard.wav"], change: Self.pack)
    let call = game.connection
    let beganUs = game.nowUs
    // On a frame: 6 of them are 125 us.
    let started = try call.call(
      RhythmStart.self,
      RhythmStart.Params(chapter: "clicks", atUs: beganUs + 2_000_000, positionUs: Self.place, rate: 0.8))
    #expect(started.startUs == beganUs + 2_000_000)
    // Into the second turn: the beat of 4 s, which is number 8, is heard at 4.6875 s, that of 4.5 s at 5.3125 s.
    var told = try game.step(to: started.startUs + 5_000_000)
    _ = try call.call(RhythmPause.self, Empty())
    told += try game.step(to: game.nowUs + 2_000_000)
    let resumed = try call.call(RhythmResume.self, RhythmResume.Params(countInBeats: 2))
    told += try game.step(to: resumed.startUs + 12_000_000)
    let beats = try told.all(MusicBeat.self)
    let before = (1...8).map { (beat: $0, atUs: heard($0, of: started.startUs)) }
    // Two beats of the song before the place where it stood, a little over 4.25 s: from 3.5 s on, the seventh.
    let first = (1...24).first { heard($0, of: resumed.startUs) >= resumed.scheduledUs } ?? 0
    #expect(first == 7)
    let after = (first...19).map { (beat: $0, atUs: heard($0, of: resumed.startUs)) }
    let expected = before + after
    try #require(beats.count == expected.count)
    // Where it goes on the song is sought to a whole frame of its file: what comes from there on may lie a frame beside.
    for (index, beat) in beats.enumerated() {
      #expect(abs(beat.tUs - expected[index].atUs) <= (index < before.count ? 0 : 21), "\(index): \(beat)")
    }
    #expect(beats.map(\.payload.beat) == expected.map { $0.beat % 6 })
    #expect(beats.allSatisfy { $0.payload.bpm == 96 })

    game.daemon.signal(15)
    #expect(game.daemon.wait() == 0)
    let samples = try WaveFile(folder + "/heard.wav").channel(0)
    // Where something is heard after nothing: at this rate a click may lie between two frames.
    let clicks = samples.indices.filter { samples[$0] > 0.3 && !samples[max(0, $0 - 9)..<$0].contains { $0 > 0.3 } }
    try #require(clicks.count == expected.count)
    for (index, click) in clicks.enumerated() {
      let frame = Int(Double(expected[index].atUs - beganUs) * 0.048 + 0.5)
      #expect(abs(click - frame) <= (index < before.count ? 0 : 1), "\(index)")
      let told = Int(Double(beats[index].tUs - beganUs) * 0.048 + 0.5)
      #expect(abs(click - told) <= (index < before.count ? 0 : 1), "\(index)")
    }
  }
}
