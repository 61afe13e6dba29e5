// SPDX-License-Identifier: Apache-2.0

import Outcomes
import Testing
import Wire

@testable import CommandLineTool

/// A reader of Protocol Buffers that knows nothing of the writer: fields by number, in order.
private struct Message {
  enum Value {
    case number(UInt64)
    case bytes([UInt8])
  }

  var fields: [(number: UInt64, value: Value)] = []

  init(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    func varint() throws -> UInt64 {
      var (value, shift) = (UInt64(0), UInt64(0))
      while let byte = rest.popFirst() {
        value |= UInt64(byte & 0x7f) << shift
        if byte < 0x80 { return value }
        shift += 7
      }
      throw Broken()
    }
    while !rest.isEmpty {
      let key = try varint()
      switch key & 7 {
      case 0: fields.append((key >> 3, .number(try varint())))
      case 2:
        let count = Int(try varint())
        guard count <= rest.count else { throw Broken() }
        fields.append((key >> 3, .bytes(Array(rest.prefix(count)))))
        rest = rest.dropFirst(count)
      default: throw Broken()
      }
    }
  }

  struct Broken: Error {}

  func number(_ field: UInt64) -> Int64? {
    for case (field, .number(let value)) in fields { return Int64(bitPattern: value) }
    return nil
  }

  func messages(_ field: UInt64) throws -> [Message] {
    var found: [Message] = []
    for case (field, .bytes(let bytes)) in fields { found.append(try Message(bytes)) }
    return found
  }

  func text(_ field: UInt64) -> String? {
    for case (field, .bytes(let bytes)) in fields { return String(decoding: bytes, as: UTF8.self) }
    return nil
  }
}

@Suite struct TraceTests {
  private func entry(_ what: TraceEntry.What, _ from: Int64, _ change: (inout TraceEntry) -> Void = { _ in })
    -> TraceEntry
  {
    var entry = TraceEntry(what, fromUs: from)
    change(&entry)
    return entry
  }

  /// What of a trace is seen: tracks by number, and events as text in the order of the file.
  private func read(_ entries: [TraceEntry]) throws -> (tracks: [Int64: String], events: [String]) {
    let picture = TracePicture(entries, rate: 48_000, monotonic: 5_000_000_000, bootTime: 9_000_000_000)
    var tracks: [Int64: String] = [:]
    var events: [String] = []
    let packets = try Message(picture.trace.bytes).messages(1)
    var last = Int64.min
    for (index, packet) in packets.enumerated() {
      #expect(packet.number(10) == 1)
      if index == 0 {
        let clocks = try packet.messages(6)[0].messages(1)
        #expect(clocks.map { $0.number(1) } == [3, 6])
        #expect(clocks.map { $0.number(2) } == [5_000_000_000, 9_000_000_000])
        #expect(packet.number(13) == 1)
      } else if let track = try packet.messages(60).first {
        tracks[try #require(track.number(1))] = track.text(2)
        if track.number(1) != 1 {
          let parent = try #require(track.number(5))
          #expect(tracks[parent] != nil)
        }
      } else {
        let event = try #require(try packet.messages(11).first)
        let at = try #require(packet.number(8))
        #expect(packet.number(58) == 3 && at >= last)
        last = at
        let kind = ["", "[", "]", "!", "#"][Int(event.number(9) ?? 0)]
        let track = tracks[event.number(11) ?? 0] ?? "?"
        let value = event.number(30).map(String.init) ?? event.text(23) ?? ""
        events.append("\(at) \(track) \(kind)\(value)")
      }
    }
    return (tracks, events)
  }

  @Test func numbersAreWrittenInTheFewestBytes() {
    var message = Protobuf()
    message.number(1, 150)
    message.number(16, 0)
    message.text(2, "hi")
    message.message(3) { $0.number(1, -1) }
    #expect(
      message.bytes == [
        0x08, 0x96, 0x01, 0x80, 0x01, 0x00, 0x12, 0x02, 0x68, 0x69, 0x1a, 0x0b, 0x08, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff,
        0xff, 0xff, 0xff, 0x01,
      ])
  }

  @Test func periodsAndTheirLoadAreOnTracksOfTheirOwn() throws {
    let (tracks, events) = try read([
      entry(.period, 1_000) { ($0.toUs, $0.dueUs, $0.frame, $0.frames) = (1_500, 990, 0, 48) },
      entry(.period, 1_500) { ($0.toUs, $0.frame, $0.frames) = (1_500, 48, 48) },
      entry(.lost, 1_600) { ($0.frames, $0.detail) = (12, "underrun") },
    ])
    #expect(tracks == [1: "starlightd", 3: "audio", 5: "audio load"])
    #expect(
      events == [
        "1000000 audio load #50", "1000000 audio [period", "1500000 audio ]", "1500000 audio load #0",
        "1500000 audio [period", "1500001 audio ]", "1600000 audio !12 frames lost: underrun",
      ])
  }

  @Test func aVoiceThatNeverBeganIsNotDrawn() throws {
    func start(_ at: Int64) -> TraceEntry {
      entry(.start, at) { ($0.id, $0.kind, $0.heardUs) = (7, .sound, 100) }
    }
    let off = entry(.letGo, 30) { $0.id = 7 }
    let told = entry(.unbegun, 30) { ($0.id, $0.kind, $0.detail) = (7, .sound, "calledOff") }
    let end = entry(.ended, 200) { $0.id = 7 }
    let called = try read([start(10), off, told, end]).events
    #expect(called == ["10000 control !start sound 7", "30000 control !sound 7 calledOff"])
    // One that is handed over anew is drawn, whenever the mixer lets go of the first.
    let anew = try read([start(10), start(20), off, end]).events
    #expect(anew.suffix(2) == ["100000 sound 7 [sound 7", "200000 sound 7 ]"])
  }

  @Test func slicesNestAlsoWhereTheyBeginAndEndTogether() throws {
    let (_, events) = try read([
      entry(.line, 10) { ($0.toUs, $0.method, $0.client, $0.dueUs) = (20, "sound.play", 1, 9) },
      entry(.line, 20) { ($0.toUs, $0.method, $0.client, $0.dueUs) = (30, "cue.fire", 1, 9) },
      entry(.turn, 10) { $0.toUs = 30 },
    ])
    #expect(
      events == [
        "9000 client 1 !sound.play", "9000 client 1 !cue.fire", "10000 control [turn", "10000 control [sound.play",
        "20000 control ]", "20000 control [cue.fire", "30000 control ]", "30000 control ]",
      ])
  }

  @Test func eachVoiceHasATrackBecauseFadesOverlap() throws {
    let (tracks, events) = try read([
      entry(.start, 0) { ($0.id, $0.kind, $0.heardUs) = (4, .music, 10) },
      entry(.start, 5) { ($0.id, $0.kind, $0.heardUs) = (5, .music, 15) },
      entry(.moved, 17) { $0.id = 5 },
      entry(.ended, 30) { $0.id = 4 },
      entry(.turn, 40) { $0.toUs = 50 },
    ])
    #expect(Set(tracks.values) == ["starlightd", "control", "voices", "track 4", "track 5"])
    #expect(
      events.filter { $0.contains("track") && !$0.contains("control") } == [
        "10000 track 4 [track 4", "17000 track 5 [track 5", "30000 track 4 ]", "50000 track 5 ]",
      ])
  }

  @Test func aWriteThatIsNotAnsweredGoesOnToTheEnd() throws {
    let (_, events) = try read([
      entry(.writing, 10) { $0.device = "Pad" },
      entry(.write, 10) { ($0.device, $0.toUs) = ("Pad", 12) },
      entry(.writing, 20) { $0.device = "Pad" },
      entry(.told, 28) { ($0.client, $0.kind, $0.id, $0.toUs) = (2, .beat, 7, 30) },
    ])
    #expect(
      events == [
        "10000 haptic Pad [write", "12000 haptic Pad ]", "20000 haptic Pad [not answered", "30000 haptic Pad ]",
        "30000 client 2 !told beat 7",
      ])
  }

  @Test func aLifeIsATableWithAPicture() {
    let life = TraceExplain.Result(
      kind: .sound, id: 7, client: 1, line: 3, askedUs: nil, scheduledUs: 106_000,
      stages: [
        TraceStage(stage: .received, fromUs: 100_000, toUs: 100_000, lateUs: 0),
        TraceStage(stage: .waited, fromUs: 100_000, toUs: 100_200, lateUs: 200),
        TraceStage(stage: .handedOver, fromUs: 100_300, toUs: 100_300, lateUs: 0, part: 7),
        TraceStage(stage: .rendered, fromUs: 101_000, toUs: 105_000, lateUs: 2_500, part: 7),
        TraceStage(stage: .heard, fromUs: 110_000, toUs: nil, lateUs: 0, part: 7),
      ], late: [TraceBlame(who: .audioDescheduled, lateUs: 2_500)])
    #expect(
      lifeLines(life, width: 60) == [
        "sound 7: line 3 of client 1, as soon as possible",
        "stage             at     took     late  0           10.0 ms",
        "received     0.00 ms                    ●",
        "waited       0.20 ms  0.20 ms  0.20 ms  ●",
        "handed over  0.30 ms                     ●",
        "rendered     5.00 ms  4.00 ms  2.50 ms    ━━━━━━━●",
        "heard        not yet                                      ?",
        "Late: the audio thread was not let run, 2.5 ms.",
      ])
    // Where there is no sound device nothing is heard.
    let silent = lifeLines(life, width: 60, isSilent: true)
    #expect(silent[6] == "unheard      not yet                                      ?")
    for width in [28, 30, 39, 44, 47, 60] {
      let lines = lifeLines(life, width: width)
      #expect(lines.allSatisfy { $0.count <= width }, "\(width): \(lines)")
      let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
      for said in ["sound 7: line 3 of client 1,", "handed over", "0.30 ms", "2.50 ms", "not let run, 2.5 ms."] {
        #expect(words.contains(said), "\(said) is not in \(lines)")
      }
    }
    // Where a machine may read it no sentence is broken.
    #expect(lifeLines(life, width: .max).last == "Late: the audio thread was not let run, 2.5 ms.")
    #expect(lifeLines(life, width: .max)[1].hasPrefix("stage             at     took     late  0"))
  }

  /// They count apart, and the first of a daemon have the same number.
  @Test func aSoundAndAPlayerOfTheSameNumberHaveRowsOfTheirOwn() {
    func stage(_ stage: TraceStage.Kind, _ kind: TraceKind) -> TraceStage {
      TraceStage(stage: stage, fromUs: 100_000, toUs: 100_000, lateUs: 0, part: 1, partKind: kind)
    }
    let both = lifeLines(life(.cue, [stage(.handedOver, .sound), stage(.handedOver, .haptics)]), width: .max)
    #expect(both[2].hasPrefix("handed over (sound 1)   ") && both[3].hasPrefix("handed over (player 1)  "), "\(both)")
    let one = lifeLines(life(.cue, [stage(.handedOver, .sound), stage(.heard, .sound)]), width: .max)
    #expect(one[2].hasPrefix("handed over  ") && one[3].hasPrefix("heard        "), "\(one)")
  }

  private func life(_ kind: TraceKind, _ stages: [TraceStage]) -> TraceExplain.Result {
    TraceExplain.Result(
      kind: kind, id: 1, client: 1, line: 3, askedUs: 100_000, scheduledUs: 100_000, stages: stages, late: [])
  }

  @Test func whatIsOverwrittenIsSaidToBeUnknown() {
    var life = life(.sound, [])
    life.late = [TraceBlame(who: .unknown, lateUs: 5_000)]
    life.incomplete = true
    #expect(
      lateTexts(life) == [
        "Late: nobody knows who: the records of then are overwritten, 5.0 ms.",
        "Some of its records are overwritten, or were lost: what is missing here is not known.",
      ])
  }

  /// A row that is late is not contradicted below.
  @Test func aLateRowThatNobodyIsBlamedForIsExplained() {
    let onTime = TraceStage(stage: .heard, fromUs: 100_000, toUs: 100_000, lateUs: 400, part: 7, partKind: .sound)
    #expect(lateTexts(life(.sound, [onTime])) == ["Nobody was late by more than 1 ms."])
    let tap = TraceStage(stage: .received, fromUs: 105_000, toUs: 105_000, lateUs: 5_000)
    #expect(
      lateTexts(life(.tap, [tap])) == [
        "The tap came 5.0 ms after its stamp, and counts at its stamp; a client is late beyond 10 ms. Nobody else was late "
          + "by more than 1 ms."
      ])
    let rendered = TraceStage(stage: .rendered, fromUs: 96_000, toUs: 97_000, lateUs: 2_500, part: 7, partKind: .sound)
    #expect(
      lateTexts(life(.sound, [rendered, onTime])) == [
        "Stage rendered was 2.5 ms late, but what followed was on time: nobody is to blame."
      ])
    let written = TraceStage(
      stage: .written, fromUs: 101_000, toUs: 101_600, lateUs: 1_600, part: 4, partKind: .haptics, device: "Pad")
    #expect(
      lateTexts(life(.haptics, [onTime, written])) == [
        "Stage written to Pad (player 4) was 1.6 ms late, of which nobody was to blame for more than 1 ms."
      ])
  }
}

@Suite struct ExplainedTests {
  @Test func aKindAndANumberAreTakenInEitherOrder() throws {
    let (none, cue) = (try ExplainCommand.explained(nil, nil), try ExplainCommand.explained("cue", "2"))
    #expect(none.kind == nil && none.id == nil)
    #expect(cue.kind == .cue && cue.id == 2)
    let turned = try ExplainCommand.explained("2", "cue")
    #expect(turned.kind == .cue && turned.id == 2)
  }

  @Test(arguments: [
    ("2", nil, "2 is the number of what?", "as in `starlight explain cue 2`"),
    ("cute", "2", "`cute` is neither a kind nor a number; did you mean cue?", "kinds are cue"),
    ("cue", "hello", "`hello` is neither a kind nor a number", "the number is what its command showed"),
    ("2", "3", "2 is the number of what?", "kinds are cue"),
  ])
  func whatIsNotMeantIsToldWithWhatToType(first: String, second: String?, said: String, hint: String) {
    let failure = #expect(throws: ToolFailure.self) { try ExplainCommand.explained(first, second) }
    #expect(failure?.message == said && failure?.hint?.contains(hint) == true && failure?.exit == .usage)
  }
}
