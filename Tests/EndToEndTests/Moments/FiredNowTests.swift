// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments
import StarlightClient
import Testing
import Wire

/// Every cue of both games as a game fires it, without an instant: its sound as soon as that can be heard, its touch with the
/// sound, and what comes later at its distance; to the frame and the microsecond by a table typed by hand, and nothing else.
@Suite struct FiredNowTests {
  /// What the table says of the cues of both packs.
  private struct Table: Decodable {
    /// How much sooner than it is heard a sound is mixed.
    var lookaheadFrames: Int64
    var cues: [String: [Cue]]

    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      lookaheadFrames = try fields.decode(Int64.self, forKey: Key(stringValue: "lookaheadFrames"))
      cues = [:]
      for key in fields.allKeys where key.stringValue != "lookaheadFrames" {
        cues[key.stringValue] = try fields.decode([Cue].self, forKey: key)
      }
    }
  }

  private struct Cue: Decodable {
    var cue: String
    var seconds: Double
    /// The track that plays until it is fired, and how long that then fades; with `goesOn` it plays on as it was.
    var before: String?
    var fadeOut: Double?
    var goesOn: Bool?
    /// What the front end asks for besides.
    var `do`: [MomentTable.Deed]?
    var heard: [MomentTable.Heard]?
    var felt: [MomentTable.Felt]?
  }

  /// A cue that was fired, in microseconds since frame 0.
  private struct Fired {
    var cue: Cue
    var askedUs: Int64
    var soundUs: Int64
    var touchUs: Int64
    var beforeUs: Int64?
  }

  @Test func everyCueOfStarlightSyncIsHeardAtOnceAndFeltWithIt() throws { try check("starlight-sync") }

  @Test func everyCueOfFreefallIsHeardAtOnceAndFeltWithIt() throws { try check("freefall") }

  private func check(_ pack: String) throws {
    let path = Repository.path + "/Tests/EndToEndTests/Fixtures/moments/fired-now.json"
    let typed = try JSONDecoder().decode(Table.self, from: Data(contentsOf: URL(filePath: path)))
    let cues = try #require(typed.cues[pack])
    let table = try MomentTable.read(pack)
    let stage = try MomentStage(table)
    let listed = try #require(try stage.connection.listPacks().packs.first { $0.name == pack })
    #expect(Set(cues.map { "\(pack):\($0.cue)" }) == Set(listed.cues), "the table has every cue of the pack")
    var fired: [Fired] = []
    for (number, cue) in cues.enumerated() {
      fired.append(try fire(cue, on: stage, typed, oddUs: Int64(number) * 137 + 3))
    }
    let (left, right, felt) = try stage.end()
    #expect(left == right)
    for fired in fired {
      let cue = fired.cue
      let (asked, first) = (self.frame(ofUs: fired.askedUs), self.frame(ofUs: fired.soundUs))
      var expected = HeardSamples(table, stage.probes, seconds: cue.seconds)
      // What takes over follows what is cut.
      if let before = cue.before, let beforeUs = fired.beforeUs {
        expected.add(
          track: before, at: self.frame(ofUs: beforeUs) - first, until: cue.goesOn == true ? nil : 0,
          fadeOut: Moments.frame(cue.fadeOut ?? 0))
      } else {
        #expect(left[asked..<first].allSatisfy { $0 == 0 }, "\(cue.cue) is heard too soon")
      }
      expected.add(cue.heard ?? [])
      if let frame = expected.firstDifference(from: left[first..<first + expected.samples.count]) {
        Issue.record("\(cue.cue): frame \(frame) is \(left[first + frame]), not \(expected.samples[frame])")
      }
      var levels = FeltLevels()
      levels.add(cue.felt ?? [], table)
      let end = us(cue.seconds)
      let lines = felt.filter { $0.us >= fired.askedUs && $0.us < fired.touchUs + end }.map {
        FeltLevel(us: $0.us - fired.touchUs, intensity: $0.intensity, sharpness: $0.sharpness)
      }
      for fault in levels.faults(in: lines, until: end).prefix(4) { Issue.record("\(cue.cue): \(fault)") }
    }
  }

  /// Fires a cue between two frames, without an instant.
  private func fire(_ cue: Cue, on stage: MomentStage, _ typed: Table, oddUs: Int64) throws -> Fired {
    var beforeUs: Int64?
    if let before = cue.before {
      let begins = stage.nextBeginning
      _ = try stage.connection.call(MusicPlay.self, MusicPlay.Params(track: before, atUs: begins, crossfadeUs: 0))
      try stage.step(to: begins)
      beforeUs = begins - stage.zero
    }
    try stage.step(to: stage.nowUs + 300_000 + oddUs)
    let asked = stage.nowUs
    let told = try stage.connection.call(CueFire.self, CueFire.Params(cue: cue.cue))
    #expect(told.skipped == [] && told.lateUs == 0, "\(cue.cue)")
    let isHeard = cue.heard != nil || cue.before != nil
    let zero = told.scheduledUs
    if isHeard {
      // The first frame that is not mixed yet, at the microsecond that it is rounded up to.
      let next = Int64(frame(ofUs: asked - stage.zero)) + typed.lookaheadFrames
      #expect(zero - stage.zero == (next * 1_000 + 47) / 48, "\(cue.cue)")
      #expect(zero - asked <= 10_000, "\(cue.cue): a sound is heard within 10 ms")
    } else {
      #expect(zero == asked, "\(cue.cue)")
    }
    let hasTouch = cue.felt != nil
    #expect(told.hapticAtUs == (hasTouch ? zero : nil), "\(cue.cue)")
    for deed in cue.do ?? [] {
      let (parameter, value) = (try #require(deed.parameter), try #require(deed.value))
      _ = try stage.connection.call(
        ParameterSet.self, ParameterSet.Params(parameter: parameter, value: value, atUs: zero + us(deed.at)))
    }
    let fired = try stage.step(to: zero + us(cue.seconds)).all(CueFired.self)
    #expect(fired.map(\.tUs) == [zero], "\(cue.cue)")
    #expect(fired.first?.payload.soundAtUs == told.soundAtUs && fired.first?.payload.hapticAtUs == told.hapticAtUs)
    #expect(try stage.callOff(try #require(told.id)) == [], "\(cue.cue): what is to come of it")
    try stage.clear()
    return Fired(
      cue: cue, askedUs: asked - stage.zero, soundUs: zero - stage.zero, touchUs: zero - stage.zero, beforeUs: beforeUs)
  }

  private func frame(ofUs us: Int64) -> Int { Int((Double(us) * 48 / 1_000).rounded()) }
}
