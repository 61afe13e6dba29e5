// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments
import StarlightClient
import Testing
import Wire

/// Every moment of both games, as their tables have it: the right sound and the right pattern at the right frame and
/// microsecond, and nothing else.
@Suite struct MomentTests {
  @Test func everyMomentOfStarlightSyncIsHeardAndFeltAsItsTableHasIt() throws { try check("starlight-sync") }

  @Test func everyMomentOfFreefallIsHeardAndFeltAsItsTableHasIt() throws { try check("freefall") }

  @Test func everyStyleOfFeedbackIsFeltAsItsTableHasIt() throws {
    try check("feedback")
    let table = try MomentTable.read("feedback")
    let stage = try MomentStage(table)
    let listed = try #require(try stage.connection.listPacks().packs.first)
    #expect(listed.patterns.map(\.name) == table.patterns.keys.sorted().map { "feedback:\($0)" })
  }

  /// Where a moment lies, in microseconds since frame 0.
  private struct Place {
    var zero: Int64
    /// From when on nothing is left of it.
    var cleared: Int64
  }

  private func check(_ pack: String) throws {
    let table = try MomentTable.read(pack)
    let stage = try MomentStage(table)
    #expect(try stage.problems() == [])
    // One alone, where a test of the tests asks for it.
    let only = ProcessInfo.processInfo.environment["STARLIGHT_MOMENT"]
    let moments = table.moments.filter { only == nil || $0.name == only }
    #expect(!moments.isEmpty)
    var places: [Place] = []
    for moment in moments { places.append(try play(moment, on: stage)) }
    let (left, right, felt) = try stage.end()
    #expect(left == right)
    checkGaps(moments, places, left, felt)
    for (moment, place) in zip(moments, places) {
      let (zero, seconds) = (place.zero, table.seconds(of: moment))
      var expected = HeardSamples(table, stage.probes, seconds: seconds)
      expected.add(moment.heard ?? [])
      let first = frame(Double(zero) / 1_000_000)
      let heard = left[first..<first + expected.samples.count]
      if let frame = expected.firstDifference(from: heard) {
        Issue.record(
          "\(moment.name): frame \(frame) is \(heard[first + frame]), not \(expected.samples[frame]): \(frame / 48) ms")
      }
      var levels = FeltLevels()
      levels.add(moment.felt ?? [], table)
      let end = us(seconds)
      let lines = felt.filter { $0.us >= zero && $0.us < zero + end }.map {
        FeltLevel(us: $0.us - zero, intensity: $0.intensity, sharpness: $0.sharpness)
      }
      for fault in levels.faults(in: lines, until: end).prefix(4) { Issue.record("\(moment.name): \(fault)") }
    }
  }

  /// Between moments nothing is heard or felt.
  private func checkGaps(_ moments: [MomentTable.Moment], _ places: [Place], _ left: [Float], _ felt: [FeltLevel]) {
    var from: Int64 = 0
    for (moment, place) in zip(moments, places) {
      let first = min(moment.heard?.map(\.at).min() ?? 0, moment.felt?.map(\.at).min() ?? 0, 0)
      let to = place.zero + us(first)
      let samples = left[frame(Double(from) / 1_000_000)..<frame(Double(to) / 1_000_000)]
      #expect(samples.allSatisfy { $0 == 0 }, "something is heard before \(moment.name)")
      let lines = felt.filter { $0.us >= from && $0.us < to && $0.intensity > 0 }
      #expect(lines == [], "something is felt before \(moment.name)")
      from = place.cleared
    }
    #expect(left[frame(Double(from) / 1_000_000)...].allSatisfy { $0 == 0 }, "something is heard after all")
    #expect(!felt.contains { $0.us >= from && $0.intensity > 0 }, "something is felt after all")
  }

  /// Does what the moment's front end does. Once it is over nothing of it is to come, however late, and every parameter is what
  /// it was.
  private func play(_ moment: MomentTable.Moment, on stage: MomentStage) throws -> Place {
    let zero = stage.nextBeginning
    if let track = moment.before {
      _ = try stage.connection.call(
        MusicPlay.self, MusicPlay.Params(track: track, atUs: zero - 500_000, crossfadeUs: 0))
    }
    var fired: [(cue: String, id: Int64)] = []
    for deed in moment.do {
      if let cue = deed.stop {
        try stage.step(to: zero + us(deed.at))
        let index = try #require(fired.firstIndex { $0.cue == cue })
        _ = try stage.callOff(fired.remove(at: index).id)
        continue
      }
      // As a front end does, at its time and not long before.
      try stage.step(to: zero + us(deed.asked ?? deed.at) - 200_000)
      if let cue = deed.cue {
        let told = try stage.connection.call(CueFire.self, CueFire.Params(cue: cue, atUs: zero + us(deed.at)))
        #expect(told.skipped == [], "\(moment.name)")
        #expect(told.scheduledUs == zero + us(deed.at), "\(moment.name)")
        fired.append((cue, try #require(told.id)))
      }
      if let parameter = deed.parameter {
        let told = try stage.connection.call(
          ParameterSet.self,
          ParameterSet.Params(
            parameter: parameter, value: try #require(deed.value), atUs: zero + us(deed.at), overUs: deed.over.map(us)))
        #expect(told.scheduledUs == zero + us(deed.at), "\(moment.name)")
      }
      if let track = deed.play {
        _ = try stage.connection.call(MusicPlay.self, MusicPlay.Params(track: track, atUs: zero + us(deed.at)))
      }
      if let pattern = deed.pattern {
        let name = "\(stage.table.pack):\(pattern)"
        _ = try stage.connection.call(HapticsPlay.self, HapticsPlay.Params(pattern: name, atUs: zero + us(deed.at)))
      }
    }
    try stage.step(to: zero + us(stage.table.seconds(of: moment)))
    #expect(try stage.movedParameters() == [], "\(moment.name)")
    let cleared = try stage.clear()
    // At last, for this ends what sounds.
    for (cue, id) in fired { #expect(try stage.callOff(id) == [], "\(moment.name): what is to come of \(cue)") }
    return Place(zero: zero - stage.zero, cleared: cleared - stage.zero)
  }
}
