// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Timing
import Wire

/// The cue nouns of the socket.
extension Engine {
  /// `cue.fire`.
  public mutating func fireCue(_ params: CueFire.Params, by cause: Cause) throws(RPCError) -> CueFire.Result {
    let (key, pack) = try asked { () throws(Refusal) in try catalog.resolve(.cue, params.cue) }
    guard let cue = pack.manifest.cues[key.name] else {
      throw RPCError(.internal, "cue \(key.name) is listed but missing")
    }
    let ranges = CueFire.ranges
    let keep = Interval.microseconds(try ranges.keepAfterDisconnect.checked(params.keepAfterDisconnectUs))
    var (zero, late) = try zero(of: params)
    if let grid = params.quantise {
      let next = try quantised(zero.sound, to: grid)
      zero = CueZero(sound: next, haptic: next)
    }
    let (id, skipped) = try asked { () throws(Refusal) in
      try fire(cue, key, in: pack, at: zero, keepAfterDisconnect: keep, by: cause)
    }
    let hasHaptic = cue.steps.contains { $0.action.isFelt }
    let hasSound = cue.steps.contains { !$0.action.isFelt }
    return CueFire.Result(
      scheduledUs: zero.instant(of: cue).microseconds, lateUs: late.microseconds,
      soundAtUs: hasSound ? zero.sound.microseconds : nil, hapticAtUs: hasHaptic ? zero.haptic.microseconds : nil,
      skewUs: hasSound && hasHaptic ? (zero.haptic - zero.sound).microseconds : nil, skipped: skipped,
      id: id.rawValue)
  }

  /// The cue's zero for what is heard and for what is felt. A late cue moves whole.
  private func zero(of params: CueFire.Params) throws(RPCError) -> (zero: CueZero, late: Interval) {
    let both = max(turn.earliestSound, turn.earliestHaptic)
    if params.atUs != nil || (params.align ?? CueFire.ranges.align.fallback) == .together {
      let (at, late) = try schedule(params.atUs, earliest: both)
      return (CueZero(sound: at, haptic: at), late)
    }
    let sound = try schedule(nil, earliest: turn.earliestSound).at
    return (CueZero(sound: sound, haptic: try schedule(nil, earliest: turn.earliestHaptic).at), .zero)
  }

  /// The first beat or bar of the music at or after `instant`, as it is heard: positions of the track, also behind the
  /// seam of a loop that is no whole number of bars.
  func quantised(_ instant: Instant, to grid: Quantise) throws(RPCError) -> Instant {
    let player = predictedMusic(at: instant)
    guard let part = player.current, player.pauses.isEmpty,
      let track = catalog.pack(named: part.track.pack)?.manifest.tracks[part.track.name], let bpm = track.bpm
    else {
      throw RPCError(
        .unavailable, "there is no beat to wait for: no track with a tempo is playing",
        hint: "play one first, or leave \(field: "quantise") out")
    }
    let rate = Double(configuration.rate)
    let beats = MusicGrid(
      first: track.firstBeat.seconds * rate, step: 60 / bpm * (grid == .bar ? Double(track.beatsPerBar) : 1) * rate)
    let frame = turn.timeline.frame(at: instant)
    guard let next = part.next(on: beats, from: frame) else {
      throw RPCError(
        .unavailable, "there is no \(grid.rawValue) to wait for: the track ends before its next",
        hint: "leave \(field: "quantise") out")
    }
    return max(turn.timeline.instant(ofFrame: next), instant).roundedUpToMicrosecond
  }
}
