// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Journal
import Testing
import Timing
import Wire

@testable import Host

/// Runs that are done again from their journals.
@Suite struct JournalReplayTests {
  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {"main": {"file": "main.wav"}, "finale": {"file": "finale.wav"}},
     "sounds": {"sfx_click": {"file": "sfx_click.wav"}},
     "patterns": {"thud": {"file": "thud.ahap"}},
     "cues": {"hit": {"steps": [{"sound": "sfx_click"}, {"pattern": "thud"}]}},
     "chapters": {"one": {"title": "One", "track": "main", "length": 2.5, "spawnLead": 0.2,
       "beats": [{"at": 0.5}, {"at": 1}, {"at": 1.5}, {"at": 2}]}}}
    """
  private static let thud = #"""
    {"Pattern": [{"Event": {"Time": 0, "EventType": "HapticContinuous", "EventDuration": 0.3,
      "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.7}]}}]}
    """#

  private func rig(mostBytes: Int = 1 << 30) throws -> HostRig {
    let rig = try HostRig(
      manifest: Self.manifest,
      change: { try Data(Self.thud.utf8).write(to: URL(filePath: $0 + "/thud.ahap")) },
      configure: { configuration in
        let folder = configuration.packFolders[0]
        configuration.journalPath = folder + "/journal"
        configuration.hapticLogPath = folder + "/felt.ndjson"
        configuration.mostJournalBytes = mostBytes
      })
    try #require(rig.host.problems.isEmpty, "\(rig.host.problems)")
    rig.host.topics = Set(Topic.allCases)
    return rig
  }

  private func journal(_ rig: HostRig) throws -> [UInt8] {
    rig.host.stop()
    return [UInt8](try Data(contentsOf: URL(filePath: rig.directory + "/journal")))
  }

  @Test func whatIsNoJournalIsToldWithWhatWritesOne() {
    let refused = #expect(throws: HostError.self) { try JournalReplay(Array("RIFF".utf8)).run() }
    #expect(refused?.details == ["name a file that `starlightd --journal FILE` wrote"])
  }

  /// A little of everything; the beats of the chapter are tapped somewhat late.
  private func play(_ rig: HostRig) throws {
    _ = rig.ask("sound.play", #"{"sound":"sfx_click"}"#)
    rig.step(microseconds: 30_000)
    _ = rig.ask("cue.fire", #"{"cue":"hit"}"#)
    _ = rig.ask("sound.play", #"{"sound":"sfx_click","loop":true,"gain":0.3}"#, client: 2)
    rig.step(microseconds: 77_777)
    _ = rig.ask("haptics.transient", #"{"intensity":1,"sharpness":0.3}"#)
    _ = rig.ask("rhythm.start", #"{"chapter":"one"}"#)
    for _ in 0..<40 {
      rig.step(microseconds: 71_000)
      _ = rig.ask("rhythm.tap", #"{"atUs":\#(rig.host.now.microseconds - 7_000)}"#)
    }
    rig.host.clientLeft(.init(rawValue: 2))
    _ = rig.ask("settings.set", #"{"music":false}"#)
    _ = rig.ask("music.play", #"{"track":"finale","fadeUs":100000}"#)
    rig.step(microseconds: 200_000)
    _ = rig.ask("settings.set", #"{"music":true}"#)
    rig.step(microseconds: 500_000)
  }

  @Test func aSteppedRunIsTheSameAgain() throws {
    let rig = try rig()
    try play(rig)
    let outcome = try JournalReplay(journal(rig)).run()
    #expect(outcome.isSame && outcome.end == .whole, "\(outcome)")
    #expect(outcome.seconds == 4, "\(outcome)")
    #expect(outcome.steps > 5, "\(outcome)")
    #expect(outcome.verdicts > 40, "\(outcome)")
  }

  /// A line whose work is left is asked again when that is done: the engine is called once, then.
  @Test func whatIsComputedBesideIsAskedOnceInTheJournal() throws {
    let rig = try rig()
    let map = #"{"chapter":"one","map":{"beats":[{"at":0.5},{"at":0.9}]}}"#
    for (method, params) in [("haptics.play", #"{"ahap":\#(Self.thud)}"#), ("rhythm.start", map)] {
      let errand = Errand()
      _ = rig.ask(method, params, errand: errand)
      #expect(errand.isLeft)
      rig.step(microseconds: 7_000)
      errand.run()
      #expect(rig.ask(method, params, errand: errand).contains("\"result\""))
    }
    rig.step(microseconds: 1_500_000)
    let outcome = try JournalReplay(journal(rig)).run()
    #expect(outcome.isSame && outcome.end == .whole, "\(outcome)")
    #expect(outcome.steps > 0 && outcome.verdicts > 0, "\(outcome)")
  }

  @Test func itsTapsAreJudgedByOtherRulesToo() throws {
    let rig = try rig()
    _ = rig.ask("rhythm.start", #"{"chapter":"one","atUs":2000000}"#)
    // Beats at 2.5, 3, 3.5 and 4 s, tapped 40 ms late.
    for beat in 0..<4 as Range<Int64> {
      rig.step(microseconds: 2_540_000 + 500_000 * beat - rig.host.now.microseconds)
      _ = rig.ask("rhythm.tap")
    }
    rig.step(microseconds: 3_000_000)
    let bytes = try journal(rig)
    func judged(_ rules: Rejudging) throws -> RejudgedRun? {
      var wanted = JournalReplay.Configuration()
      wanted.rejudging = rules
      let outcome = try JournalReplay(bytes, wanted).run()
      #expect(outcome.isSame && outcome.end == .whole && outcome.rejudged.count == 1, "\(outcome)")
      return outcome.rejudged.first
    }
    let later = try #require(try judged(Rejudging(offsetUs: 40_000)))
    #expect(later.was.hits == 4 && later.was.medianErrorUs == 40_000 && later.was.misses == 0)
    #expect(later.isNow.hits == 4 && later.isNow.medianErrorUs == 0)
    let narrow = try #require(try judged(Rejudging(windowUs: 30_000)))
    #expect(narrow.was == later.was)
    #expect(narrow.isNow.hits == 0 && narrow.isNow.misses == 4 && narrow.isNow.medianErrorUs == nil)
  }

  @Test func whatIsHeardAndFeltAgainCanBeWritten() throws {
    let rig = try HostRig(
      manifest: Self.manifest, records: true,
      change: { try Data(Self.thud.utf8).write(to: URL(filePath: $0 + "/thud.ahap")) },
      configure: { configuration in
        configuration.journalPath = configuration.packFolders[0] + "/journal"
        configuration.hapticLogPath = configuration.packFolders[0] + "/felt.ndjson"
      })
    try play(rig)
    let bytes = try journal(rig)
    var wanted = JournalReplay.Configuration()
    wanted.recordPath = rig.directory + "/again.wav"
    wanted.hapticLogPath = rig.directory + "/again.ndjson"
    #expect(try JournalReplay(bytes, wanted).run().isSame)
    for (was, again) in [("heard.wav", "again.wav"), ("felt.ndjson", "again.ndjson")] {
      let (one, other) = (try contents(rig, was), try contents(rig, again))
      #expect(one == other && one.count > 200, "\(was)")
    }
  }

  private func contents(_ rig: HostRig, _ file: String) throws -> Data {
    try Data(contentsOf: URL(filePath: "\(rig.directory)/\(file)"))
  }

  @Test func aPauseIsTheSameAgain() throws {
    let rig = try rig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    _ = rig.ask("cue.fire", #"{"cue":"hit"}"#)
    rig.step(microseconds: 100_000)
    for stood in [400_000, 3_333, 70_000] as [Int64] {
      _ = rig.ask("engine.pause")
      rig.step(microseconds: stood)
      _ = rig.ask("sound.play", #"{"sound":"sfx_click"}"#)
      _ = rig.ask("engine.resume")
      _ = rig.ask("cue.fire", #"{"cue":"hit"}"#)
      rig.step(microseconds: 150_000)
    }
    let outcome = try JournalReplay(journal(rig)).run()
    #expect(outcome.isSame && outcome.end == .whole && outcome.seconds > 0, "\(outcome)")
  }

  @Test func aTrackThatRanDryRunsDryAgain() throws {
    let rig = try rig()
    _ = rig.ask("music.play", #"{"track":"main"}"#)
    rig.step(microseconds: 100_000)
    rig.host.readsTracks = false
    // All that is in its ring, and more.
    rig.step(microseconds: 1_900_000)
    rig.host.readsTracks = true
    rig.step(microseconds: 400_000)
    // What begins behind the heads finds nothing there.
    rig.host.readsTracks = false
    _ = rig.ask("music.seek", #"{"positionUs":2000000}"#)
    rig.step(microseconds: 300_000)
    rig.host.readsTracks = true
    rig.step(microseconds: 300_000)
    let bytes = try journal(rig)
    let saw = try JournalReplay.read(bytes).1.calls.count { if case .saw = $0 { true } else { false } }
    #expect(saw > 100)
    let outcome = try JournalReplay(bytes).run()
    #expect(outcome.isSame && outcome.end == .whole, "\(outcome)")
  }

  /// The same journal with one record in place of another.
  private func changed(
    _ bytes: [UInt8], _ change: (JournalRecord) -> [JournalRecord]
  ) throws -> [UInt8] {
    var block = JournalBlock()
    for record in try JournalReader(bytes).records.flatMap(change) { block.add(record) }
    return JournalForm.firstLine + block.take()
  }

  @Test func oneStampThatIsAnotherIsNoticed() throws {
    let rig = try rig()
    try play(rig)
    let bytes = try journal(rig)
    #expect(try JournalReplay(changed(bytes) { [$0] }).run().isSame)
    var taps = 0
    let other = try changed(bytes) { record in
      guard record.kind == .call, let text = Self.call(record), text.method == "rhythm.tap" else { return [record] }
      taps += 1
      guard taps == 20 else { return [record] }
      let digits = try? decodeJSON(RhythmTap.Params.self, from: text.params[...])
      var params = digits ?? RhythmTap.Params()
      params.atUs = (params.atUs ?? 0) - 1
      return [JournalRecord(.call, text.with((try? encodeJSON(params)) ?? []))]
    }
    let outcome = try JournalReplay(other).run()
    #expect(!outcome.isSame && outcome.otherVerdictUs != nil && outcome.otherSecond == nil, "\(outcome)")
  }

  @Test func oneSampleOrLineThatIsAnotherIsNoticed() throws {
    let rig = try rig()
    try play(rig)
    let bytes = try journal(rig)
    var seconds = 0
    let heard = try changed(bytes) { record in
      guard record.kind == .heard else { return [record] }
      seconds += 1
      var fields = record.fields
      if seconds == 2 { fields[fields.count - 1] ^= 1 }
      return [JournalRecord(.heard, fields)]
    }
    #expect(try JournalReplay(heard).run().otherSecond == 1)
    let felt = try changed(bytes) { record in
      guard record.kind == .felt else { return [record] }
      return [JournalRecord(.felt, record.fields.map { $0 == UInt8(ascii: "7") ? UInt8(ascii: "6") : $0 })]
    }
    #expect(try JournalReplay(felt).run().otherFeltUs != nil)
  }

  @Test func aSoundThatWasNotAskedForIsNoticed() throws {
    let rig = try rig()
    try play(rig)
    var calls = 0
    let fewer = try changed(journal(rig)) { record in
      if record.kind == .call { calls += 1 }
      return calls == 1 && record.kind == .call ? [] : [record]
    }
    #expect(try !JournalReplay(fewer).run().isSame)
  }

  @Test func itGoesAsFarAsTheJournalDoes() throws {
    let rig = try rig()
    try play(rig)
    let bytes = try journal(rig)
    let cut = try JournalReplay(Array(bytes.dropLast(bytes.count / 2))).run()
    #expect(cut.isSame && cut.end == .cut, "\(cut)")
    var turns = 0
    let lost = try changed(bytes) { record in
      if record.kind == .turn { turns += 1 }
      return turns == 50 && record.kind == .turn ? [JournalRecord(.lost, [2]), record] : [record]
    }
    let stopped = try JournalReplay(lost).run()
    #expect(!stopped.isSame)
    if case .stopped(let reason) = stopped.end { #expect(reason.contains("lost")) } else { Issue.record("\(stopped)") }
    #expect(throws: HostError.self) { try JournalReplay(Array(bytes.dropFirst())) }
    var damaged = bytes
    damaged[bytes.count / 2] ^= 4
    #expect(throws: HostError.self) { try JournalReplay(damaged) }
  }

  @Test func aJournalThatIsAsLongAsItMayBeEndsWhole() throws {
    let rig = try rig(mostBytes: 20_000)
    #expect(!rig.host.hasIncompleteFile)
    try play(rig)
    let problem = rig.host.problems.first { $0.kind == .journalFailed }
    #expect(problem?.reason.hasSuffix("ends here: it is as long as it may be") == true)
    #expect(rig.host.hasIncompleteFile)
    let bytes = try journal(rig)
    #expect(bytes.count <= 20_000)
    let outcome = try JournalReplay(bytes).run()
    #expect(outcome.isSame && outcome.end == .truncated && outcome.steps > 0, "\(outcome)")
  }

  @Test func otherPacksAreRefused() throws {
    let rig = try rig()
    _ = rig.ask("sound.play", #"{"sound":"sfx_click"}"#)
    rig.step(microseconds: 100_000)
    let bytes = try journal(rig)
    try Data(HostRig.wave(seconds: 0.05) { _ in 8_193 }).write(to: URL(filePath: rig.directory + "/sfx_click.wav"))
    do throws(HostError) {
      _ = try JournalReplay(bytes)
      Issue.record("it is replayed with other packs")
    } catch {
      #expect(error.details == ["the files of pack game in \(rig.directory) are not what they were"])
    }
  }

  @Test func aPackThatIsReadAnewIsReadAnewAgain() throws {
    let rig = try rig()
    _ = rig.ask("sound.play", #"{"sound":"sfx_click","loop":true}"#)
    rig.step(microseconds: 100_000)
    _ = rig.ask("pack.reload")
    rig.step(microseconds: 100_000)
    _ = rig.ask("sound.stop")
    rig.step(microseconds: 100_000)
    _ = rig.ask("pack.unload", #"{"pack":"game"}"#)
    rig.step(microseconds: 100_000)
    let bytes = try journal(rig)
    #expect(try JournalReplay(bytes).run().isSame)
  }

  @Test func aPackThatWasAnotherInBetweenEndsIt() throws {
    let rig = try rig()
    let click = try contents(rig, "sfx_click.wav")
    _ = rig.ask("sound.play", #"{"sound":"sfx_click","loop":true}"#)
    rig.step(microseconds: 100_000)
    try Data(HostRig.wave(seconds: 0.125)).write(to: URL(filePath: rig.directory + "/sfx_click.wav"))
    _ = rig.ask("pack.reload")
    rig.step(microseconds: 100_000)
    let bytes = try journal(rig)
    try click.write(to: URL(filePath: rig.directory + "/sfx_click.wav"))
    let outcome = try JournalReplay(bytes).run()
    guard case .stopped(let reason) = outcome.end else {
      Issue.record("\(outcome)")
      return
    }
    #expect(reason == "the pack in \(rig.directory) was read anew here, and is not what it was then")
    #expect(outcome.otherSecond == nil && outcome.otherFeltUs == nil)
  }

  // MARK: - Records

  private struct Call {
    var method: String
    var params: [UInt8]
    var record: JournalRecord

    /// The same with other params.
    func with(_ params: [UInt8]) -> [UInt8] {
      var fields = JournalFields()
      fields.add(params)
      var before = JournalFields()
      before.add(self.params)
      return record.fields.dropLast(before.bytes.count) + fields.bytes
    }
  }

  private static func call(_ record: JournalRecord) -> Call? {
    var fields = JournalFieldReader(record)
    guard let method = try? fields.text(), (try? fields.unsigned()) != nil, (try? fields.unsigned()) != nil,
      (try? fields.unsigned()) != nil, (try? fields.signed()) != nil, let params = try? fields.array()
    else { return nil }
    return Call(method: method, params: params, record: record)
  }
}
