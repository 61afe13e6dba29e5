// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Engine
import Mixing
import Problems
import Timing
import Wire

extension Host {
  /// The snapshot that a new subscriber is given.
  public func status() -> EngineStatus.Result {
    beginTurn()
    return EngineStatus.Result(
      nowUs: engine.turn.clockNow.microseconds, clock: clockKind,
      uptimeUs: (engine.turn.clockNow - startedAt).microseconds,
      version: starlightVersion, audio: audioStatus, haptics: hapticStatus, music: musicStatus,
      rhythm: engine.chapterStatus(), settings: engine.currentSettings, clients: clientCount,
      resources: resources.current, problems: problems, paused: pause.state, untaken: untaken.told)
  }

  /// As clients read it: where the engine stands, so does the music.
  var musicStatus: MusicStatus.Result {
    var status = engine.musicStatus()
    MusicStatus.moveInstants(in: &status, told)
    status.timeline = Timeline(outputTimeline)
    if pause.clock.stamp(at: engine.turn.clockNow) == nil {
      status.pausedBy.append(.engine)
      if status.state == .playing { status.state = .paused }
    }
    return status
  }

  /// What is not as it should be.
  public var problems: [Problem] { engine.packProblems + currentProblems + audioProblems }

  private var audioProblems: [Problem] {
    if case .live(let audio) = driver { audio.output.description.problems } else { [] }
  }

  /// One line about the outputs, for the log and for systemd's STATUS.
  public var summary: String {
    let packs = engine.catalog.packs.map(\.manifest.name)
    let loaded = packs.isEmpty ? "no packs" : "packs: " + packs.joined(separator: ", ")
    return "audio: \(audioStatus.message); haptics: \(haptics.summary); \(loaded)"
  }

  /// Every haptic output, as clients are told who count from the whole microsecond on.
  var hapticStatus: [EngineStatus.HapticOutput] {
    haptics.status.map { output in
      var output = output
      let reached = pause.clock.now(at: engine.turn.clockNow + .microseconds(output.leadUs))
      if output.kind != .null { output.leadUs = engine.leadUs(to: reached) }
      return output
    }
  }

  var audioStatus: EngineStatus.Audio {
    beginTurn()
    let statistics = controller.readStatistics()
    loudest = max(loudest, statistics.peak)
    let lead = engine.leadUs(to: engine.turn.earliestSound)
    switch driver {
    case .stepped(let audio):
      return EngineStatus.Audio(
        device: Self.steppedDevice, kind: .stepped, message: "no device: the clock is stepped, and so is the sound",
        rate: configuration.rate, periodFrames: SteppedAudio.period, bufferFrames: SteppedAudio.period,
        scheduling: .other, leadUs: lead, framesRendered: audio.frame, xruns: 0,
        lateStarts: lateStarts, activeVoices: statistics.activeVoices, peak: Double(loudest),
        deviceLeadUs: audio.lead.microseconds)
    case .live(let audio):
      let description = audio.output.description
      let counters = audio.output.statistics
      return EngineStatus.Audio(
        device: description.device, kind: EngineStatus.Audio.Kind(description.kind), message: description.message,
        rate: configuration.rate, periodFrames: description.period, bufferFrames: description.buffer,
        scheduling: audio.scheduling, leadUs: lead, framesRendered: counters.framesRendered,
        xruns: counters.underruns, lateStarts: lateStarts, activeVoices: statistics.activeVoices,
        peak: Double(loudest), deviceLeadUs: description.lead.microseconds, resting: description.isResting)
    }
  }
}

extension EngineStatus.Audio.Kind {
  fileprivate init(_ kind: AudioOutputDescription.Kind) {
    self =
      switch kind {
      case .alsa: .alsa
      case .null: .null
      }
  }
}
