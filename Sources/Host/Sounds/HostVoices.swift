// SPDX-License-Identifier: Apache-2.0

import Engine
import GamePacks
import Glibc
import Mixing
import Outcomes
import Problems
import SoundFiles
import Timing
import Wire

/// Voices between engine and mixer: what they play is found and opened as they start, and given back as they end.
extension Host {
  /// Hands the audio steps of one call of the engine to the mixer as one batch. False, with nothing done, where the mixer
  /// would carry one of them out later than planned, and `mayPass`.
  func submit(_ steps: [AudioStep], mayPass: Bool = false) -> Bool {
    var commands: [MixerCommand] = []
    var steering: [MixerCommand] = []
    for step in steps {
      switch step {
      case .command(let command): commands.append(command)
      case .steer(let command): steering.append(command)
      case .start(let start):
        if let source = source(of: start) { commands.append(.start(start.with(source))) }
      }
    }
    if let late = handsOverLate, !commands.isEmpty {
      handsOverLate = late.next
      standStill(until: now + late.by)
    }
    let first = mayPass ? commands.compactMap(changeFrame(of:)).min() : nil
    guard let refused = queue.submit(commands, unlessPassed: first) else {
      letGo(of: commands)
      return false
    }
    for case .start(let start) in commands { announcedStarts[start.id] = start.at }
    queue.steer(steering)
    if !commands.isEmpty {
      let now = now
      if case .live = driver { serving.note(now - engine.turn.clockNow) }
      noteStarts(commands, refused: Set(refused.map(\.id)), at: now)
    }
    if refused.isEmpty { return true }
    // Sounds count as pushed out by what came before; music goes on with what played.
    for start in refused {
      if streams[start.id] == nil {
        noteStolen(start.id, at: start.at)
        release(start.id, at: start.at, .stolen)
      } else {
        _ = giveUp(start.id, at: start.at)
      }
    }
    fail(
      Problem(
        .busy, "more was asked for than the mixer takes in a period; some starts were dropped",
        remedy: "ask for less at a time"))
    return true
  }

  /// When what a command does is heard; of one that takes others back, when the first of them would have been: once that is mixed it
  /// has happened, and is not to be told as called off. Nil where nothing is heard at an instant of its own.
  private func changeFrame(of command: MixerCommand) -> Int64? {
    switch command {
    case .retract(let voice, let frame):
      // A sound that is not to begin is taken back whole.
      let first = announcedStarts[voice].map { max($0, frame) } ?? frame
      return first > 0 ? first : nil
    // What is put back comes with what is taken back, from the same frame on.
    case .restore, .retractDriven, .leave: return nil
    default: return command.frame
    }
  }

  /// Gives back what was found and opened for starts that the mixer was not told of.
  private func letGo(of commands: [MixerCommand]) {
    if case .live = driver { serving.note(now - engine.turn.clockNow) }
    for case .start(let start) in commands {
      closeStream(of: start.id)
      bank.letGo(of: start.id)
    }
  }

  /// Wakes the decode thread where streams were opened or closed. Not before the mixer has been told of all: it would be let run in
  /// control's place where processors are short, while frames that were planned for pass. A track has half a second in memory.
  func wakeDecoder() {
    guard hasStreamsToFeed, case .live(let audio) = driver else { return }
    hasStreamsToFeed = false
    audio.wakeDecoder()
  }

  /// The decode thread opens the file, too late for a reply to say that it cannot.
  private func checkDescriptors(for track: String) throws(Problem) {
    let spare = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
    guard spare >= 0 else {
      throw Problem(.unreadable, String(cString: strerror(errno)))
    }
    close(spare)
  }

  /// Forgets, and tells, why a track could not be played since the last call.
  func takeTrackFailure() -> (cause: Cause, error: RPCError)? {
    defer { trackFailure = nil }
    return trackFailure
  }

  private func release(_ voice: VoiceID, at frame: Int64, _ ending: SoundEnd) {
    closeStream(of: voice)
    bank.letGo(of: voice)
    // One that was started anew since is announced still.
    if !bank.holds(voice) { announcedStarts[voice] = nil }
    engine.voiceFinished(voice, at: frame, ending)
  }

  private func closeStream(of voice: VoiceID) {
    guard let stream = streams.removeValue(forKey: voice) else { return }
    feeder.close(stream)
    hasStreamsToFeed = true
  }

  /// A track that was to begin does not.
  private func giveUp(_ voice: VoiceID, at frame: Int64) -> Cause? {
    announcedStarts[voice] = nil
    closeStream(of: voice)
    bank.letGo(of: voice)
    return engine.trackUnavailable(voice, at: frame)
  }

  /// The samples behind the name of what a voice plays; nil for what is not there to be played.
  private func source(of start: VoiceStart<NamedSource>) -> VoiceSource? {
    switch start.source {
    case .resident(let sound, let loops): bank.source(sound, loops: loops, for: start.id).map(VoiceSource.resident)
    case .track(let key, let loops): open(key, loops: loops, for: start).map(VoiceSource.stream)
    }
  }

  private func open(
    _ key: LoadedKey, loops: Bool, for start: VoiceStart<NamedSource>
  ) -> UnsafeMutablePointer<StreamRing>? {
    guard let track = bank.track(key, for: start.id) else {
      engine.trackUnavailable(start.id, at: start.at)
      return nil
    }
    do throws(Problem) {
      if journal?.mayOpen() == false { throw Problem(.busy, "it could not be opened in the run that is replayed") }
      try checkDescriptors(for: key.name)
      let stream = try feeder.open(track.playing(loops: loops), fromFrame: start.sourceFrame)
      journal?.witness(opened: true)
      streams[start.id] = stream.id
      if case .live = driver { hasStreamsToFeed = true } else if readsTracks { feeder.pump() }
      return stream.ring
    } catch {
      journal?.witness(opened: false)
      fail(
        Problem(
          error.kind, "cannot be played: \(error.reason)", remedy: error.remedy,
          where: .init(pack: key.generation.name, asset: .init(.track, key.name), file: track.path)))
      if let cause = giveUp(start.id, at: start.at) {
        let told = "track \(key) cannot be played: \(error)"
        trackFailure = (
          cause,
          error.kind == .busy
            ? RPCError(.busy, told, hint: "ask again in some milliseconds, when streams are free")
            : RPCError(.unavailable, told, hint: "free descriptors or memory, or mend the file, and ask again")
        )
      }
      return nil
    }
  }

  /// Takes in what the mixer tells, and what broke off behind it.
  func handleMixerEvents() {
    var events: [MixerEvent] = []
    controller.drainEvents { events.append($0) }
    noteEvents(events.count)
    take(events)
    for failure in feeder.drainFailures() {
      fail(
        Problem(
          failure.error.kind, "a track broke off: \(failure.error.reason)", remedy: failure.error.remedy,
          where: failure.error.where))
    }
  }

  /// Takes in what the mixer told. What is in its place behind frames that were passed over begins before it was announced for.
  func take(_ events: [MixerEvent]) {
    for event in events {
      switch event {
      case .started(let voice, let frame):
        let announced = announcedStarts.removeValue(forKey: voice)
        if let announced, frame > announced { lateStarts += 1 }
        noteVoice(event, announced: announced)
        if streams[voice] == nil { engine.soundBegan(voice, at: frame) }
      case .finished(let voice, let frame, let reason):
        noteVoice(event, announced: nil)
        release(voice, at: frame, SoundEnd(reason))
      case .starved(let voice, let frame):
        noteVoice(event, announced: nil)
        engine.voiceStarved(voice, at: frame)
      case .rejoined(let voice, let frame):
        noteVoice(event, announced: nil)
        engine.voiceRejoined(voice, at: frame)
      }
    }
  }
}

extension SoundEnd {
  fileprivate init(_ reason: FinishReason) {
    switch reason {
    case .ended: self = .ended
    case .stopped: self = .stopped
    case .cancelled: self = .cancelled
    case .stolen, .rejected: self = .stolen
    }
  }
}
