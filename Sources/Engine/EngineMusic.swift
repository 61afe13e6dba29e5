import GamePacks
import Mixing
import Timing
import Wire

/// The music nouns of the socket.
extension Engine {
  /// The most tracks that fade out at once: fewer than the mixer has slots for music, so that a new one finds room.
  static let mostTails = 12

  /// What a stream needs to find a place behind the track's head: some 10 ms on a quiet machine, and room to spare.
  static let streamPreparation = Interval.milliseconds(60)

  /// What must be left of the head for the stream to take over without a gap.
  static let headReserve = Interval.milliseconds(200)

  /// `music.play`.
  public mutating func playMusic(
    _ params: MusicPlay.Params, _ output: OutputState
  ) throws(RPCError) -> MusicPlay.Result {
    guard music.tails.count < Self.mostTails else {
      throw RPCError(
        .busy, "the music is changed faster than it can fade: \(music.tails.count) tracks are fading out",
        hint: "wait some milliseconds; what was asked for before plays")
    }
    let (key, info, pack) = try catalog.resolve(.track, params.track, in: \.tracks)
    let track = pack.manifest.tracks[key.name]
    let parameters = MusicPlay.parameters
    let gain = try parameters.gain.checked(params.gain) * (track?.gain ?? 1)
    let positionUs = try parameters.position.checked(params.positionUs)
    let position = Interval.microseconds(positionUs)
    let length = Interval.frames(info.frames, rate: configuration.rate)
    guard position < length else {
      throw RPCError(
        .invalidParams,
        "positionUs \(positionUs) is outside the track, which lasts \(length.microseconds) us",
        hint: "give a position from 0 to below the track's durationUs")
    }
    let crossfade = try fade(params.crossfadeUs, parameters.crossfade, law: params.fade ?? parameters.fade.fallback)
    var (at, late) = try schedule(params.atUs, earliest: earliestStart(of: info, from: position, output))
    if let grid = params.quantise { at = try quantised(at, to: grid, output) }
    let request = MusicPlayer.Request(
      track: key, info: info, position: position.frames(rate: configuration.rate),
      loops: params.loop ?? (track?.loop != PackTrack.Loop.none), gain: Float(gain),
      continues: (params.from ?? parameters.from.fallback) == .continue, fade: crossfade)
    let entered = musicPosition(request, lateBy: late, at: at, output)
    var planned = request
    planned.position = entered
    plan(.playMusic(planned), at: at, output)
    return MusicPlay.Result(
      track: spelled(key), scheduledUs: at.microseconds, lateUs: late.microseconds,
      positionUs: Interval.frames(entered, rate: configuration.rate).microseconds)
  }

  /// `music.stop`.
  public mutating func stopMusic(_ params: FadeParams, _ output: OutputState) throws(RPCError) -> Scheduled {
    let fade = try fade(params.fadeUs, MusicStop.parameters.fade, law: .equalPower)
    return try changeMusic(.stopMusic(fade), at: params.atUs, output)
  }

  /// `music.pause`.
  public mutating func pauseMusic(_ params: FadeParams, _ output: OutputState) throws(RPCError) -> Scheduled {
    let fade = try fade(params.fadeUs, MusicPause.parameters.fade, law: .linear)
    guard music.current != nil || params.atUs != nil else { throw notPlaying }
    return try changeMusic(.pauseMusic(fade), at: params.atUs, output)
  }

  /// `music.resume`.
  public mutating func resumeMusic(_ params: FadeParams, _ output: OutputState) throws(RPCError) -> Scheduled {
    let fade = try fade(params.fadeUs, MusicResume.parameters.fade, law: .linear)
    guard music.pausedAt != nil || params.atUs != nil else {
      throw RPCError(.notRunning, "the music is not paused", hint: "music.status tells what it does")
    }
    return try changeMusic(.resumeMusic(fade), at: params.atUs, output)
  }

  /// `music.seek`: a new voice of the same track, and the old one as its tail.
  public mutating func seekMusic(
    _ params: MusicSeek.Params, _ output: OutputState
  ) throws(RPCError) -> MusicPlay.Result {
    guard let current = music.current else { throw notPlaying }
    let gain = catalog.pack(named: current.track.pack)?.manifest.tracks[current.track.name]?.gain ?? 1
    let wasPaused = music.pausedAt != nil
    // What was multiplied as a float can come out of the division a little above the greatest gain.
    let sought = try playMusic(
      MusicPlay.Params(
        track: current.track.pack + ":" + current.track.name, atUs: params.atUs,
        crossfadeUs: try MusicSeek.parameters.crossfade.checked(params.crossfadeUs), loop: current.loops,
        gain: gain > 0 ? min(Double(current.gain) / gain, linearGains.upperBound) : nil,
        positionUs: try MusicSeek.parameters.position.checked(params.positionUs)), output)
    // Paused music stays paused, in its new place.
    if wasPaused { plan(.pauseMusic(.none), at: Instant(microseconds: sought.scheduledUs), output) }
    return sought
  }

  /// `music.gain`.
  public mutating func changeMusicGain(_ params: MusicGain.Params, _ output: OutputState) throws(RPCError) -> Scheduled
  {
    guard let current = music.current else { throw notPlaying }
    guard (params.gain == nil) != (params.gainDb == nil) else {
      throw RPCError(.invalidParams, "music.gain wants either gain or gainDb", hint: "gain 0.5 is about gainDb -6")
    }
    let parameters = MusicGain.parameters
    let decibels = try parameters.decibels.checked(params.gainDb)
    let linear = try parameters.gain.checked(params.gain) ?? decibelGain(decibels ?? 0)
    let own = catalog.pack(named: current.track.pack)?.manifest.tracks[current.track.name]?.gain ?? 1
    let fade = try fade(params.fadeUs, parameters.fade, law: .linear)
    return try changeMusic(.setMusicGain(Float(linear * own), fade), at: params.atUs, output)
  }

  /// `music.status`.
  public func musicStatus(_ output: OutputState) -> MusicStatus.Result {
    let frame = output.timeline.frame(at: output.now)
    let current = music.current
    return MusicStatus.Result(
      state: current == nil ? .stopped : music.pausedAt == nil ? .playing : .paused,
      track: current.map { spelled($0.track) },
      positionUs: music.position(at: frame).map { Interval.frames($0, rate: configuration.rate).microseconds },
      atUs: output.now.microseconds,
      durationUs: current.map { Interval.frames($0.info.frames, rate: configuration.rate).microseconds },
      bpm: current.flatMap { catalog.pack(named: $0.track.pack)?.manifest.tracks[$0.track.name]?.bpm },
      fading: music.tails.map { spelled($0.track) },
      timeline: Timeline(output.timeline))
  }

  /// The mixer is done with a voice.
  mutating func musicVoiceFinished(_ voice: VoiceID, at frame: Int64, _ output: OutputState) {
    guard let part = music.finished(voice) else { return }
    tellMusic(.ended, part.track, fade: nil, at: frame, output)
  }

  mutating func startMusic(_ request: MusicPlayer.Request, at frame: Int64, _ output: OutputState) {
    let started = music.play(request, voice: makeVoice(), at: frame, declick: declick)
    perform(started.steps)
    let change: MusicChanged.Change = started.from == nil ? .started : .crossfaded
    let notification = MusicChanged(
      change: change, track: spelled(request.track), from: started.from.map(spelled),
      fadeUs: Interval.frames(Int64(started.fade.frames), rate: configuration.rate).microseconds,
      positionUs: Interval.frames(started.position, rate: configuration.rate).microseconds)
    notify(notification, at: output.timeline.instant(ofFrame: frame))
  }

  mutating func tellMusic(
    _ change: MusicChanged.Change, _ track: AssetKey?, fade: Fade?, at frame: Int64, _ output: OutputState
  ) {
    guard let track else { return }
    let fadeUs = fade.map { Interval.frames(Int64($0.frames), rate: configuration.rate).microseconds }
    notify(
      MusicChanged(change: change, track: spelled(track), fadeUs: fadeUs),
      at: output.timeline.instant(ofFrame: frame))
  }

  /// A place behind the track's head has to be found in its file first.
  private func earliestStart(of info: TrackInfo, from position: Interval, _ output: OutputState) -> Instant {
    let needed = (position + Self.headReserve).frames(rate: configuration.rate)
    let isAtHand = needed <= info.headFrames || info.headFrames >= info.frames
    return isAtHand ? output.earliestSound : output.earliestSound + Self.streamPreparation
  }

  private var notPlaying: RPCError {
    RPCError(.notRunning, "no track is playing", hint: "music.play begins one")
  }

  private mutating func changeMusic(
    _ step: PlannedStep, at requestedUs: Int64?, _ output: OutputState
  ) throws(RPCError) -> Scheduled {
    let (at, late) = try schedule(requestedUs, earliest: output.earliestSound, isEnding: true)
    plan(step, at: at, output)
    return Scheduled(scheduledUs: at.microseconds, lateUs: late.microseconds)
  }

  /// Where the track will be when it is heard: in place when late, where it sounds already when continued.
  private func musicPosition(
    _ request: MusicPlayer.Request, lateBy late: Interval, at instant: Instant, _ output: OutputState
  ) -> Int64 {
    if request.continues, let position = music.continued(request.track, at: output.timeline.frame(at: instant)) {
      return position
    }
    return request.entered(lateBy: late.frames(rate: configuration.rate))
  }
}
