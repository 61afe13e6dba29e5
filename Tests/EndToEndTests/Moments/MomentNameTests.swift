// SPDX-License-Identifier: Apache-2.0

import Moments
import StarlightClient
import Testing
import Wire

/// What both packs hold by which name, as their tables have it.
@Suite struct MomentNameTests {
  @Test func starlightSyncHoldsWhatItsTableNames() throws { try checkNames("starlight-sync") }

  @Test func freefallHoldsWhatItsTableNames() throws { try checkNames("freefall") }

  @Test func feedbackHoldsWhatItsTableNames() throws { try checkNames("feedback") }

  private func checkNames(_ pack: String) throws {
    // Ids, tempi and loops; and that a beat of each track is where its tempo has it.
    let table = try MomentTable.read(pack)
    let stage = try MomentStage(table)
    let listed = try #require(try stage.connection.listPacks().packs.first { $0.name == pack })
    #expect(Set(listed.tracks.map(\.name)) == Set(table.tracks.keys.map { "\(pack):\($0)" }))
    #expect(Set(listed.sounds.map(\.name)) == Set(table.sounds.map { "\(pack):\($0)" }))
    #expect(Set(listed.patterns.map(\.name)) == Set(table.patternNames.map { "\(pack):\($0)" }))
    #expect(Set(listed.chapters.map(\.name)) == Set((table.chapterNames ?? []).map { "\(pack):\($0)" }))
    for track in listed.tracks {
      let facts = try #require(table.tracks[String(track.name.dropFirst(pack.count + 1))])
      #expect(track.bpm == facts.bpm, "\(track.name)")
      #expect(track.loops == facts.loops, "\(track.name)")
      #expect(track.stems == (facts.stems ?? [:]).keys.sorted(), "\(track.name)")
      #expect(track.available, "\(track.name)")
    }
    let parameters = try stage.connection.listParameters().parameters
    #expect(
      Dictionary(uniqueKeysWithValues: parameters.map { ($0.parameter, $0.default) })
        == Dictionary(uniqueKeysWithValues: (table.parameters ?? [:]).map { ("\(pack):\($0.key)", $0.value) }))
    for (name, facts) in table.tracks {
      let zero = stage.nextBeginning
      _ = try stage.connection.call(MusicPlay.self, MusicPlay.Params(track: name, atUs: zero, crossfadeUs: 0))
      try stage.step(to: zero + 100_000)
      for (quantise, beats) in [(Quantise.beat, 1.0), (.bar, 4)] {
        let stop = try stage.connection.call(
          MusicPlay.self, MusicPlay.Params(track: name, atUs: zero + 150_000, quantise: quantise))
        let waited = Double(stop.scheduledUs - zero) * facts.bpm / 60_000_000
        #expect(abs(waited - beats) < 1e-4, "\(name) \(quantise) \(waited)")
        _ = try stage.connection.call(MusicCancel.self, MusicCancel.Params(plan: stop.plan))
      }
      try stage.clear()
    }
  }

  /// With the volume of effects at nothing only what is spoken is heard.
  @Test(arguments: ["starlight-sync", "freefall"])
  func onlyWhatIsSpokenHasTheVolumeOfVoices(_ pack: String) throws {
    let table = try MomentTable.read(pack)
    let stage = try MomentStage(table)
    _ = try stage.connection.call(SettingsSet.self, SettingsSet.Params(soundVolume: 0))
    let zero = stage.nextBeginning
    let seconds = 0.2 * Double(table.sounds.count + 3)
    var expected = HeardSamples(table, stage.probes, seconds: seconds)
    for (turn, sound) in table.sounds.enumerated() {
      let at = 0.2 * Double(turn)
      _ = try stage.connection.call(SoundPlay.self, SoundPlay.Params(sound: sound, atUs: zero + us(at)))
      if table.voices?.contains(sound) == true { expected.add(sound: sound, at: frame(at)) }
    }
    try stage.step(to: zero + us(seconds))
    let (left, _, _) = try stage.end()
    let first = frame(Double(zero - stage.zero) / 1_000_000)
    let difference = expected.firstDifference(from: left[first..<first + expected.samples.count])
    #expect(difference == nil)
  }
}
