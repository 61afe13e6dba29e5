// SPDX-License-Identifier: Apache-2.0

import GamePacks
import JSON
import Mixing
import Outcomes
import Suggestions
import Timing
import Wire

/// The music nouns of the socket.
extension Engine {
  /// `music.play`.
  public mutating func playMusic(_ params: MusicPlay.Params, by cause: Cause) throws(RPCError) -> MusicPlay.Result {
    let ranges = MusicPlay.ranges
    let (key, pack) = try asset(.track, params.track, by: cause)
    let crossfade = try crossfade(params, into: pack)
    var request = try asked { () throws(VerbRefusal) in
      try musicRequest(
        key.name, of: pack, continues: (params.from ?? ranges.from.fallback) == .continue, crossfade: crossfade)
    }
    request.askedGain = Float(try ranges.gain.checked(params.gain))
    if let loop = params.loop { request.loops = loop }
    let positionUs = try ranges.position.checked(params.positionUs)
    request.position = try position(positionUs, in: request.info)
    var (at, late) = try schedule(
      params.atUs, earliest: earliestStart(of: request.info, from: request.position))
    if let word = params.quantise {
      (at, late) = try quantised(params.atUs.map(Instant.init(microseconds:)), earliest: at, to: word)
    }
    request.late = late.frames(rate: configuration.rate)
    let predicted = predictedMusic(at: at)
    var heard = predicted.player.entrance(of: request, at: predicted.frame)
    if request.continues { heard = predicted.player.continued(request.track, at: predicted.frame) ?? heard }
    let id = try asked { () throws(VerbRefusal) in try plan(.play(request), at: at, by: cause) }
    return MusicPlay.Result(
      track: key.description, scheduledUs: at.microseconds, lateUs: late.microseconds, positionUs: microseconds(heard),
      plan: id.rawValue)
  }

  /// `music.seek`.
  public mutating func seekMusic(_ params: MusicSeek.Params, by cause: Cause) throws(RPCError) -> MusicSeek.Result {
    let crossfade = try fade(params.crossfadeUs, MusicSeek.ranges.crossfade, curve: .equalPower)
    let positionUs = try MusicSeek.ranges.position.checked(params.positionUs)
    // Which track it is depends on the instant, which depends on how long its stream takes to get there.
    let soonest = try schedule(params.atUs, earliest: turn.earliestSound).at
    let sought = try currentTrack(at: soonest)
    let place = try position(positionUs, in: sought.info)
    let (at, late) = try schedule(params.atUs, earliest: earliestStart(of: sought.info, from: place))
    let track = try currentTrack(at: at)
    _ = try position(positionUs, in: track.info)
    let lateFrames = late.frames(rate: configuration.rate)
    let predicted = predictedMusic(at: at)
    let heard = predicted.player.place(soughtTo: place, lateBy: lateFrames, at: predicted.frame) ?? place
    let id = try asked { () throws(VerbRefusal) in
      try plan(.seek(position: place, lateBy: lateFrames, crossfade: crossfade), at: at, by: cause)
    }
    return MusicSeek.Result(
      track: track.track.description, scheduledUs: at.microseconds, lateUs: late.microseconds,
      positionUs: microseconds(heard), plan: id.rawValue)
  }

  /// `music.stop`.
  public mutating func stopMusic(_ params: FadeParams, by cause: Cause) throws(RPCError) -> MusicScheduled {
    let fade = try fade(params.fadeUs, MusicStop.ranges.fade, curve: .equalPower)
    let (at, late) = try schedule(params.atUs, earliest: turn.earliestSound)
    let id = try asked { () throws(VerbRefusal) in
      params.atUs == nil
        ? try stopMusicForGood(fade, at: at, by: cause) : try stopMusic(fade, at: at, by: cause)
    }
    return MusicScheduled(scheduledUs: at.microseconds, lateUs: late.microseconds, plan: id.rawValue)
  }

  /// `music.pause`.
  public mutating func pauseMusic(_ params: FadeParams, by cause: Cause) throws(RPCError) -> MusicScheduled {
    let fade = try fade(params.fadeUs, MusicPause.ranges.fade, curve: .linear)
    return try change(by: .pause(.client, fade), atUs: params.atUs, by: cause)
  }

  /// `music.resume`.
  public mutating func resumeMusic(_ params: FadeParams, by cause: Cause) throws(RPCError) -> MusicScheduled {
    let fade = try fade(params.fadeUs, MusicResume.ranges.fade, curve: .linear)
    return try change(by: .resume(.client, fade), atUs: params.atUs, by: cause)
  }

  /// `music.gain`.
  public mutating func changeMusicGain(_ params: MusicGain.Params, by cause: Cause) throws(RPCError) -> MusicScheduled {
    guard (params.gain == nil) != (params.gainDb == nil) else {
      throw RPCError(
        .invalidParams, "\(method: "music.gain") wants either gain or \(field: "gainDb")",
        hint: "gain 0.5 is about \(field: "gainDb") -6")
    }
    let ranges = MusicGain.ranges
    let decibels = try ranges.decibels.checked(params.gainDb)
    let linear = try ranges.gain.checked(params.gain) ?? decibelGain(decibels ?? 0)
    let fade = try fade(params.fadeUs, ranges.fade, curve: .linear)
    guard let stem = params.stem else {
      return try change(by: .gain(Float(linear), fade), atUs: params.atUs, by: cause)
    }
    let track = try currentTrack(at: try schedule(params.atUs, earliest: turn.earliestSound).at)
    let stems = track.info.stems.map(\.name)
    guard stems.contains(stem) else {
      throw RPCError(
        .unknownName,
        "no stem \(excerpt(stem)) in track \(track.track)\(didYouMean(stem, among: stems))",
        hint: stems.isEmpty
          ? "it has no stems: leave \(field: "stem") out"
          : "\(field: "stem") is one of the track that plays; \(method: "pack.list") names them",
        candidates: nearest(to: stem, among: stems))
    }
    return try change(by: .stem(stem, Float(linear), fade), atUs: params.atUs, by: cause)
  }

  /// `music.cancel`.
  public mutating func cancelMusic(
    _ params: MusicCancel.Params, by cause: Cause
  ) throws(RPCError) -> MusicCancel.Result {
    try asked { () throws(VerbRefusal) in try cancelMusic(PlanID(rawValue: params.plan), .cancelled, by: cause) }
    return Empty()
  }

  /// `music.status`.
  public func musicStatus() -> MusicStatus.Result {
    let frame = turn.timeline.frame(at: present)
    let player = heardMusic
    let current = player.current
    let planned = music.planned(after: turn.now, most: MusicStatus.mostPlanned)
    return MusicStatus.Result(
      state: current == nil ? .stopped : player.pauses.isEmpty ? .playing : .paused,
      track: current.map { $0.track.description },
      positionUs: player.position(at: frame).map(microseconds),
      atUs: present.microseconds,
      durationUs: current.map { microseconds($0.info.frames) },
      bpm: current.flatMap { part in landmarks(of: part.track).grid.map { $0.bpm * part.rate } },
      position: musicalPosition(of: player),
      pausedBy: PauseReason.allCases.filter(player.pauses.contains),
      fading: player.fading(at: frame).map { $0.track.description },
      planned: planned.first.map { entry in
        var track: LoadedKey?
        if case .play(let request) = entry.verb { track = request.track }
        return MusicStatus.Planned(
          plan: entry.id.rawValue, verb: entry.verb.name, atUs: entry.at.microseconds,
          track: track.map(\.description))
      },
      plannedCount: planned.count,
      timeline: Timeline(turn.timeline))
  }

  private mutating func change(
    by verb: MusicVerb, atUs: Int64?, by cause: Cause
  ) throws(RPCError) -> MusicScheduled {
    let (at, late) = try schedule(atUs, earliest: turn.earliestSound)
    _ = try currentTrack(at: at)
    let id = try asked { () throws(VerbRefusal) in try plan(verb, at: at, by: cause) }
    return MusicScheduled(scheduledUs: at.microseconds, lateUs: late.microseconds, plan: id.rawValue)
  }

  /// The track that will be there at an instant, as far as is known.
  private mutating func currentTrack(at instant: Instant) throws(RPCError) -> MusicPlayer.Part {
    guard let current = predictedMusic(at: instant).player.current else {
      throw RPCError(.notRunning, "no track is playing", hint: "\(method: "music.play") begins one")
    }
    return current
  }

  private func position(_ us: Int64, in track: TrackInfo) throws(RPCError) -> Int64 {
    let length = microseconds(track.frames)
    guard us < length else {
      throw RPCError(
        .invalidParams,
        "\(field: "positionUs") \(microseconds: us) is outside the track, which lasts \(lasting: length)",
        hint: "give a position from 0 to below the track's \(field: "durationUs")")
    }
    return Interval.microseconds(us).frames(rate: configuration.rate)
  }
}
