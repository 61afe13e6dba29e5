import Mixing
import Suggestions
import Timing
import Wire

/// What the outputs had to tell.
extension Engine {
  /// The device ran out: `lost` frames (0 or more) were not heard, `frame` the first of them.
  public mutating func framesLost(_ lost: Int64, at frame: Int64, isXrun: Bool, _ output: OutputState) {
    if isXrun { xruns += 1 }
    guard lost > 0 else { return }
    let length = Interval.frames(lost, rate: configuration.rate)
    notify(
      TimelineCorrected(frame: frame, lostFrames: lost, correctionUs: length.microseconds, xruns: xruns),
      at: output.timeline.instant(ofFrame: frame))
  }

  /// Frames are heard this much later than the timeline had said; `lost` frames (0 or more), `frame` the first of them,
  /// were passed over for it.
  public mutating func timelineCorrected(
    by correction: Interval, lost: Int64, at frame: Int64, _ output: OutputState
  ) {
    notify(
      TimelineCorrected(frame: frame, lostFrames: lost, correctionUs: correction.microseconds, xruns: xruns),
      at: output.timeline.instant(ofFrame: frame))
  }

  /// A device was lost or found; `device` says in one sentence what plays now.
  public mutating func audioDeviceChanged(_ device: String, _ output: OutputState) {
    notify(DevicesChanged(audio: device), at: output.now)
  }

  /// What a client is told who names an output that is not there.
  public static func unknownOutput(_ name: String, among known: [String]) -> RPCError {
    RPCError(
      .unknownName, "no haptic output \(name)" + didYouMean(name, among: known), hint: "devices.list names them",
      candidates: nearest(to: name, among: known))
  }

  /// A haptic output came, went or changed.
  public mutating func hapticDevicesChanged(
    _ haptics: [EngineStatus.HapticOutput], audio: String, _ output: OutputState
  ) {
    notify(DevicesChanged(audio: audio, haptics: haptics), at: output.now)
  }

  /// A voice's stream ran dry.
  public mutating func voiceStarved(_ voice: VoiceID, at frame: Int64, _ output: OutputState) {
    tellMusic(.starved, music.track(of: voice), fade: nil, at: frame, output)
  }

  /// A voice whose stream ran dry sounds again, where it would have been.
  public mutating func voiceRejoined(_ voice: VoiceID, at frame: Int64, _ output: OutputState) {
    tellMusic(.rejoined, music.track(of: voice), fade: nil, at: frame, output)
  }
}
