// SPDX-License-Identifier: Apache-2.0

import Mixing
import Outcomes
import Timing
import Wire

@testable import Engine

/// The engine that a script is played on, what the script gave names to, and the log of what comes.
struct ScriptStage {
  var fixture: EngineFixture
  private(set) var log = ScriptLog()
  /// Numbers of plans, sounds, players and firings by the names that the script gave them.
  private var named: [String: Int64] = [:]

  init(fixture: EngineFixture) { self.fixture = fixture }

  mutating func run(toUs us: Int64) {
    log.take(fixture.run(to: ScriptLog.zeroUs + us), nowUs: us)
  }

  /// Carries out a line; where it asks what holds, what holds instead, if that is something else.
  mutating func carryOut(_ line: ScriptLine) throws -> String? {
    var line = line
    let (name, verb) = (line.name, line.word())
    guard verb != "music" else { return music(line) }
    let number = try ask(verb, &line)
    line.end()
    if let name { named[name] = number }
    // What is told at once is told before time passes.
    log.take(fixture.engine.takeActions(), nowUs: fixture.output.now.microseconds - ScriptLog.zeroUs)
    return nil
  }

  /// The words for what is asked, and the number by which it can be called off.
  private mutating func ask(_ verb: String, _ line: inout ScriptLine) throws -> Int64? {
    let by = Cause(client: ClientID(rawValue: UInt64(line.number(after: "by") ?? 1)), user: 7)
    let atUs = line.us(after: "at").map { $0 + ScriptLog.zeroUs }
    let (fadeUs, keepUs) = (line.us(after: "fade"), line.us(after: "keep"))
    switch verb {
    case "play":
      let params = MusicPlay.Params(
        track: line.word(), from: line.has("continue") ? .continue : nil, atUs: atUs, crossfadeUs: fadeUs,
        positionUs: line.us(after: "from"))
      return try fixture.engine.playMusic(params, by: by).plan
    case "stop": return try fixture.engine.stopMusic(FadeParams(atUs: atUs, fadeUs: fadeUs), by: by).plan
    case "pause": return try fixture.engine.pauseMusic(FadeParams(atUs: atUs, fadeUs: fadeUs), by: by).plan
    case "resume": return try fixture.engine.resumeMusic(FadeParams(atUs: atUs, fadeUs: fadeUs), by: by).plan
    case "seek":
      guard let positionUs = line.us(after: "to") else { preconditionFailure("seek to where: \(line.text)") }
      let params = MusicSeek.Params(positionUs: positionUs, atUs: atUs, crossfadeUs: fadeUs)
      return try fixture.engine.seekMusic(params, by: by).plan
    case "gain":
      guard let gain = line.number(after: "to") else { preconditionFailure("gain to what: \(line.text)") }
      let params = MusicGain.Params(gain: gain, atUs: atUs, fadeUs: fadeUs)
      return try fixture.engine.changeMusicGain(params, by: by).plan
    case "cancel":
      let plan = try number(line.word())
      _ = try fixture.engine.cancelMusic(MusicCancel.Params(plan: plan), by: by)
    case "sound":
      let loops = line.has("loop")
      let params = SoundPlay.Params(sound: line.word(), atUs: atUs, loop: loops, keepAfterDisconnectUs: keepUs)
      return try fixture.engine.playSound(params, by: by).id
    case "end":
      let id = try number(line.word())
      _ = try fixture.engine.stopSound(SoundStop.Params(id: id, atUs: atUs, fadeUs: fadeUs), by: by)
    case "feel":
      let loops = line.has("loop")
      let params = HapticsPlay.Params(pattern: line.word(), atUs: atUs, loop: loops, keepAfterDisconnectUs: keepUs)
      return try fixture.engine.playHaptics(params, by: by).player
    case "fire":
      let params = CueFire.Params(cue: line.word(), atUs: atUs, keepAfterDisconnectUs: keepUs)
      return try fixture.engine.fireCue(params, by: by).id
    case "release":
      let id = try number(line.word())
      _ = try fixture.engine.stopCue(CueStop.Params(id: id, fadeUs: fadeUs), by: by)
    case "chapter":
      if line.takes("stop") {
        _ = try fixture.engine.stopChapter(by: by)
      } else if line.takes("pause") {
        _ = try fixture.engine.pauseChapter()
      } else {
        _ = try fixture.engine.startChapter(RhythmStart.Params(chapter: line.word(), atUs: atUs), by: by)
      }
    case "tap": _ = try fixture.engine.tap(RhythmTap.Params(), arrival: fixture.output.now)
    case "reload":
      let frames = line.us(after: "to").map { $0 * 48 / 1_000 }
      fixture.reload { pack in
        guard let frames else { return }
        let whole = TrackInfo(frames: frames, loop: LoopRegion(start: 0, end: frames), headFrames: 24_000)
        pack.tracks = pack.tracks.mapValues { _ in whole }
      }
    case "unload": fixture.engine.drop(pack: "game")
    case "switch": try turn(&line, by: by)
    case "leave": fixture.engine.clientLeft(by.client)
    case "mixer": finish(&line)
    case "still": standStill(&line)
    default: preconditionFailure("\(verb) is no verb of a script: \(line.text)")
    }
    return nil
  }

  /// `switch sound off`.
  private mutating func turn(_ line: inout ScriptLine, by cause: Cause) throws {
    let (family, isOn) = (line.word(), line.word() == "on")
    var params = SettingsSet.Params()
    switch family {
    case "music": params.music = isOn
    case "sound": params.sound = isOn
    case "haptics": params.haptics = isOn
    default: preconditionFailure("there is no switch \(family): \(line.text)")
    }
    _ = try fixture.engine.changeSettings(params, by: cause)
  }

  /// `still until 2400`: control comes by next then, and is asked something before it does what is due.
  private mutating func standStill(_ line: inout ScriptLine) {
    guard let us = line.us(after: "until") else { preconditionFailure("still until when: \(line.text)") }
    fixture.output = EngineFixture.output(at: ScriptLog.zeroUs + us, soundAhead: fixture.soundAhead)
  }

  /// `mixer ended main`: what the mixer tells of a voice, as the log names it, at the frame that is heard now.
  private mutating func finish(_ line: inout ScriptLine) {
    let ending: SoundEnd
    switch line.word() {
    case "ended": ending = .ended
    case "stopped": ending = .stopped
    case "cancelled": ending = .cancelled
    case "stolen": ending = .stolen
    default: preconditionFailure("the mixer tells of no such end: \(line.text)")
    }
    guard let voice = log.voice(named: line.word()) else { preconditionFailure("no such voice: \(line.text)") }
    fixture.engine.voiceFinished(voice, at: EngineFixture.frame(ScriptLog.zeroUs + line.us), ending)
  }

  /// `music is paused main at 1095 by client switch`, as it is now.
  private func music(_ line: ScriptLine) -> String? {
    let status = fixture.engine.musicStatus()
    var words = ["is", status.state.rawValue]
    if let track = status.track { words.append(ScriptLog.bare(track)) }
    if let positionUs = status.positionUs { words += ["at", ScriptLog.milliseconds(positionUs)] }
    if !status.pausedBy.isEmpty { words += ["by"] + status.pausedBy.map(\.rawValue) }
    let asked = line.words.map(String.init)
    return words == asked ? nil : "it " + words.joined(separator: " ")
  }

  private func number(_ name: String) throws -> Int64 {
    guard let number = named[name] else { preconditionFailure("nothing is named \(name)") }
    return number
  }
}
