// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Moments
import StarlightClient
import Testing
import Wire

/// `engine.pause` of the real daemon: all stands together, and goes on in place as if nothing had been.
@Suite struct PauseTests {
  private static let moments: [(name: String, pauses: [PausedPlay.Pause])] = [
    ("at once after what is planned was handed out", [.init(atUs: -30_000, lengthUs: 1_000_000)]),
    ("in a track's first frames", [.init(atUs: -6_000, lengthUs: 777_777)]),
    ("in a cross-fade and a duck, short streams", [.init(atUs: 1_262_345, lengthUs: 3_333_333)]),
    (
      "in the fade of a pause, and of a stop",
      [
        .init(atUs: 2_350_001, lengthUs: 50_000), .init(atUs: 2_700_000, lengthUs: 123_456),
      ]
    ),
    ("for no time at all", [.init(atUs: 700_000, lengthUs: 0), .init(atUs: 1_305_000, lengthUs: 0)]),
    ("again and again", (0..<12).map { .init(atUs: 150_000 * $0, lengthUs: 17_001 * $0) }),
    ("in what is felt", [.init(atUs: 600_000, lengthUs: 500_000), .init(atUs: 2_500_000, lengthUs: 90_000_000)]),
  ]

  @Test(arguments: 0..<7) func allGoesOnInPlaceToTheBitAndTheMicrosecond(_ moment: Int) throws {
    let (name, pauses) = Self.moments[moment]
    let plain = try PausedPlay().run()
    let paused = try PausedPlay().run(pauses)
    #expect(plain.end() == 0 && paused.end() == 0)
    #expect(paused.pauses.count == pauses.count)
    for (told, asked) in zip(paused.pauses, pauses) where asked.lengthUs > 0 {
      #expect(abs(told.movedUs - asked.lengthUs) < 12_000, "\(name)")
    }

    let expected = try plain.heard().samples
    let (heard, seams, isSilent) = try paused.heard()
    #expect(isSilent, "\(name)")
    let count = min(expected.count, heard.count)
    #expect(count > 4 * 48_000)
    let wrong = (0..<count).first { frame in
      heard[frame] != expected[frame] && !seams.contains { abs(frame - $0) <= 240 }
    }
    #expect(wrong == nil, "\(name): frame \(wrong ?? 0), seams \(seams)")
    // In the ramps it is no louder than without.
    for seam in seams {
      for frame in max(0, seam - 240)..<seam + 240 { #expect(abs(heard[frame]) <= abs(expected[frame])) }
    }

    #expect(try paused.felt() == felt(try plain.felt(), with: paused.pauses), "\(name)")
    #expect(paused.events() == plain.events(), "\(name)")
  }

  /// The lines of the haptic log as pauses make them of those without: silence where it stands, and the last level where
  /// it goes on.
  private func felt(_ lines: [String], with pauses: [PausedPlay.Told]) throws -> [String] {
    struct Line: Decodable {
      var tUs: Int64
      var intensity: Double
    }
    var result = lines
    for pause in pauses {
      let instants = try result.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      let split = instants.firstIndex { $0.tUs >= pause.atUs } ?? result.count
      var (before, after) = (Array(result[..<split]), Array(result[split...]))
      for index in after.indices {
        let at = instants[split + index].tUs
        after[index] = after[index].replacing("\"tUs\":\(at),", with: "\"tUs\":\(at + pause.movedUs),")
      }
      if split > 0, instants[split - 1].intensity > 0 {
        let last = result[split - 1].replacing(
          "\"tUs\":\(instants[split - 1].tUs),", with: "\"tUs\":\(pause.atUs + pause.movedUs),")
        before.append("{\"tUs\":\(pause.atUs),\"intensity\":0,\"sharpness\":0,\"source\":null}")
        before.append(last)
      }
      result = before + after
    }
    return result
  }

  @Test func aChapterIsJudgedAsIfNothingHadBeen() throws {
    func play(pausing: Bool) throws -> [String] {
      let game = try SteppedGame()
      let chapter = try PlayedChapter(game)
      var moved: Int64 = 0
      var result: [String] = []
      func tap(_ beat: Int, _ error: Int64, atOnce: Bool = true) throws {
        let at = chapter.beat(beat) + error + moved
        if atOnce { try game.step(to: at) }
        let tapped = try game.tap(FirewallTests.lanes[beat % 3], at: at)
        result.append("\(tapped.verdict) \(tapped.beat ?? -1) \(tapped.errorUs ?? -1) \(tapped.tapUs - moved)")
      }
      try tap(0, 3_000)
      // Paused 40 ms after a tap that is told only then: its grace is not over, and stands.
      try game.step(to: chapter.beat(1) + 150_000)
      if pausing {
        let paused = try game.connection.call(EnginePause.self, Empty())
        try game.step(to: game.nowUs + 5_000_000)
        try tap(1, 149_999, atOnce: false)
        #expect(try errorKind { _ = try game.tap("top", at: paused.atUs) } == "paused")
        #expect(try errorKind { _ = try game.tap("top", at: game.nowUs) } == "paused")
        #expect(
          try errorKind { _ = try game.connection.call(RhythmTap.self, RhythmTap.Params(lane: "top")) } == "paused")
        let standing = try game.connection.call(RhythmStatus.self, Empty()).positionUs
        try game.step(to: game.nowUs + 1_000_000)
        #expect(try game.connection.call(RhythmStatus.self, Empty()).positionUs == standing)
        moved = try #require(try game.connection.call(EngineResume.self, Empty()).movedUs)
      } else {
        try tap(1, 149_999, atOnce: false)
      }
      for beat in 2..<31 where beat % 4 != 0 { try tap(beat, Int64(beat) * 1_000 - 20_000) }
      result += try game.step(to: chapter.startUs + moved + 46_000_000).compactMap { told in
        guard let complete = try told.decode(as: RhythmComplete.self) else { return nil }
        return "\(told.tUs - moved) \(complete)"
      }
      return result
    }
    let plain = try play(pausing: false)
    #expect(plain.count == 2 + 22 + 1)
    #expect(try play(pausing: true).map { $0 } == plain)
  }

  @Test func beatsComeAsMuchLaterAsItStood() throws {
    let game = try SteppedGame()
    let chapter = try PlayedChapter(game)
    var told = try game.step(to: chapter.beat(2) - 100_000)
    let paused = try game.connection.call(EnginePause.self, Empty())
    let meanwhile = try game.step(to: game.nowUs + 30_000_000)
    #expect(try meanwhile.all(RhythmBeat.self).isEmpty && meanwhile.all(RhythmSpawn.self).isEmpty)
    #expect(try meanwhile.all(EnginePaused.self).map(\.tUs) == [paused.atUs])
    let resumed = try game.connection.call(EngineResume.self, Empty())
    told += try game.step(to: game.nowUs + 5_000_000)
    let moved = try #require(resumed.movedUs)
    let on = try told.all(EngineResumed.self)
    #expect(on.map(\.tUs) == [paused.atUs + moved] && on.map(\.payload.movedUs) == [moved])
    #expect(
      try told.all(RhythmBeat.self).prefix(5).map(\.tUs) == (0..<5).map { chapter.beat($0) + ($0 < 2 ? 0 : moved) })
    // Those in sight before were told for the time of before.
    for spawn in try told.all(RhythmSpawn.self).prefix(6) {
      let wasTold = spawn.tUs < paused.atUs
      #expect(spawn.payload.beatUs == chapter.beat(spawn.payload.beat) + (wasTold ? 0 : moved))
    }
  }

  @Test func eachHolderLetsGoOfItsOwnAndAClientsEndsWithIt() throws {
    let game = try SteppedGame()
    var other: StarlightConnection? = try game.daemon.connect()
    let first = try game.connection.call(EnginePause.self, Empty())
    try game.step(to: game.nowUs + 100_000)
    let second = try #require(other).call(EnginePause.self, Empty())
    #expect(second == PauseState(atUs: first.atUs, clients: 2, sleep: false))
    #expect(try game.connection.call(EnginePause.self, Empty()) == second, "a client holds it once")
    #expect(try game.connection.call(EngineStatus.self, Empty()).paused == second)
    let stays = try game.connection.call(EngineResume.self, Empty())
    #expect(stays.paused == PauseState(atUs: first.atUs, clients: 1, sleep: false) && stays.movedUs == nil)
    #expect(try errorKind { _ = try game.connection.call(EngineResume.self, Empty()) } == "notRunning")
    #expect(try game.drain().all(EngineResumed.self).isEmpty)
    other = nil
    var told: [ReceivedNotification] = []
    while told.isEmpty { told = try game.step(to: game.nowUs + 1_000).filter { $0.method == EngineResumed.name } }
    #expect(try game.connection.call(EngineStatus.self, Empty()).paused == nil)
  }

  @Test func whilePausedInstantsAreRefusedAndStopsAndSettingsWork() throws {
    let game = try SteppedGame()
    let call = game.connection
    _ = try call.call(MusicPlay.self, .init(track: "main"))
    let sound = try call.call(SoundPlay.self, .init(sound: "sfx_click", loop: true))
    try game.step(to: game.nowUs + 500_000)
    _ = try call.call(EnginePause.self, Empty())
    try game.step(to: game.nowUs + 500_000)
    let status = try call.call(MusicStatus.self, Empty())
    #expect(status.state == .paused && status.pausedBy == [.engine])
    #expect(
      try errorKind { _ = try call.call(SoundPlay.self, .init(sound: "sfx_click", atUs: game.nowUs)) } == "paused")
    #expect(try errorKind { _ = try call.call(MusicStop.self, .init(atUs: game.nowUs + 1)) } == "paused")
    #expect(try call.call(SettingsSet.self, SettingsSet.Params(musicVolume: 0.5)).musicVolume == 0.5)
    _ = try call.call(SoundStop.self, .init(id: sound.id, fadeUs: 0))
    try game.step(to: game.nowUs + 500_000)
    #expect(try call.call(MusicStatus.self, Empty()).positionUs == status.positionUs)
    #expect(try call.call(ClockNow.self, Empty()).nowUs == game.nowUs)
    let resumed = try #require(try call.call(EngineResume.self, Empty()).resumedUs)
    let told = try game.step(to: game.nowUs + 500_000).all(SoundFinished.self)
    #expect(told.map(\.payload.id) == [sound.id])
    // It is reached a look-ahead after all goes on, and fades for 5 ms.
    #expect(told.allSatisfy { (resumed...resumed + 8_000).contains($0.tUs) })
    #expect(try call.call(MusicStatus.self, Empty()).state == .playing)
  }

  @Test func whatIsStoppedWhilePausedIsNotHeardOrFeltAgain() throws {
    let folder = try makeTemporaryDirectory()
    defer { removeDirectory(folder) }
    let game = try SteppedGame(["--record", folder + "/heard.wav", "--haptic-log", folder + "/felt.ndjson"])
    let call = game.connection
    let beganUs = game.nowUs
    _ = try call.call(MusicPlay.self, .init(track: "main"))
    _ = try call.call(HapticsContinuous.self, .init(durationUs: 20_000_000))
    try game.step(to: game.nowUs + 500_000)
    // Whoosh and finale at once, sound and touch a quarter of a second later: of none of them anything has begun.
    let breach = try #require(
      try call.call(CueFire.self, .init(cue: "firewall-breach", atUs: game.nowUs + 1_000_000)).id)
    let paused = try call.call(EnginePause.self, Empty())
    try game.step(to: game.nowUs + 500_000)
    let released = try call.call(CueStop.self, .init(id: breach))
    #expect(released.calledOff.count == 4 && released.stopped.isEmpty && released.tooLate.isEmpty, "\(released)")
    _ = try call.call(MusicStop.self, .init(fadeUs: 5_000))
    _ = try call.call(HapticsStop.self, .init())
    try game.step(to: game.nowUs + 500_000)
    let resumed = try #require(try call.call(EngineResume.self, Empty()).resumedUs)
    let told = try game.step(to: game.nowUs + 5_000_000)
    #expect(try told.all(CueFired.self).isEmpty)
    #expect(try told.all(MusicChanged.self).map(\.payload.change) == [.stopped])
    #expect(try call.call(MusicStatus.self, Empty()).state == .stopped)
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 0)
    let heard = try WaveFile(folder + "/heard.wav").channel(0)
    // A look-ahead after all goes on it is reached, and fades for 5 ms.
    let silent = Int((resumed - beganUs) * 48 / 1_000) + 48 * 13
    #expect(heard.count > silent + 4 * 48_000 && heard[silent...].allSatisfy { $0 == 0 })
    #expect(heard[..<Int((paused.atUs - beganUs) * 48 / 1_000 - 240)].contains { $0 > 0.2 })
    struct Line: Decodable {
      var tUs: Int64
      var intensity: Double
    }
    let felt = try String(contentsOfFile: folder + "/felt.ndjson", encoding: .utf8).split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(felt.contains { $0.tUs < paused.atUs && $0.intensity > 0 })
    #expect(!felt.contains { $0.tUs > resumed + 13_000 && $0.intensity > 0 } && felt.last?.intensity == 0)
  }

  @Test func aChapterThatIsStoppedWhilePausedIsOver() throws {
    let game = try SteppedGame()
    let chapter = try PlayedChapter(game)
    var told = try game.step(to: chapter.beat(1) - 100_000)
    _ = try game.connection.call(EnginePause.self, Empty())
    told += try game.step(to: game.nowUs + 1_000_000)
    let stopped = try game.connection.call(RhythmStop.self, Empty())
    #expect(!stopped.running)
    #expect(try errorKind { _ = try game.connection.call(RhythmStop.self, Empty()) } == "notRunning")
    told += try game.step(to: game.nowUs + 1_000_000)
    _ = try game.connection.call(EngineResume.self, Empty())
    told += try game.step(to: game.nowUs + 5_000_000)
    #expect(try told.all(RhythmBeat.self).map(\.payload.beat) == [0])
    #expect(try told.all(RhythmComplete.self).map(\.payload.stopped) == [true])
    #expect(try game.connection.call(MusicStatus.self, Empty()).state == .stopped)
  }

  @Test func aDaemonThatIsPausedEndsAtOnceAndTellsWhatItCallsOff() throws {
    let game = try SteppedGame()
    _ = try game.connection.call(MusicPlay.self, .init(track: "main"))
    let planned = try game.connection.call(MusicPlay.self, .init(track: "finale", atUs: game.nowUs + 3_000_000))
    try game.step(to: game.nowUs + 500_000)
    _ = try game.connection.call(EnginePause.self, Empty())
    try game.step(to: game.nowUs + 500_000)
    game.daemon.signal(SIGTERM)
    #expect(game.daemon.wait() == 0)
    var told: [ReceivedNotification] = []
    while let last = try? game.connection.nextNotification(timeoutUs: 0) { told.append(last) }
    let cancelled = try told.all(MusicCancelled.self)
    #expect(cancelled.map(\.payload.plan) == [planned.plan] && cancelled.first?.payload.reason == .shutdown)
  }

  /// Live, without a device: what was told comes as much later as it stood, to the thread that sends it.
  @Test func liveTooAllGoesOnInPlace() throws {
    let directory = try makeTemporaryDirectory()
    defer { removeDirectory(directory) }
    let daemon = try DaemonProcess(
      ["--device", "none", "--haptic-log", directory + "/felt.ndjson"], packs: try TestPack.make(in: directory))
    let call = try daemon.connect()
    _ = try call.call(EventsSubscribe.self, EventsSubscribe.Params(topics: [.rhythm, .engine]))
    let started = try call.call(RhythmStart.self, RhythmStart.Params(chapter: "firewall"))
    let buzz = try call.call(HapticsContinuous.self, .init(durationUs: 2_000_000))
    func position() throws -> Int64 { try call.call(RhythmStatus.self, Empty()).positionUs ?? .min }
    while try position() < 300_000 { usleep(10_000) }
    let paused = try call.call(EnginePause.self, Empty())
    usleep(700_000)
    let resumed = try call.call(EngineResume.self, Empty())
    let moved = try #require(resumed.movedUs)
    #expect(moved > 600_000 && resumed.resumedUs == paused.atUs + moved)
    var beats: [Int64] = []
    while beats.isEmpty {
      let told = try #require(try call.nextNotification(timeoutUs: 20_000_000))
      if try told.decode(as: RhythmBeat.self) != nil { beats.append(told.tUs) }
    }
    #expect(beats == [started.startUs + FirewallTests.firstBeat + moved])
    #expect(try call.call(ClockNow.self, Empty()).nowUs >= beats[0])
    struct Line: Decodable {
      var tUs: Int64
      var intensity: Double
    }
    let lines = try String(contentsOfFile: directory + "/felt.ndjson", encoding: .utf8).split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    #expect(
      lines.map(\.tUs).prefix(3) == [buzz.scheduledUs, paused.atUs, paused.atUs + moved]
        && lines.map { $0.intensity > 0 }.prefix(3) == [true, false, true], "\(lines)")
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
  }
}
