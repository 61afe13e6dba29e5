// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Timing
import Wire

/// The sound nouns of the socket.
extension Engine {
  /// `sound.play`.
  public mutating func playSound(_ params: SoundPlay.Params, by cause: Cause) throws(RPCError) -> SoundPlay.Result {
    let (key, frames, pack) = try asked { () throws(Refusal) in
      try catalog.resolve(.sound, params.sound, in: \.sounds)
    }
    let ranges = SoundPlay.ranges
    let options = SoundOptions(
      gain: try ranges.gain.checked(params.gain), pan: try ranges.pan.checked(params.pan),
      pitch: try ranges.pitch.checked(params.pitch), loops: params.loop ?? ranges.loop.fallback,
      keepAfterDisconnect: .microseconds(try ranges.keepAfterDisconnect.checked(params.keepAfterDisconnectUs)))
    let (at, late) = try schedule(params.atUs, earliest: turn.earliestSound)
    let voice = try asked { () throws(Refusal) in try play(key, in: pack, options, at: at, by: cause) }
    return SoundPlay.Result(
      id: Int64(voice.rawValue), scheduledUs: at.microseconds, lateUs: late.microseconds,
      durationUs: microseconds(Int64(Double(frames) / options.pitch)))
  }

  /// `sound.stop`.
  public mutating func stopSound(_ params: SoundStop.Params, by cause: Cause) throws(RPCError) -> Scheduled {
    let fade = try fade(params.fadeUs, SoundStop.ranges.fade, curve: .linear)
    let voice = params.id.map { VoiceID(rawValue: UInt64(bitPattern: $0)) }
    let (at, late) = try schedule(params.atUs, earliest: turn.earliestSound)
    try asked { () throws(Refusal) in
      try stopSound(voice, fade, at: at, isForGood: params.atUs == nil, by: cause)
    }
    return Scheduled(scheduledUs: at.microseconds, lateUs: late.microseconds)
  }
}
