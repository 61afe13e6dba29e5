// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import SeededNumbers
import Testing
import Timing
import Wire

@testable import Engine

/// Whatever a client asked for by the time it leaves, kept for as long as it likes: what begins all the same, and until when it
/// goes on. What the model says of that is of the protocol's page on lifetimes.
@Suite struct RandomLeavingTests {
  private static let me = Cause(client: ClientID(rawValue: 1), user: 1)
  /// What is asked for now is heard so much later, and felt at once.
  private static let heardUs: Int64 = 10_000
  /// What begins so soon counts as begun, if it does not repeat; what ends fades for so long; so long at most anything is felt.
  private static let (promptUs, fadeUs, longestUs): (Int64, Int64, Int64) = (20_000, 50_000, 30_000_000)
  private static let zeroUs: Int64 = 1_000_000

  private enum Kind: CaseIterable {
    case sound, loop, felt, feltLoop, cue, setting, music
  }

  private struct Asked {
    var kind: Kind
    /// When it was asked for, and when it is to begin.
    var (askedUs, atUs): (Int64, Int64)
    var keptUs: Int64
    /// Of what is felt once.
    var lastsUs: Int64
    /// What it was answered.
    var id: Int64 = 0
  }

  /// When something begins, and from when on it fades: nothing where it does not, or where it plays to its end.
  private struct Course: Equatable {
    var beginsUs: Int64?
    var fadesUs: Int64?
  }

  /// What becomes of something whose client goes at an instant, from when on anything that is heard, or felt, can be changed.
  private func course(of asked: Asked, leftUs: Int64) -> Course {
    let isFelt = asked.kind == .felt || asked.kind == .feltLoop
    let soonest = leftUs + (isFelt ? 0 : Self.heardUs)
    let kept = leftUs + asked.keptUs
    switch asked.kind {
    case .sound: return Course(beginsUs: asked.atUs <= max(kept, soonest + Self.promptUs) ? asked.atUs : nil)
    case .loop, .feltLoop:
      let end = max(kept, soonest)
      return asked.atUs < end ? Course(beginsUs: asked.atUs, fadesUs: end) : Course()
    case .felt:
      guard asked.atUs <= max(kept, soonest + Self.promptUs) else { return Course() }
      // What is over within its fade ends by itself.
      let end = leftUs + Self.longestUs
      return Course(beginsUs: asked.atUs, fadesUs: asked.atUs + asked.lastsUs > end + Self.fadeUs ? end : nil)
    case .cue: return Course(beginsUs: asked.atUs <= max(kept, soonest + Self.promptUs) ? asked.atUs : nil)
    // Nothing keeps what is set for later.
    case .setting: return Course(beginsUs: asked.atUs <= soonest + Self.promptUs ? asked.atUs : nil)
    // The music is the daemon's.
    case .music: return Course(beginsUs: asked.atUs)
    }
  }

  /// At once, or around when its client leaves, or what it is kept for is over.
  private func instant(_ leftUs: Int64, _ keptUs: Int64, earliest: Int64, using random: inout SeededRandom) -> Int64? {
    let edge = leftUs + random.pick([0, Self.heardUs, Self.promptUs, Self.heardUs + Self.promptUs, keptUs])
    let at = random.pick([edge, edge + random.integer(-1...1), leftUs + random.integer(-500_000...4_000_000)])
    return random.oneIn(4) || at < earliest ? nil : at
  }

  @Test func whatAClientLeavesBeginsAndEndsAsTheProtocolSays() throws {
    try search(upTo: 30) { random in
      var fixture = try EngineFixture(
        cues: #""said": {"steps": [{"sound": "click"}]}"#,
        parameters: #""low": {"targets": [{"bus": "sound", "gain": {"power": 1}}]}"#)
      let leftUs = Self.zeroUs + 10_000 * random.integer(20...80)
      var actions: [EngineAction] = []
      var asked: [Asked] = []
      for askedUs in (0..<6).map({ _ in Self.zeroUs + 10_000 * random.integer(0...(leftUs - Self.zeroUs) / 10_000) })
        .sorted()
      {
        actions += fixture.run(to: askedUs)
        asked.append(try ask(at: askedUs, leftUs: leftUs, others: asked, &fixture, using: &random))
      }
      actions += fixture.run(to: leftUs)
      fixture.engine.clientLeft(Self.me.client)
      let longestUs = asked.map { max($0.atUs - leftUs, $0.keptUs, $0.lastsUs) }.max() ?? 0
      actions += fixture.run(to: leftUs + min(longestUs, Self.longestUs) + 500_000)
      let seen = try Seen(actions)
      for one in asked {
        let (came, wanted) = (seen.course(of: one), course(of: one, leftUs: leftUs))
        try hold(came == wanted, "\(one), whose client left at \(leftUs), came as \(came), not as \(wanted)")
      }
    }
  }

  private func ask(
    at nowUs: Int64, leftUs: Int64, others: [Asked], _ fixture: inout EngineFixture, using random: inout SeededRandom
  ) throws -> Asked {
    var kind = random.pick(Kind.allCases)
    // Of one parameter, and of one music, each a time of its own.
    if kind == .setting || kind == .music, others.contains(where: { $0.kind == kind }) { kind = .felt }
    let isFelt = kind == .felt || kind == .feltLoop
    let earliest = nowUs + (isFelt ? 0 : Self.heardUs)
    let keepUs: Int64? = random.pick([nil, 0, 7_000, 30_000, 500_000, 2_000_000, 30_000_000])
    let atUs = instant(leftUs, keepUs ?? 0, earliest: earliest, using: &random)
    var asked = Asked(kind: kind, askedUs: nowUs, atUs: atUs ?? earliest, keptUs: keepUs ?? 0, lastsUs: 0)
    switch kind {
    case .sound, .loop:
      let params = SoundPlay.Params(sound: "word", atUs: atUs, loop: kind == .loop, keepAfterDisconnectUs: keepUs)
      asked.id = try fixture.engine.playSound(params, by: Self.me).id ?? 0
    case .felt:
      asked.lastsUs = random.pick([300_000, 300_000, 5_000_000, 30_000_000])
      let params = HapticsContinuous.Params(
        durationUs: asked.lastsUs, intensity: 0.5, atUs: atUs, keepAfterDisconnectUs: keepUs)
      asked.id = try fixture.engine.playContinuous(params, by: Self.me).player ?? 0
    case .feltLoop:
      let params = HapticsPlay.Params(pattern: "thud", atUs: atUs, loop: true, keepAfterDisconnectUs: keepUs)
      asked.id = try fixture.engine.playHaptics(params, by: Self.me).player ?? 0
    case .cue:
      let params = CueFire.Params(cue: "said", atUs: atUs, keepAfterDisconnectUs: keepUs)
      asked.id = try fixture.engine.fireCue(params, by: Self.me).id ?? 0
    case .setting:
      _ = try fixture.engine.setParameter(
        ParameterSet.Params(parameter: "low", value: 1, atUs: atUs, overUs: 0), by: Self.me)
    case .music:
      _ = try fixture.engine.playMusic(MusicPlay.Params(track: "main", atUs: atUs), by: Self.me)
    }
    return asked
  }

  /// What came of it all.
  private struct Seen {
    private var courses: [String: Course] = [:]

    init(_ actions: [EngineAction]) throws {
      for step in actions.audio {
        switch step {
        case .start(let start) where start.sound != nil && start.sound != 0:
          courses["heard \(start.id.rawValue)"] = Course(beginsUs: start.instant / 1_000)
        case .command(.retract(let voice, _)): courses["heard \(voice.rawValue)"] = nil
        case .command(.stop(let voice, let at, let fade)), .command(.end(let voice, let at, let fade)):
          guard courses["heard \(voice.rawValue)"] != nil else { continue }
          try hold(fade.frames == 2_400, "voice \(voice.rawValue) fades for \(fade.frames) frames")
          courses["heard \(voice.rawValue)"]?.fadesUs = RandomLeavingTests.zeroUs + at * 1_000 / 48
        default: continue
        }
      }
      for case .notify(let notification, _) in actions {
        guard case .notification(let method, _, let tUs, let params)? = ServerMessage(line: notification.line(seq: 1))
        else { continue }
        switch method {
        case HapticsChanged.name:
          let told = try decodeJSON(HapticsChanged.self, from: params)
          let key = "felt \(told.player)"
          if told.change == .started { courses[key] = Course(beginsUs: tUs) }
          // Of one that is over as it begins nothing is felt.
          if told.change == .stopped {
            if courses[key]?.beginsUs == tUs { courses[key] = nil }
            courses[key]?.fadesUs = tUs - RandomLeavingTests.fadeUs
          }
        case CueFired.name: courses["cue \(try decodeJSON(CueFired.self, from: params).id)"] = Course(beginsUs: tUs)
        case ParameterChanged.name: courses["setting"] = Course(beginsUs: tUs)
        case MusicChanged.name: courses["music"] = Course(beginsUs: tUs)
        default: continue
        }
      }
    }

    func course(of asked: Asked) -> Course {
      let key =
        switch asked.kind {
        case .sound, .loop: "heard \(asked.id)"
        case .felt, .feltLoop: "felt \(asked.id)"
        case .cue: "cue \(asked.id)"
        case .setting: "setting"
        case .music: "music"
        }
      return courses[key] ?? Course()
    }
  }
}
