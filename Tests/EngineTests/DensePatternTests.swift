// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// A pattern may name far more sounds than can be heard: what it costs is bounded whatever it holds.
@Suite struct DensePatternTests {
  private let me = ClientID(rawValue: 1)

  /// 300 tones of a millisecond, 5 us apart, over and over every 10 ms, of as many players as a client may have.
  private func playDensePatterns(in fixture: inout EngineFixture) throws {
    let events: [JSONValue] = (0..<300).map { index in
      .object([
        "Event": .object([
          "EventType": .string("AudioContinuous"), "Time": .number(Double(index) * 0.000005),
          "EventDuration": .number(0.001),
        ])
      ])
    }
    for _ in 0..<HapticBoard.mostPlayersOfAClient {
      let params = HapticsPlay.Params(
        ahap: .object(["Pattern": .array(events)]), loop: true, loopEndUs: 10_000)
      _ = try fixture.engine.playHaptics(params, by: Cause(client: me))
    }
  }

  /// What the mixer was told of, and is done with.
  private struct Voices {
    var begun = 0
    var steps = 0
    private var ends: [VoiceID: Int64] = [:]

    mutating func hear(_ actions: [EngineAction]) {
      for step in actions.audio {
        steps += 1
        switch step {
        case .start(let start):
          begun += 1
          ends[start.id] = .max
        case .command(.stop(let voice, let at, let fade)), .command(.end(let voice, let at, let fade)),
          .steer(.stop(let voice, let at, let fade)):
          ends[voice] = min(ends[voice] ?? .max, at + Int64(fade.frames))
        default: break
        }
      }
    }

    mutating func end(before frame: Int64, in engine: inout Engine) {
      for (voice, end) in ends where end < frame {
        engine.voiceFinished(voice, at: end, .stopped)
        ends[voice] = nil
      }
    }
  }

  private func run(_ fixture: inout EngineFixture, _ voices: inout Voices, to microseconds: Int64) -> [EngineAction] {
    var told: [EngineAction] = []
    while fixture.output.now.microseconds < microseconds {
      let actions = fixture.run(to: min(fixture.output.now.microseconds + 10_000, microseconds))
      voices.hear(actions)
      told += actions
      voices.end(before: fixture.output.timeline.frame(at: fixture.output.now), in: &fixture.engine)
      #expect(fixture.engine.holdings["sounds of patterns"] ?? 0 <= HapticAudioShares.mostVoicesLeaving)
    }
    return told
  }

  @Test func aSecondOfItTakesAsMuchAsCanBeHeard() throws {
    var fixture = try EngineFixture()
    var voices = Voices()
    try playDensePatterns(in: &fixture)
    let told = run(&fixture, &voices, to: 2_000_000)
    // 64 voices of one client at once, each for about the 110 ms from when it is planned until it is over.
    #expect((500...1_000).contains(voices.begun), "\(voices.begun)")
    #expect(voices.steps <= 4 * voices.begun, "\(voices.steps)")
    // In ten milliseconds no more than 33 of each player, of 4800.
    #expect(fixture.engine.patternSoundLooks <= 101 * 16 * 33, "\(fixture.engine.patternSoundLooks)")
    // Each player tells of each turn, and ten times a second that some of it is not heard.
    #expect(told.topics.count <= 16 * (102 + 11), "\(told.topics.count)")
  }

  @Test(arguments: [1, 2, 30] as [Int64]) func aLeapOfTheClockTakesNoMoreForBeingLong(seconds: Int64) throws {
    var fixture = try EngineFixture()
    var voices = Voices()
    try playDensePatterns(in: &fixture)
    _ = run(&fixture, &voices, to: 1_200_000)
    voices.end(before: .max - 1, in: &fixture.engine)
    let (looks, now) = (fixture.engine.patternSoundLooks, 1_200_000 + seconds * 1_000_000)
    fixture.output = EngineFixture.output(at: now)
    fixture.engine.advance()
    let actions = fixture.engine.takeActions()
    #expect(fixture.engine.patternSoundLooks - looks <= 16 * 96)
    #expect(actions.audio.count <= 4 * HapticAudioShares.mostVoicesLeaving, "\(actions.audio.count)")
    #expect(actions.topics.count <= 16 * (102 + 1), "\(actions.topics.count)")
    #expect(fixture.engine.holdings["sounds of patterns"] ?? 0 <= HapticAudioShares.mostVoicesLeaving)
    // The next turn is as cheap as any.
    let before = fixture.engine.patternSoundLooks
    fixture.output = EngineFixture.output(at: now + 10_000)
    fixture.engine.advance()
    #expect(fixture.engine.patternSoundLooks - before <= 16 * 33)
  }

  @Test func turnsByTheThousandAreToldTogetherEachAtItsInstant() throws {
    var fixture = try EngineFixture()
    // 32 clients' players, each of which begins anew every 10 ms at an instant of its own: 3,200 turns a second.
    for number in 1...32 as ClosedRange<UInt64> {
      let events = JSONValue.array([
        .object(["Event": .object(["EventType": .string("HapticTransient"), "Time": .number(0)])])
      ])
      _ = try fixture.engine.playHaptics(
        HapticsPlay.Params(
          ahap: .object(["Pattern": events]), atUs: 1_200_000 + 309 * Int64(number), loop: true, loopEndUs: 10_000),
        by: Cause(client: ClientID(rawValue: number), user: UInt32(number % 4)))
    }
    var (told, wakes) = ([OutgoingNotification](), 0)
    while let deadline = fixture.engine.nextDeadline, deadline.microseconds < 4_000_000 {
      fixture.output = EngineFixture.output(at: deadline.microseconds + 1)
      fixture.engine.advance()
      for case .notify(let notification, _) in fixture.engine.takeActions() where notification.topic == .haptics {
        told.append(notification)
      }
      // Of the second in which it is found that there are more than a thousand, each by itself.
      if deadline.microseconds > 3_000_000 { wakes += 1 }
    }
    // And the level, 8 times in 20 ms at most.
    #expect(wakes <= 1_000 + 50 * 8)
    let turns = told.map(\.tUs).filter { (3_000_000..<3_900_000).contains($0) }
    // Each of them, and what is felt 50 times a second.
    #expect((2_880...2_880 + 46).contains(turns.count), "\(turns.count)")
  }

  /// No tap is as strong as the one before: the level changes 177,000 times a second in each of the four.
  @Test func changesByTheHundredThousandWakeControlNoMoreOftenThanItTells() throws {
    let taps = (0..<1_950).map { index in
      #"{"Event": {"EventType": "HapticTransient", "Time": \#(Double(index) * 4e-6), "EventParameters": ["#
        + #"{"ParameterID": "HapticIntensity", "ParameterValue": \#(0.1 + Double(index % 9) / 10)}]}}"#
    }
    let text = #"{"Pattern": ["# + taps.joined(separator: ",") + "]}"
    var fixture = try EngineFixture { pack in
      pack.patterns["thud"] = HapticPattern(try AHAPDocument.parse(Array(text.utf8), name: "thud").0)
    }
    for number in 1...4 as ClosedRange<UInt64> {
      _ = try fixture.engine.playHaptics(
        HapticsPlay.Params(pattern: "thud", atUs: 1_100_000 + 2_500 * Int64(number), loop: true),
        by: Cause(client: ClientID(rawValue: number), user: 1_000))
    }
    func next() -> Instant? {
      let (deadline, telling) = fixture.engine.nextCalls()
      return [deadline, telling].compactMap(\.self).min()
    }
    var wakes = 0
    while let due = next(), due.microseconds < 4_000_000 {
      fixture.output = EngineFixture.output(at: max(due.microseconds, fixture.output.now.microseconds) + 1)
      fixture.engine.advance()
      _ = fixture.engine.takeActions()
      if due.microseconds > 3_000_000 { wakes += 1 }
    }
    // The turns of each, every 11 ms, and the level, 8 times in 20 ms at most.
    #expect((4 * 90...4 * 91 + 50 * 8).contains(wakes), "\(wakes)")
  }

  @Test func afterItIsStoppedNothingIsLeft() throws {
    var fixture = try EngineFixture()
    var voices = Voices()
    try playDensePatterns(in: &fixture)
    _ = run(&fixture, &voices, to: 1_500_000)
    fixture.engine.clientLeft(me)
    let begun = voices.begun
    _ = run(&fixture, &voices, to: 1_800_000)
    // None but those that were planned within the last turn.
    #expect(voices.begun == begun)
    #expect(fixture.engine.holdings.filter { $0.value != 0 } == [:])
  }

  @Test func whatBeganWhileControlStoodStillIsEnteredInItsMiddle() throws {
    let text = """
      {"Pattern": [
        {"Event": {"Time": 0.2, "EventType": "AudioContinuous", "EventDuration": 0.01}},
        {"Event": {"Time": 0.2, "EventType": "AudioContinuous", "EventDuration": 0.5}},
        {"Event": {"Time": 0.3, "EventType": "AudioContinuous", "EventDuration": 0.02}}]}
      """
    var fixture = try EngineFixture { pack in
      pack.patterns["thud"] = HapticPattern(try AHAPDocument.parse(Array(text.utf8), name: "thud").0)
    }
    _ = try fixture.engine.playHaptics(
      HapticsPlay.Params(pattern: "thud", atUs: 1_500_000), by: Cause(client: me))
    _ = fixture.run(to: 1_550_000)
    fixture.output = EngineFixture.output(at: 1_850_000)
    fixture.engine.advance()
    let starts = fixture.engine.takeActions().soundStarts
    // The second began at 1.7 s and is reached at 1.86 s; the third is due within the last 100 ms, and so not passed over.
    try #require(starts.count == 2)
    #expect(starts.map(\.at) == [41_280, 41_280] && starts.map(\.sourceFrame) == [7_680, 0])
    #expect(starts[0].fadeIn.frames == 240)
    // It ends where it would have.
    let stops = fixture.run(to: 2_300_000).audio.compactMap { step -> Int64? in
      if case .steer(.stop(starts[0].id, let at, _)) = step { at } else { nil }
    }
    #expect(stops == [57_600])
  }

  @Test func whatSoundsOnThroughAStallIsNotBegunTwice() throws {
    let text = #"{"Pattern": [{"Event": {"Time": 0, "EventType": "AudioContinuous", "EventDuration": 2}}]}"#
    var fixture = try EngineFixture { pack in
      pack.patterns["thud"] = HapticPattern(try AHAPDocument.parse(Array(text.utf8), name: "thud").0)
    }
    let player = try #require(
      try fixture.engine.playHaptics(HapticsPlay.Params(pattern: "thud"), by: Cause(client: me)).player)
    _ = fixture.run(to: 1_200_000)
    // While control stands still it is paused and goes on, by which its beginning would lie within the stall.
    _ = try fixture.engine.pauseHaptics(PlayerParams(player: player, atUs: 1_400_000), by: .daemon)
    _ = try fixture.engine.resumeHaptics(PlayerParams(player: player, atUs: 1_800_000), by: .daemon)
    _ = fixture.engine.takeActions()
    fixture.output = EngineFixture.output(at: 2_400_000)
    fixture.engine.advance()
    #expect(fixture.engine.takeActions().soundStarts.isEmpty)
  }
}
