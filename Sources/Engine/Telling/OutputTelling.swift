// SPDX-License-Identifier: Apache-2.0

import JSON
import Mixing
import Suggestions
import Timing
import Wire

/// What the outputs had to tell.
extension Engine {
  /// The device ran out: `lost` frames (0 or more) were not heard, `frame` the first of them, which was due at `instant`.
  /// Frames are the output's, and instants the clock's.
  public mutating func framesLost(_ lost: Int64, at frame: Int64, dueAt instant: Instant, isXrun: Bool) {
    if isXrun { xruns += 1 }
    guard lost > 0 else { return }
    timelineCorrected(by: .frames(lost, rate: configuration.rate), lost: lost, at: frame, dueAt: instant)
  }

  /// Frames are heard this much later than the timeline had said; `lost` frames (0 or more), `frame` the first of them,
  /// were passed over for it, and it was due at `instant`.
  public mutating func timelineCorrected(
    by correction: Interval, lost: Int64, at frame: Int64, dueAt instant: Instant
  ) {
    let told = TimelineCorrected(
      frame: frame, lostFrames: lost, correctionUs: correction.microseconds, xruns: xruns)
    perform(.notify(OutgoingNotification(told, tUs: instant.microseconds), nil))
  }

  /// A device was lost or found, or a haptic output came, went or changed; `audio` says in one sentence what plays now, `haptics`
  /// tells the haptic outputs where it is of them.
  public mutating func devicesChanged(audio: String, haptics: [EngineStatus.HapticOutput]? = nil) {
    notify(DevicesChanged(audio: audio, deviceLeadUs: turn.deviceLead.microseconds, haptics: haptics), at: present)
  }

  /// What a client is told who names an output that is not there.
  public static func unknownOutput(_ name: String, among known: [String]) -> RPCError {
    RPCError(
      .unknownName, "no haptic output \(excerpt(name))\(didYouMean(name, among: known))",
      hint: "\(method: "devices.list") names them",
      candidates: nearest(to: name, among: known))
  }

  /// The refusal of a sound device that does not play, where `playing` does.
  public static func unknownSoundDevice(_ name: String, playing: String) -> RPCError {
    if name == playing {
      return RPCError(
        .unknownName, "no sound device plays, and where nothing is heard there is no lead to set",
        hint: "\(method: "devices.list") tells as `audio` what plays")
    }
    return RPCError(
      .unknownName, "no sound device \(excerpt(name)) plays\(didYouMean(name, among: [playing]))",
      hint: "what is known of a device is set while it plays; \(method: "devices.list") names it as `audio`",
      candidates: nearest(to: name, among: [playing]))
  }

  /// The refusal of a lead while a chapter goes by another.
  public var leadIsFrozen: RPCError? {
    chapter.map {
      RPCError(
        .alreadyRunning, "chapter \($0.key) is running, and the sound device's lead stays as it is until that ends",
        hint: "set it when the chapter is over; \(method: "rhythm.stop") ends it")
    }
  }
}
