// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Mixing
import Testing
import Timing
import Wire

@testable import Engine

/// The voices that patterns' sounds take: of whoever has most another finds one, and what is not heard is told.
@Suite struct PatternVoiceShareTests {
  private let hog = Cause(client: ClientID(rawValue: 1), user: 1)
  private let other = Cause(client: ClientID(rawValue: 2), user: 2)

  /// Tones of a length, in microseconds as their places.
  private func tones(_ times: [Int64], lengthUs: Int64, brightness: Double = 1) -> JSONValue {
    .object([
      "Pattern": .array(
        times.map { time in
          .object([
            "Event": .object([
              "EventType": .string("AudioContinuous"), "Time": .number(Double(time) / 1e6),
              "EventDuration": .number(Double(lengthUs) / 1e6),
              "EventParameters": .array([
                .object(["ParameterID": .string("AudioBrightness"), "ParameterValue": .number(brightness)])
              ]),
            ])
          ])
        })
    ])
  }

  @discardableResult
  private func play(
    _ document: JSONValue, by cause: Cause, atUs: Int64, loopEndUs: Int64? = nil, on stage: inout Stage
  ) throws -> Int64 {
    let params = HapticsPlay.Params(ahap: document, atUs: atUs, loop: loopEndUs != nil, loopEndUs: loopEndUs)
    return try #require(try stage.fixture.engine.playHaptics(params, by: cause).player)
  }

  /// What was told up to an instant, with a mixer behind it: a voice that was stopped or called off is over a moment later.
  private struct Stage {
    var fixture: EngineFixture
    private(set) var ends: [VoiceID: Int64] = [:]

    init() throws { fixture = try EngineFixture() }

    mutating func run(to microseconds: Int64) -> [EngineAction] {
      var actions = fixture.engine.takeActions()
      hear(actions)
      while fixture.output.now.microseconds < microseconds {
        let told = fixture.run(to: min(fixture.output.now.microseconds + 10_000, microseconds))
        actions += told
        hear(told)
        let heard = fixture.output.timeline.frame(at: fixture.output.now)
        for (voice, end) in ends where end < heard {
          ends[voice] = nil
          fixture.engine.voiceFinished(voice, at: end, .stopped)
        }
      }
      return actions
    }

    private mutating func hear(_ actions: [EngineAction]) {
      for step in actions.audio {
        switch step {
        case .steer(.stop(let voice, let at, let fade)), .command(.stop(let voice, let at, let fade)):
          ends[voice] = at + Int64(fade.frames)
        case .steer(.bringBack(let voice, _, _)), .steer(.retract(let voice, _)): ends[voice] = nil
        default: break
        }
      }
    }
  }

  /// What was told to be unheard, with its instants.
  private func unheard(_ actions: [EngineAction]) -> [(tUs: Int64, told: HapticsUnheard)] {
    actions.lines.compactMap { line in
      guard case .notification(HapticsUnheard.name, _, let tUs, let params)? = ServerMessage(line: Array(line.utf8)),
        let told = try? decodeJSON(HapticsUnheard.self, from: params)
      else { return nil }
      return (tUs, told)
    }
  }

  private func starts(_ actions: [EngineAction], of cause: Cause) -> [VoiceStart<NamedSource>] {
    actions.soundStarts.filter { $0.owner == cause.client.rawValue }
  }

  /// Tones that begin 100 us apart and last a minute.
  private func hoard(_ count: Int64) -> JSONValue { tones((0..<count).map { $0 * 100 }, lengthUs: 60_000_000) }

  @Test func whoeverHasMostGivesItsOldestUpForAnother() throws {
    var stage = try Stage()
    let player = try play(hoard(32), by: hog, atUs: 1_100_000, on: &stage)
    let taken = stage.run(to: 1_500_000)
    #expect(taken.soundStarts.count == 32 && unheard(taken).isEmpty)
    try play(tones([0, 100_000, 200_000], lengthUs: 600_000), by: other, atUs: 2_000_000, on: &stage)
    let actions = stage.run(to: 2_250_000)
    #expect(starts(actions, of: other).map(\.at) == [48_000, 52_800, 57_600])
    // The three that began first, at the frames at which the others begin.
    let stops = actions.audio.compactMap { step -> Stopped? in
      guard case .steer(.stop(let voice, let at, let fade)) = step else { return nil }
      return Stopped(voice: voice, at: at, frames: fade.frames)
    }
    let begun = zip(taken.soundStarts.prefix(3).map(\.id), [48_000, 52_800, 57_600] as [Int64])
    #expect(stops == begun.map { Stopped(voice: $0, at: $1, frames: 240) })
    let told = unheard(actions)
    #expect(told.map(\.tUs) == [2_000_000, 2_100_000, 2_200_000])
    #expect(told.allSatisfy { $0.told == HapticsUnheard(player: player, source: "inline", reason: .stolen) })
  }

  @Test func whatIsStolenAsItBeginsIsNotToldBeforeItsStart() throws {
    var stage = try Stage()
    // The nearest frame is 5 us before.
    let player = try play(tones([0], lengthUs: 600_000), by: other, atUs: 2_000_005, on: &stage)
    var actions = stage.run(to: 1_990_000)
    let voice = try #require(actions.soundStarts.first)
    #expect(voice.at == 48_000)
    stage.fixture.engine.voiceFinished(voice.id, at: voice.at, .stolen)
    actions += stage.run(to: 2_100_000)
    let told = unheard(actions)
    #expect(told.map(\.tUs) == [2_000_005])
    #expect(told.allSatisfy { $0.told == HapticsUnheard(player: player, source: "inline", reason: .stolen) })
    let names = actions.lines.compactMap { line -> String? in
      guard case .notification(let name, _, _, _)? = ServerMessage(line: Array(line.utf8)) else { return nil }
      return [HapticsChanged.name, HapticsUnheard.name].contains(name) ? name : nil
    }
    #expect(names.prefix(2) == [HapticsChanged.name, HapticsUnheard.name])
  }

  @Test func itIsToldAtItsInstantAndOnceInATenthOfASecond() throws {
    var stage = try Stage()
    try play(hoard(32), by: hog, atUs: 1_100_000, on: &stage)
    _ = stage.run(to: 1_500_000)
    // Its own client has most: nothing more of it begins.
    let player = try play(
      tones([0, 50_000, 99_999, 100_000, 300_000], lengthUs: 1_000), by: hog, atUs: 2_000_000, on: &stage)
    #expect(unheard(stage.run(to: 1_990_000)).isEmpty)
    let actions = stage.run(to: 2_400_000)
    #expect(actions.soundStarts.isEmpty)
    let told = unheard(actions)
    #expect(told.map(\.tUs) == [2_000_000, 2_100_000, 2_300_000])
    #expect(told.allSatisfy { $0.told == HapticsUnheard(player: player, source: "inline", reason: .noVoice) })
  }

  @Test func whatDoesNotComeToItsInstantIsNotTold() throws {
    var stage = try Stage()
    try play(hoard(32), by: hog, atUs: 1_100_000, on: &stage)
    _ = stage.run(to: 1_500_000)
    let player = try play(tones([0], lengthUs: 1_000), by: hog, atUs: 2_000_000, on: &stage)
    // It is planned 100 ms ahead, and called off then.
    _ = stage.run(to: 1_950_000)
    _ = try stage.fixture.engine.stopHaptics(HapticsStop.Params(player: player), by: .daemon)
    #expect(unheard(stage.run(to: 2_400_000)).isEmpty)
  }

  @Test func twoWhoWantAllHaveHalfEach() throws {
    var stage = try Stage()
    for cause in [hog, other] { try play(hoard(40), by: cause, atUs: 1_500_000, on: &stage) }
    let actions = stage.run(to: 1_490_000) + stage.run(to: 2_500_000)
    let stopped = actions.audio.compactMap { step -> VoiceID? in
      if case .steer(.stop(let voice, _, _)) = step { voice } else { nil }
    }
    for cause in [hog, other] {
      #expect(starts(actions, of: cause).count { !stopped.contains($0.id) } == 16)
    }
    #expect(Set(unheard(actions).map(\.told.player)) == [1, 2])
  }

  @Test func eachOfAsManyAsCanPlayFindsOne() throws {
    var stage = try Stage()
    try play(hoard(32), by: hog, atUs: 1_100_000, on: &stage)
    let others = (2...20 as ClosedRange<UInt64>).map { Cause(client: ClientID(rawValue: $0), user: 1) }
    for (number, cause) in others.enumerated() {
      try play(tones([0], lengthUs: 60_000_000), by: cause, atUs: 2_000_000 + Int64(number) * 10_000, on: &stage)
    }
    for _ in 0..<4 { try play(tones([0], lengthUs: 60_000_000), by: .daemon, atUs: 2_300_000, on: &stage) }
    let actions = stage.run(to: 2_500_000)
    for cause in others { #expect(starts(actions, of: cause).count == 1) }
    #expect(starts(actions, of: .daemon).count == 4)
    #expect(unheard(actions).allSatisfy { $0.told.player == 1 && $0.told.reason == .stolen })
  }

  /// Programs of two users that play a tone each, and do not stay; whether they go before it begins or after.
  @Test(arguments: [false, true]) func whoIsHereFindsOneThoughAsManyAsCanHaveGone(isEarly: Bool) throws {
    var stage = try Stage()
    func leave() {
      for client in 2...33 as ClosedRange<UInt64> { stage.fixture.engine.clientLeft(ClientID(rawValue: client)) }
    }
    for client in 2...33 as ClosedRange<UInt64> {
      let params = HapticsPlay.Params(
        ahap: tones([0], lengthUs: 60_000_000), atUs: 1_100_000, keepAfterDisconnectUs: 30_000_000)
      let cause = Cause(client: ClientID(rawValue: client), user: client % 2 == 0 ? 1 : 3)
      #expect(try stage.fixture.engine.playHaptics(params, by: cause).player != nil)
    }
    if isEarly { leave() }
    #expect(stage.run(to: 1_500_000).soundStarts.count == 32)
    if !isEarly { leave() }
    let here = [hog, Cause(client: ClientID(rawValue: 40), user: 2)]
    for cause in here { try play(tones([0], lengthUs: 60_000_000), by: cause, atUs: 2_000_000, on: &stage) }
    let actions = stage.run(to: 2_500_000)
    for cause in here { #expect(starts(actions, of: cause).map(\.at) == [48_000]) }
    // The first two of those that have gone give theirs up.
    let told = unheard(actions)
    #expect(told.map(\.tUs) == [2_000_000, 2_000_000])
    #expect(told.map(\.told.player) == [1, 2] && told.allSatisfy { $0.told.reason == .stolen })
  }

  /// Of 31 who are here none has more than one.
  @Test func whoHasGoneGivesItsOnlyOneUpBeforeWhoIsHere() throws {
    var stage = try Stage()
    for client in 2...33 as ClosedRange<UInt64> {
      let params = HapticsPlay.Params(
        ahap: tones([0], lengthUs: 60_000_000), atUs: 1_100_000, keepAfterDisconnectUs: 30_000_000)
      let cause = Cause(client: ClientID(rawValue: client), user: 1)
      #expect(try stage.fixture.engine.playHaptics(params, by: cause).player != nil)
    }
    _ = stage.run(to: 1_500_000)
    stage.fixture.engine.clientLeft(ClientID(rawValue: 20))
    try play(tones([0], lengthUs: 60_000_000), by: hog, atUs: 2_000_000, on: &stage)
    let actions = stage.run(to: 2_500_000)
    #expect(starts(actions, of: hog).map(\.at) == [48_000])
    #expect(unheard(actions).map(\.told.player) == [19])
    // Nobody is left who has gone: who comes now finds none.
    let last = Cause(client: ClientID(rawValue: 40), user: 1)
    try play(tones([0], lengthUs: 60_000_000), by: last, atUs: 3_000_000, on: &stage)
    let told = unheard(stage.run(to: 3_500_000))
    #expect(told.map(\.told.reason) == [.noVoice])
  }

  /// Sounds of a millisecond, hundreds every ten: what is on its way out takes room as well.
  @Test func whatIsOnItsWayOutLeavesOthersRoom() throws {
    var stage = try Stage()
    let dense = tones((0..<300).map { $0 * 5 }, lengthUs: 1_000)
    for _ in 0..<16 { try play(dense, by: hog, atUs: 1_100_000, loopEndUs: 10_000, on: &stage) }
    _ = stage.run(to: 2_000_000)
    try play(tones([0], lengthUs: 500_000), by: other, atUs: 2_105_000, on: &stage)
    let actions = stage.run(to: 2_200_000)
    #expect(starts(actions, of: other).map(\.at) == [53_040])
    #expect(unheard(actions).allSatisfy { $0.told.player <= 16 })
  }

  @Test func whatWasGivenUpStaysSoWhateverItsPlayerDoes() throws {
    var stage = try Stage()
    let player = try play(hoard(32), by: hog, atUs: 1_100_000, on: &stage)
    let oldest = try #require(stage.run(to: 1_500_000).soundStarts.first).id
    try play(tones([0], lengthUs: 300_000), by: other, atUs: 2_000_000, on: &stage)
    _ = stage.run(to: 1_960_000)
    #expect(stage.ends[oldest] == 48_240)
    // What was told of it is taken back by a change before it, and told anew.
    _ = try stage.fixture.engine.setHaptics(HapticsSet.Params(player: player, rate: 2, atUs: 1_980_000), by: .daemon)
    _ = stage.run(to: 1_970_000)
    #expect(stage.ends[oldest] == 48_240)
    _ = stage.run(to: 2_400_000)
    #expect(stage.fixture.engine.holdings["sounds of patterns"] == 31)
  }

  @Test func whatFindsOneVoiceOfTwoBeginsBright() throws {
    var stage = try Stage()
    try play(hoard(31), by: hog, atUs: 1_100_000, on: &stage)
    _ = stage.run(to: 1_500_000)
    try play(tones([0], lengthUs: 500_000, brightness: 0), by: hog, atUs: 2_000_000, on: &stage)
    let begun = stage.run(to: 2_100_000).soundStarts
    #expect(begun.map(\.sound) == [.hapticTone(.whole)] && begun.map(\.gain) == [1])
  }

  @Test func whatTheMixerTakesForAnotherSoundIsToldToo() throws {
    var stage = try Stage()
    let player = try play(tones([0], lengthUs: 60_000_000), by: hog, atUs: 1_100_000, on: &stage)
    let tone = try #require(stage.run(to: 1_500_000).soundStarts.first)
    stage.fixture.engine.voiceFinished(tone.id, at: 24_480, .stolen)
    let told = unheard(stage.run(to: 1_600_000))
    #expect(told.map(\.tUs) == [1_510_000])
    #expect(told.map(\.told) == [HapticsUnheard(player: player, source: "inline", reason: .stolen)])
  }

  @Test func nothingIsLeftOfIt() throws {
    var stage = try Stage()
    for cause in [hog, other] { try play(hoard(40), by: cause, atUs: 1_500_000, loopEndUs: 50_000, on: &stage) }
    _ = stage.run(to: 2_500_000)
    for cause in [hog, other] { stage.fixture.engine.clientLeft(cause.client) }
    _ = stage.run(to: 3_000_000)
    #expect(stage.fixture.engine.holdings.filter { $0.value != 0 } == [:])
  }
}
