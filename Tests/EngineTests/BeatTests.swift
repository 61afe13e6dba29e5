// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing
import Timing
import Wire

@testable import Engine

/// The beats of the music as clients are told. `main` has 120 beats a minute, four to a bar, and its clock is the fixture's.
@Suite struct BeatTests {
  /// What is told from a call of the engine on, method and what matters of it.
  private func told(_ actions: [EngineAction]) -> [String] {
    actions.compactMap { action in
      guard case .notify(let notification, _) = action, notification.topic == .beats,
        case .notification(let method, _, let tUs, let params)? = ServerMessage(line: notification.line(seq: 1))
      else { return nil }
      let word = String(method.dropFirst("music.".count))
      if let beat = try? decodeJSON(MusicBeatAhead.self, from: params) {
        return "\(word) \(beat.beat)/\(beat.count) for \(beat.beatUs) at \(tUs)"
      }
      if let beat = try? decodeJSON(MusicBeat.self, from: params) {
        return "\(word) \(beat.beat)/\(beat.count) \(beat.bar).\(beat.beatInBar) at \(tUs)"
      }
      if let beat = try? decodeJSON(MusicBeatRecalled.self, from: params) {
        return "\(word) \(beat.beat)/\(beat.count) for \(beat.beatUs) at \(tUs)"
      }
      if let marker = try? decodeJSON(MusicMarkerAhead.self, from: params) {
        return "\(word) \(marker.marker) for \(marker.markerUs) at \(tUs)"
      }
      if let marker = try? decodeJSON(MusicMarker.self, from: params) { return "\(word) \(marker.marker) at \(tUs)" }
      return word
    }
  }

  private func playing(
    at start: Int64 = 1_200_000, rate: Int = 48_000, change: (inout Catalog.Pack) throws -> Void = { _ in }
  ) throws -> EngineFixture {
    var fixture = try EngineFixture(rate: rate, change: change)
    fixture.engine.tellsBeats = true
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: start), by: .daemon)
    return fixture
  }

  @Test func eachBeatIsToldAheadAndHandedOutForItsInstant() throws {
    var fixture = try playing()
    #expect(
      told(fixture.run(to: 2_300_000)) == [
        "beatAhead 0/0 for 1200000 at 1010000", "beat 0/0 0.0 at 1200000",
        "beatAhead 1/1 for 1700000 at 1400000", "beat 1/1 0.1 at 1700000",
        "beatAhead 2/2 for 2200000 at 1900000", "beat 2/2 0.2 at 2200000",
      ])
  }

  @Test func nothingIsLookedForWhileNobodyListens() throws {
    var fixture = try playing()
    fixture.engine.tellsBeats = false
    #expect(told(fixture.run(to: 2_300_000)) == [])
    #expect(fixture.engine.beatsDeadline == nil)
    // Whoever comes in is told what is in sight from then on.
    fixture.engine.tellsBeats = true
    #expect(
      told(fixture.run(to: 2_800_000)) == ["beatAhead 3/3 for 2700000 at 2400000", "beat 3/3 0.3 at 2700000"])
  }

  @Test func silenceHasNoDeadline() throws {
    var fixture = try EngineFixture()
    fixture.engine.tellsBeats = true
    _ = fixture.run(to: 1_100_000)
    #expect(fixture.engine.beatsDeadline == nil)
  }

  @Test func whatWillNotBeHeardIsRecalledWithWhatWasHandedOut() throws {
    var fixture = try playing()
    _ = fixture.run(to: 1_500_000)
    // The beat of 1.7 s was handed out at 1.45 s.
    _ = try fixture.engine.stopMusic(FadeParams(fadeUs: 100_000), by: .daemon)
    fixture.engine.followBeats()
    let actions = fixture.engine.takeActions()
    #expect(told(actions) == ["beatRecalled 1/1 for 1700000 at 1500000"])
    let recalled = actions.compactMap { action -> String? in
      if case .notify(let notification, _) = action { notification.recalls } else { nil }
    }
    #expect(recalled.count == 1)
    #expect(told(fixture.run(to: 2_500_000)) == [])
  }

  @Test func underAStopTheOldTrackHasBeatsToItsFadesEnd() throws {
    var fixture = try playing()
    _ = fixture.run(to: 1_500_000)
    _ = try fixture.engine.stopMusic(FadeParams(fadeUs: 1_000_000), by: .daemon)
    // The beat of 1.7 s was handed out before, and stays.
    #expect(
      told(fixture.run(to: 4_000_000)) == ["beatAhead 2/2 for 2200000 at 1900000", "beat 2/2 0.2 at 2200000"])
  }

  @Test func underAStopTheBeatsThatAreToldCanBeWaitedFor() throws {
    var fixture = try playing { $0.manifest.tracks["main"]?.markers = ["drop": .milliseconds(800)] }
    _ = fixture.run(to: 1_500_000)
    _ = try fixture.engine.stopMusic(FadeParams(fadeUs: 1_000_000), by: .daemon)
    _ = fixture.run(to: 1_800_000)
    #expect(fixture.engine.musicStatus().position?.nextBeatUs == 2_200_000)
    #expect(try waiting(for: .beat, in: &fixture) == 2_200_000)
    #expect(try waiting(for: Quantise(rawValue: "drop"), in: &fixture) == 2_000_000)
    // The next bar, of 3.2 s, is behind the fade's end, at 2.51 s.
    let refused = #expect(throws: RPCError.self) { try waiting(for: .bar, in: &fixture) }
    #expect(refused?.data.kind == "unavailable")
    #expect(refused?.message == "there is no bar to wait for: game:main does not come to one any more")
    _ = fixture.run(to: 2_600_000)
    let silent = #expect(throws: RPCError.self) { try waiting(for: .beat, in: &fixture) }
    #expect(silent?.message == "there is nothing to wait for: no track is playing")
  }

  @Test(arguments: [("mute", "music.resume"), ("pause", "settings.set")])
  func aTrackThatIsPausedSaysSoAndWhatToDo(muted: String, instead: String) throws {
    var fixture = try EngineFixture(muted: muted)
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 1_200_000), by: .daemon)
    _ = fixture.run(to: 1_250_000)
    if muted == "mute" {
      _ = try fixture.engine.pauseMusic(FadeParams(fadeUs: 5_000), by: .daemon)
    } else {
      _ = try fixture.engine.changeSettings(SettingsSet.Params(music: false), by: .daemon)
    }
    _ = fixture.run(to: 2_000_000)
    let refused = #expect(throws: RPCError.self) { try waiting(for: .beat, in: &fixture) }
    #expect(refused?.data.kind == "unavailable")
    #expect(refused?.message == "there is nothing to wait for: game:main is paused")
    #expect(refused?.data.hint?.contains(instead) == true, "\(refused?.data.hint ?? "")")
  }

  /// When a cue would come, which is not fired: it would change the music itself.
  private func waiting(for word: Quantise, in fixture: inout EngineFixture) throws -> Int64 {
    var fixture = fixture
    return try fixture.engine.fireCue(CueFire.Params(cue: "lock", quantise: word), by: .daemon).scheduledUs
  }

  @Test func theTempoIsThatAtWhichTheTrackIsPlayed() throws {
    var fixture = try EngineFixture()
    let started = try fixture.engine.startChapter(RhythmStart.Params(chapter: "tap", rate: 0.75), by: .daemon)
    _ = fixture.run(to: started.startUs + 500_000)
    let status = fixture.engine.musicStatus()
    #expect(status.bpm == 90 && status.position?.bpm == 90)
  }

  @Test func theIncomingTrackLeadsFromItsFadesFirstFrame() throws {
    var fixture = try playing()
    _ = fixture.run(to: 1_300_000)
    _ = try fixture.engine.playMusic(
      MusicPlay.Params(track: "main", atUs: 1_650_000, crossfadeUs: 1_000_000, positionUs: 900_000), by: .daemon)
    // Of the old one nothing is told any more, though it fades until 2.65 s.
    #expect(
      told(fixture.run(to: 2_300_000)) == [
        "beatAhead 2/2 for 1750000 at 1450000", "beat 2/2 0.2 at 1750000",
        "beatAhead 3/3 for 2250000 at 1950000", "beat 3/3 0.3 at 2250000",
      ])
  }

  @Test func aLoopRepeatsTheBeatAndTheCountRises() throws {
    // From 1.2 s back to 0.3 s of the track: beats 1 and 2 come again, 0.4 s after the last.
    var fixture = try playing { pack in
      pack.tracks["main"] = TrackInfo(
        frames: 480_000, loop: LoopRegion(start: 14_400, end: 57_600), headFrames: 480_000)
    }
    #expect(
      told(fixture.run(to: 3_200_000)).filter { $0.hasPrefix("beat ") } == [
        "beat 0/0 0.0 at 1200000", "beat 1/1 0.1 at 1700000", "beat 2/2 0.2 at 2200000",
        "beat 1/3 0.1 at 2600000", "beat 2/4 0.2 at 3100000",
      ])
    let position = try #require(fixture.engine.musicStatus().position)
    #expect(position.beat == 2 && position.count == 4 && abs(position.phase - 0.2) < 1e-6)
    #expect(position.nextBeatUs == 3_500_000)
  }

  @Test func aLoopThatEndsOnABeatHasThatOneOnce() throws {
    // 85 beats a minute: 8 of them are 271 058.8 frames, and the loop has 271 059.
    var fixture = try EngineFixture { pack in
      pack.manifest.tracks["main"]?.bpm = 85
      pack.tracks["main"] = TrackInfo(
        frames: 271_059, loop: LoopRegion(start: 0, end: 271_059), headFrames: 271_059)
    }
    fixture.engine.tellsBeats = true
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: 1_200_000), by: .daemon)
    let beats = told(fixture.run(to: 8_000_000)).filter { $0.hasPrefix("beat ") }
    #expect(beats.count == 10)
    #expect(beats[8] == "beat 0/8 0.0 at 6847063")
  }

  @Test func whilePausedThereAreNoneAndTheyGoOnInPhase() throws {
    var fixture = try playing()
    _ = fixture.run(to: 1_250_000)
    _ = try fixture.engine.pauseMusic(FadeParams(atUs: 1_300_000, fadeUs: 5_000), by: .daemon)
    #expect(told(fixture.run(to: 2_000_000)) == [])
    let position = try #require(fixture.engine.musicStatus().position)
    #expect(position.beat == 0 && abs(position.phase - 0.21) < 1e-6 && position.nextBeatUs == nil)
    #expect(fixture.engine.beatsDeadline == nil)
    _ = try fixture.engine.resumeMusic(FadeParams(atUs: 2_100_000, fadeUs: 5_000), by: .daemon)
    // 0.395 s were left of the beat.
    #expect(told(fixture.run(to: 2_600_000)).last == "beat 1/1 0.1 at 2495000")
  }

  @Test func whatIsHeardAtOtherInstantsIsToldAnew() throws {
    var fixture = try playing()
    _ = fixture.run(to: 1_500_000)
    // 480 frames of the device were lost: all is heard 10 ms later.
    fixture.output.timeline = AudioTimeline(frame: 0, instant: Instant(microseconds: 1_010_000), rate: 48_000)
    fixture.engine.advance()
    #expect(
      told(fixture.engine.takeActions()) == [
        "beatRecalled 1/1 for 1700000 at 1500000", "beatAhead 1/1 for 1710000 at 1500000", "beat 1/1 0.1 at 1710000",
      ])
  }

  /// An xrun, the device's going, another that comes in its place and runs fast, another xrun: the track loops meanwhile.
  @Test func beatsStayInPhaseWithWhatIsHeardThroughTheLossOfADevice() throws {
    var fixture = try playing()
    let whole = 1e9 / 48_000
    let corrections: [(fromUs: Int64, lost: Int64, nanosecondsPerFrame: Double)] = [
      (1_500_000, 480, whole), (3_200_000, 1_790, whole), (4_903_000, 23, whole * (1 - 200e-6)),
      (9_000_000, 96, whole * (1 - 200e-6)),
    ]
    var timeline = AudioTimeline(frame: 0, instant: Instant(microseconds: 1_000_000), rate: 48_000)
    var lives = [(fromUs: Int64.min, timeline: timeline)]
    var lines: [String] = []
    for now in stride(from: 1_000_000, through: 13_000_000, by: 5_000) as StrideThrough<Int64> {
      for correction in corrections where (now - 5_000 + 1...now).contains(correction.fromUs) {
        let frame = timeline.frame(at: Instant(microseconds: now))
        // So many frames more have been mixed than were heard.
        timeline = AudioTimeline(
          frame: frame - correction.lost, instant: timeline.instant(ofFrame: frame),
          nanosecondsPerFrame: correction.nanosecondsPerFrame, errorBound: .zero)
        lives.append((now, timeline))
      }
      let instant = Instant(microseconds: now)
      fixture.output = Turn(
        now: instant, timeline: timeline, reachableFrame: timeline.frame(at: instant) + 480, hapticLead: .zero)
      fixture.engine.advance()
      lines += told(fixture.engine.takeActions())
    }
    // Each as it was handed out last, and by hand: a beat every 24,000 frames from frame 9,600 on, twenty a loop.
    for count in 0..<22 as Range<Int64> {
      let heard = lives.reversed().lazy.map { life in
        (life.fromUs, (life.timeline.instant(ofFrame: 9_600 + count * 24_000).nanoseconds + 999) / 1_000)
      }.first { $0.0 <= $0.1 }
      let expected = "beat \(count % 20)/\(count) \(count % 20 / 4).\(count % 4) at \(try #require(heard).1)"
      #expect(lines.last { $0.hasPrefix("beat \(count % 20)/\(count) ") } == expected)
    }
    #expect(lines.contains { $0.hasPrefix("beatRecalled") })
  }

  @Test func markersAreToldAndWaitedForByName() throws {
    var fixture = try playing { pack in
      pack.manifest.tracks["main"]?.markers = ["drop": .milliseconds(800), "intro": .zero]
      pack.tracks["main"] = TrackInfo(
        frames: 480_000, loop: LoopRegion(start: 24_000, end: 57_600), headFrames: 480_000)
    }
    let lines = told(fixture.run(to: 2_100_000))
    #expect(
      lines.filter { $0.contains("drop") } == ["markerAhead drop for 2000000 at 1700000", "marker drop at 2000000"])
    #expect(lines.contains("marker intro at 1200000"))
    let fired = try fixture.engine.fireCue(
      CueFire.Params(cue: "lock", quantise: Quantise(rawValue: "drop")), by: .daemon)
    // Behind the seam at 2.4 s, which leads to 0.5 s of the track.
    #expect(fired.scheduledUs == 2_700_000)
    let played = try fixture.engine.playMusic(
      MusicPlay.Params(track: "other", quantise: Quantise(rawValue: "drop")), by: .daemon)
    #expect(played.scheduledUs == 2_700_000)
  }

  @Test func aWordThatNamesNoMarkerIsRefusedWithTheNearest() throws {
    var fixture = try playing { $0.manifest.tracks["main"]?.markers = ["drop": .milliseconds(800), "intro": .zero] }
    _ = fixture.run(to: 1_300_000)
    let unknown = #expect(throws: RPCError.self) {
      try fixture.engine.fireCue(CueFire.Params(cue: "lock", quantise: Quantise(rawValue: "dorp")), by: .daemon)
    }
    #expect(unknown?.data.kind == "unknownName")
    #expect(unknown?.message == "no marker dorp in track game:main; did you mean drop?")
    fixture.output = EngineFixture.output(at: 1_300_000)
    // Looped as a whole it comes again; played once it does not.
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", crossfadeUs: 0, loop: false), by: .daemon)
    _ = fixture.run(to: 1_500_000)
    let gone = #expect(throws: RPCError.self) {
      try fixture.engine.fireCue(CueFire.Params(cue: "lock", quantise: Quantise(rawValue: "intro")), by: .daemon)
    }
    #expect(gone?.data.kind == "unavailable")
    #expect(gone?.message == "there is no intro to wait for: game:main does not come to one any more")
  }

  @Test func aTrackWithoutATempoHasNoBeats() throws {
    var fixture = try EngineFixture()
    fixture.engine.tellsBeats = true
    _ = try fixture.engine.playMusic(MusicPlay.Params(track: "other"), by: .daemon)
    #expect(told(fixture.run(to: 2_000_000)) == [])
    #expect(fixture.engine.musicStatus().position == nil)
  }

  /// 64 markers in 60 ms, round and round, would be told a thousand times a second, and told ahead as often.
  @Test(arguments: [(2_880, 64), (184_319, 64), (5_759, 2)])
  func markersThatLieTooCloseInALoopAreToldOnce(_ loop: (frames: Int64, markers: Int)) throws {
    var fixture = try playing { pack in
      pack.tracks["main"] = TrackInfo(
        frames: 480_000, loop: LoopRegion(start: 0, end: loop.frames), headFrames: 480_000)
      let names = (0..<loop.markers).map { ("m\($0)", Interval.microseconds(500 * Int64($0))) }
      pack.manifest.tracks["main"]?.markers = Dictionary(uniqueKeysWithValues: names)
    }
    let lines = told(fixture.run(to: 11_200_000))
    #expect(lines.filter { $0.hasPrefix("marker ") }.count == loop.markers)
    #expect(lines.filter { $0.hasPrefix("markerAhead ") }.count == loop.markers)
    // They can be waited for in every turn, and a seek brings them again.
    let earliest = fixture.output.earliestSound
    let at = try fixture.engine.quantised(nil, earliest: earliest, to: Quantise(rawValue: "m1")).at
    #expect(at - earliest <= .frames(loop.frames, rate: 48_000))
    _ = try fixture.engine.seekMusic(MusicSeek.Params(positionUs: 0), by: .daemon)
    let again = told(fixture.run(to: 15_000_000))
    #expect(again.filter { $0.hasPrefix("marker ") }.count == loop.markers)
  }

  @Test func markersAsFarApartAsTheFastestBeatsAreToldInEveryTurn() throws {
    var fixture = try playing { pack in
      pack.tracks["main"] = TrackInfo(
        frames: 480_000, loop: LoopRegion(start: 0, end: 5_760), headFrames: 480_000)
      pack.manifest.tracks["main"]?.markers = ["a": .zero, "b": .milliseconds(1)]
    }
    // 120 ms a turn, from 1.2 s on; 18 begin by when what is handed out at 3 s is heard.
    let lines = told(fixture.run(to: 3_000_000)).filter { $0.hasPrefix("marker ") }
    #expect(lines.count == 36)
    let ahead = told(fixture.run(to: 3_500_000)).filter { $0.hasPrefix("markerAhead ") }
    for line in ahead {
      let words = line.split(separator: " ").compactMap { Int64($0) }
      #expect(words.count == 2 && words[0] - words[1] >= 250_000, "\(line)")
    }
    #expect(!ahead.isEmpty)
  }

  /// 60 ms at any rate.
  @Test(arguments: [8_000, 44_100, 96_000, 192_000], [(59_900, 0), (60_100, 83)])
  func howShortALoopIsHangsOnNoRate(rate: Int, loop: (us: Int64, turns: Int)) throws {
    var fixture = try playing(rate: rate) { pack in
      let frames = Interval.microseconds(loop.us).frames(rate: rate)
      pack.tracks["main"] = TrackInfo(
        frames: 480_000, loop: LoopRegion(start: 0, end: frames), headFrames: 480_000)
      pack.manifest.tracks["main"]?.markers = ["a": .zero]
    }
    let lines = told(fixture.run(to: 1_200_000 + 83 * loop.us + 1_000))
    // What is handed out ahead is told too.
    let turns = lines.filter { $0.hasPrefix("marker ") }.count - 1
    #expect(loop.turns == 0 ? turns == 0 : turns >= loop.turns, "\(turns)")
  }

  @Test func aLoopShorterThanAnyBeatHasNone() throws {
    var fixture = try playing { pack in
      pack.tracks["main"] = TrackInfo(
        frames: 480_000, loop: LoopRegion(start: 24_000, end: 24_001), headFrames: 480_000)
    }
    // What lies before the loop is heard, and beat 1 in its only frame, once.
    let beats = told(fixture.run(to: 3_000_000)).filter { $0.hasPrefix("beat ") }
    #expect(beats == ["beat 0/0 0.0 at 1200000", "beat 1/1 0.1 at 1700000"])
  }
}
