// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Moments
import StarlightClient
import Testing
import Wire

/// What the real daemon tells of the life of things, on the stepped clock: exact to the microsecond.
@Suite struct ExplainTests {
  private let directory: String
  private let game: SteppedGame

  init() throws {
    directory = try makeTemporaryDirectory()
    game = try SteppedGame(["--haptic-log", directory + "/felt"])
  }

  private func explain(_ kind: TraceKind? = nil, _ id: Int64? = nil) throws -> TraceExplain.Result {
    try game.connection.call(TraceExplain.self, TraceExplain.Params(kind: kind, id: id))
  }

  @Test func aCuesLifeHasEveryPartAtItsInstant() throws {
    defer { removeDirectory(directory) }
    let asked = game.nowUs + 300_000
    let fired = try game.connection.call(CueFire.self, CueFire.Params(cue: "segment-lock", atUs: asked))
    let id = try #require(fired.id)
    let now = game.nowUs
    _ = try game.step(to: asked + 100_000)
    let life = try explain(.cue, id)
    #expect(life.kind == .cue && life.id == id && life.client == 1 && life.line == 3)
    #expect(life.askedUs == asked && life.scheduledUs == asked)
    #expect(life.late == [])
    #expect(
      life.stages.map(\.stage) == [
        .received, .waited, .decoded, .planned, .handedOver, .answered, .handedOver, .heard, .written, .told, .rendered,
      ])
    for stage in life.stages.prefix(6) { #expect(stage.fromUs == now && stage.toUs == now) }
    // The sound is handed to the mixer 100 ms ahead, at its frame; the log is written at its instant.
    #expect(life.stages[6].toUs == asked - 100_000)
    let instants = life.stages.filter { [.heard, .written, .told].contains($0.stage) }.map(\.toUs)
    #expect(instants == [asked, asked, asked])
    #expect(life.stages.first { $0.stage == .written }?.device == directory + "/felt")
    #expect(try explain() == life)
    // Its parts have lives of their own.
    let sound = try explain(.sound)
    #expect(sound.line == 3 && sound.stages.contains { $0.stage == .heard && $0.toUs == asked })
  }

  @Test func whoAsksLateIsBlamed() throws {
    defer { removeDirectory(directory) }
    _ = try game.step(to: game.nowUs + 1_000_000)
    let played = try game.connection.call(
      SoundPlay.self, SoundPlay.Params(sound: "sfx_click", atUs: game.nowUs - 20_000))
    _ = try game.step(to: game.nowUs + 100_000)
    let life = try explain(.sound, played.id)
    #expect(life.late == [TraceBlame(who: .clientAskedLate, lateUs: played.lateUs, client: 1)])
    #expect(life.stages.last { $0.stage == .heard }?.toUs == played.scheduledUs)
    let text = try runTool(["explain", "sound"], socket: game.daemon.socketPath)
    #expect(text.code == 0)
    #expect(text.output.contains("Late: client 1 asked too late, \(played.lateUs / 1_000)"), "\(text)")
  }

  @Test func whatAPauseMovedIsOnTime() throws {
    defer { removeDirectory(directory) }
    let played = try game.connection.call(
      SoundPlay.self, SoundPlay.Params(sound: "sfx_click", atUs: game.nowUs + 50_000))
    _ = try game.connection.call(EnginePause.self, Empty())
    _ = try game.step(to: game.nowUs + 2_000_000)
    #expect(try explain(.sound, played.id).stages.last { $0.stage == .heard }?.toUs == nil)
    let moved = try #require(try game.connection.call(EngineResume.self, Empty()).movedUs)
    _ = try game.step(to: game.nowUs + 200_000)
    let life = try explain(.sound, played.id)
    #expect(life.scheduledUs == played.scheduledUs + moved)
    let heard = try #require(life.stages.last { $0.stage == .heard }?.toUs)
    #expect(abs(heard - life.scheduledUs) <= 21)
    #expect(life.late == [])
  }

  @Test func aTapsLifeIsFromItsStampToItsVerdict() throws {
    defer { removeDirectory(directory) }
    let chapter = try PlayedChapter(game)
    _ = try game.step(to: chapter.beat(0) + 10_000)
    _ = try game.tap(FirewallTests.lanes[0], at: chapter.beat(0) + 5_000)
    let life = try explain(.tap, 1)
    #expect(life.askedUs == chapter.beat(0) + 5_000)
    #expect(life.stages.map(\.stage) == [.received, .waited, .decoded, .planned, .answered])
    #expect(life.stages[0].lateUs == 5_000)
    #expect(life.late == [])
    let beat = try explain(.beat, 0)
    #expect(beat.scheduledUs == chapter.beat(0))
    #expect(
      beat.stages.last
        == TraceStage(
          stage: .told, fromUs: chapter.beat(0), toUs: chapter.beat(0), lateUs: 0, client: 1))
    // A tap that came in long after it was made.
    _ = try game.step(to: chapter.beat(1) + 60_000)
    _ = try game.tap(FirewallTests.lanes[1], at: chapter.beat(1) + 10_000)
    #expect(try explain(.tap).late == [TraceBlame(who: .clientAskedLate, lateUs: 50_000, client: 1)])
  }

  @Test func aTapToldByHowLongAgoItWasHasItsLateness() throws {
    defer { removeDirectory(directory) }
    let chapter = try PlayedChapter(game)
    _ = try game.step(to: chapter.beat(0) + 10_000)
    let ago = RhythmTap.Params(agoUs: 6_000, lane: FirewallTests.lanes[0])
    _ = try game.connection.call(RhythmTap.self, ago)
    let life = try explain(.tap)
    #expect(life.askedUs == chapter.beat(0) + 4_000)
    #expect(life.stages.first?.stage == .received && life.stages.first?.lateUs == 6_000)
    let text = try runTool(["explain", "tap"], keeping: .output, socket: game.daemon.socketPath).text
    // In a pipe a sentence is one line.
    #expect(
      text.hasSuffix(
        "\nThe tap came 6.0 ms after its stamp, and counts at its stamp; a client is late beyond 10 ms. Nobody else was late "
          + "by more than 1 ms.\n"), "\(text)")
    // One without a stamp is of when it came.
    _ = try game.connection.call(RhythmTap.self, RhythmTap.Params(lane: FirewallTests.lanes[0]))
    #expect(try explain(.tap).askedUs == nil)
  }

  @Test func aCueThatOnlyChangesWhatSoundsIsHeardToo() throws {
    defer { removeDirectory(directory) }
    let files = try makeTemporaryDirectory()
    defer { removeDirectory(files) }
    let game = try SteppedGame(["--haptic-log", files + "/felt"]) { pack in
      let path = pack + "/pack.json"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let cues = """
        "cues": {"softer": {"steps": [{"music": {"gain": 0.5, "fade": 0.1}}]},
          "hush": {"steps": [{"stop": {"sound": "sfx_power"}}, {"stop": {"haptics": true}}]},
        """
      try text.replacing(#""cues": {"#, with: cues).write(toFile: path, atomically: true, encoding: .utf8)
    }
    _ = try game.connection.call(MusicPlay.self, MusicPlay.Params(track: "main", crossfadeUs: 0))
    _ = try game.connection.call(HapticsPlay.self, HapticsPlay.Params(pattern: "heartbeat", loop: true))
    _ = try game.connection.call(SoundPlay.self, SoundPlay.Params(sound: "sfx_power", loop: true))
    _ = try game.step(to: game.nowUs + 300_000)
    for (cue, stages) in [
      ("softer", [TraceStage.Kind.heard, .rendered]), ("hush", [.heard, .rendered, .written]),
      ("silence", [.heard, .rendered]),
    ] {
      let asked = game.nowUs + 250_000
      let fired = try game.connection.call(CueFire.self, CueFire.Params(cue: cue, atUs: asked))
      _ = try game.step(to: asked + 100_000)
      let life = try game.connection.call(TraceExplain.self, TraceExplain.Params(kind: .cue, id: fired.id))
      for stage in stages {
        #expect(life.stages.contains { $0.stage == stage }, "\(cue): no \(stage) in \(life.stages)")
      }
      let heard = try #require(life.stages.first { $0.stage == .heard }?.toUs, "\(cue)")
      #expect(abs(heard - asked) <= 21, "\(cue)")
      if stages.contains(.written) { #expect(life.stages.first { $0.stage == .written }?.toUs == asked) }
      #expect(life.late == [])
    }
  }

  /// The stages that say what became of it.
  private func outcome(_ kind: TraceKind, _ id: Int64?) throws -> [TraceStage] {
    let outcomes: Set<TraceStage.Kind> = [.rendered, .heard, .lost, .written, .calledOff, .skipped, .stolen]
    return try explain(kind, id).stages.filter { outcomes.contains($0.stage) }
  }

  @Test(arguments: [20_000, 60_000])
  func whatIsCalledOffEndsWithThat(afterUs: Int64) throws {
    defer { removeDirectory(directory) }
    _ = try game.step(to: game.nowUs + 100_000)
    var toldUs: Int64 = 0
    for how in ["stop", "leave", "cue"] {
      let (now, asked) = (game.nowUs, game.nowUs + 90_000)
      var client: StarlightConnection? = try game.daemon.connect()
      let played = try #require(
        try client?.call(SoundPlay.self, SoundPlay.Params(sound: "sfx_click", atUs: asked)))
      let fired = try #require(try client?.call(CueFire.self, CueFire.Params(cue: "segment-lock", atUs: asked)))
      _ = try game.step(to: now + afterUs)
      switch how {
      case "stop": _ = try client?.call(SoundStop.self, SoundStop.Params(id: played.id))
      case "cue": _ = try client?.call(CueStop.self, CueStop.Params(id: try #require(fired.id)))
      default: break
      }
      if how != "stop" { client = nil }
      // Who has gone is noticed before the second of these is served.
      for _ in 0..<2 { _ = try game.connection.call(ClockNow.self, Empty()) }
      let told = try game.step(to: asked + 300_000)
      client = nil
      let finished = try told.all(SoundFinished.self)
      let own = try #require(finished.first { $0.payload.id == played.id })
      toldUs = own.tUs
      #expect(own.payload.reason == .cancelled)
      #expect(
        try outcome(.sound, played.id) == [
          TraceStage(stage: .calledOff, fromUs: own.tUs, toUs: own.tUs, lateUs: 0, part: played.id, partKind: .sound)
        ], "\(how)")
      #expect(try explain(.sound, played.id).late == [])
      guard how != "stop" else { continue }
      let parts = try outcome(.cue, fired.id)
      #expect(Set(parts.map(\.stage)) == [.calledOff], "\(how): \(parts)")
      // The sound, the pattern, and the cue itself.
      #expect(parts.count == 3 && parts.count { $0.part != nil } == 2, "\(how): \(parts)")
    }
    let read = try game.connection.call(TraceRead.self, TraceRead.Params(sinceUs: toldUs))
    #expect(read.records.contains { $0.what == .unbegun && $0.kind == .sound && $0.detail == "calledOff" })
  }

  @Test func whatASwitchSkipsEndsWithThatAndWhatItLetsComeIsHeard() throws {
    defer { removeDirectory(directory) }
    for comesBack in [false, true] {
      let asked = game.nowUs + 90_000
      let played = try game.connection.call(SoundPlay.self, SoundPlay.Params(sound: "sfx_click", atUs: asked))
      let touch = try game.connection.call(HapticsPlay.self, HapticsPlay.Params(pattern: "thud", atUs: asked))
      _ = try game.step(to: asked - 70_000)
      _ = try game.connection.call(SettingsSet.self, SettingsSet.Params(sound: false, haptics: false))
      _ = try game.step(to: asked - 50_000)
      if comesBack { _ = try game.connection.call(SettingsSet.self, SettingsSet.Params(sound: true, haptics: true)) }
      _ = try game.step(to: asked + 400_000)
      let sound = try outcome(.sound, played.id)
      let felt = try outcome(.haptics, touch.player)
      #expect(Set(sound.map(\.stage)) == (comesBack ? [.rendered, .heard] : [.skipped]), "\(sound)")
      #expect(felt.map(\.stage) == (comesBack ? [.written] : [.skipped]), "\(felt)")
      let at = sound.last { $0.stage != .rendered }?.toUs ?? 0
      #expect(abs(at - asked) <= 21)
      _ = try game.connection.call(SettingsSet.self, SettingsSet.Params(sound: true, haptics: true))
    }
  }

  @Test func musicThatIsCalledOffIsNotHeard() throws {
    defer { removeDirectory(directory) }
    let asked = game.nowUs + 90_000
    let first = try game.connection.call(MusicPlay.self, MusicPlay.Params(track: "main", atUs: asked))
    let second = try game.connection.call(MusicPlay.self, MusicPlay.Params(track: "main", atUs: asked))
    _ = try game.step(to: asked - 60_000)
    _ = try game.connection.call(MusicCancel.self, MusicCancel.Params(plan: first.plan))
    let touch = try game.connection.call(HapticsPlay.self, HapticsPlay.Params(pattern: "thud", atUs: asked))
    _ = try game.connection.call(HapticsStop.self, HapticsStop.Params(player: touch.player))
    _ = try game.step(to: asked + 300_000)
    #expect(try outcome(.music, first.plan).map(\.stage) == [.calledOff])
    #expect(Set(try outcome(.music, second.plan).map(\.stage)) == [.rendered, .heard])
    #expect(try outcome(.haptics, touch.player).map(\.stage) == [.calledOff])
  }

  @Test func whatExplainAsksForIsPrintedByThoseThatPlay() throws {
    defer { removeDirectory(directory) }
    let socket = game.daemon.socketPath
    let music = try runTool(["music", "play", "main"], keeping: .output, socket: socket).text
    #expect(music.contains("starlight-sync:main (plan "), "\(music)")
    let plan = try #require(music.firstMatch(of: /plan (\d+)/)?.1)
    #expect(try explain(.music, Int64(plan)).kind == .music)
    for arguments in [["music", "gain", "0.5"], ["music", "stop"]] {
      let text = try runTool(arguments, keeping: .output, socket: socket).text
      #expect(text.contains("(plan "), "\(text)")
    }
    let touch = try runTool(["haptics", "play", "thud", "--detach"], keeping: .output, socket: socket).text
    let player = try #require(touch.firstMatch(of: #/thud \(player (\d+)\D/#)?.1, "\(touch)")
    #expect(try explain(.haptics, Int64(player)).kind == .haptics)
  }

  @Test func whatIsNotKnownIsRefused() throws {
    defer { removeDirectory(directory) }
    #expect(try errorKind { _ = try explain() } == "unavailable")
    #expect(try errorKind { _ = try explain(.cue, 7) } == "unavailable")
    #expect(try errorKind { _ = try explain(nil, 7) } == "invalidParams")
    let text = try runTool(["explain", "cue", "7"], socket: game.daemon.socketPath)
    #expect(text.code == 1 && text.output.contains("no record of cue 7 is left, or there was none"), "\(text)")
  }
}
