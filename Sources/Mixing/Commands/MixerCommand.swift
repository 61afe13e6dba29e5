// SPDX-License-Identifier: Apache-2.0

/// Something for the mixer to do at an exact output frame. A frame that has passed means now.
///
/// Where a pause or its end so comes late, a voice that keeps its place (`LatePolicy.skip`) is where it was to be once it
/// goes on: it passes over what it has missed, or stands on until then.
///
/// A command that names a voice which is planned but has not begun changes the plan; one that names no voice is ignored.
public enum MixerCommand: BitwiseCopyable {
  /// Begins a voice.
  case start(VoiceStart<VoiceSource>)
  /// Fades a voice out from what is heard of it and ends it, at once where it stands paused or is silent: its gain stays as it
  /// is then. A voice that has not begun never begins.
  case stop(VoiceID, at: Int64, fade: Fade)
  /// As `stop`, but changes of its gain go on beneath the fade, which is as long as it was told whatever the gain; and a voice
  /// that is on its way out already is over no later for it.
  case end(VoiceID, at: Int64, fade: Fade)
  /// As `end`, of each voice that sounds by then, is of that `sound` (for 0 of any), and whose `instant` lies before that one.
  case endMany(UInt32, before: Int64, at: Int64, fade: Fade)
  /// Whose voices those of that owner are has gone: they, begun or planned before, are of `VoiceOwner.gone` from here on.
  case leave(UInt64, at: Int64)
  /// As `stop`, but a voice that is paused stays so, and fades out from where it stands when it is resumed.
  case fadeOut(VoiceID, at: Int64, fade: Fade)
  /// Brings back a voice that is fading out, from wherever its gain is. One that is paused stays so.
  case bringBack(VoiceID, at: Int64, fade: Fade)
  /// Fades out every voice on a bus, or on all buses, including those planned before this command.
  case stopAll(Bus?, at: Int64, fade: Fade)
  /// Changes a voice's gain, while it is fading out as well: what is left of it is a factor of its own, and it is over when it
  /// was to be. `bringBack` returns to that gain. While it is paused the fade stands with it.
  case gain(VoiceID, to: Float, at: Int64, fade: Fade)
  /// Changes the gain of one of a voice's stems, counted from 0. While the voice is paused the fade stands with it.
  case stem(VoiceID, Int32, to: Float, at: Int64, fade: Fade)
  /// Turns a voice down, on top of its gain, and then lets it stand: its place, its fades, and the end it was on its way to.
  case pause(VoiceID, at: Int64, fade: Fade)
  /// Turns a voice that is paused up again, and lets it go on where it stands.
  case resume(VoiceID, at: Int64, fade: Fade)
  /// Changes a bus's gain.
  case busGain(Bus, to: Float, at: Int64, fade: Fade)
  /// Moves a voice to -1 (left) ... 1 (right), in 5 ms.
  case pan(VoiceID, to: Float, at: Int64)
  /// Changes the speed of a voice with a resident source, 1/8...8.
  case pitch(VoiceID, to: Float, at: Int64)
  /// Drives something on top of what it is told itself, from wherever it is, by a straight line.
  case drive(DrivenTarget, to: Float, at: Int64, fade: Fade)
  /// Takes back, on arrival, what was submitted before to drive a target at that frame or later and has not been mixed.
  case retractDriven(DrivenTarget, from: Int64)
  /// Takes back, on arrival, what was submitted before about a voice for that frame or later and has not been mixed: what
  /// is to change it, and its start, which is then told as cancelled. What has been mixed stands.
  case retract(VoiceID, from: Int64)
  /// Brings a voice back to its course, on arrival, where something that it was told for that frame or later and that is
  /// taken back has been mixed; does nothing where nothing has.
  case restore(VoiceID, to: VoiceCourse, from: Int64)

  /// Whether it is about that voice and no other.
  @_noLocks public func concerns(_ voice: VoiceID) -> Bool {
    if let own = self.voice { own == voice } else { false }
  }

  /// The one voice that it is about.
  var voice: VoiceID? {
    @_noLocks get {
      switch self {
      case .start(let start): start.id
      case .stop(let id, _, _), .end(let id, _, _), .fadeOut(let id, _, _), .bringBack(let id, _, _),
        .gain(let id, _, _, _), .pause(let id, _, _), .resume(let id, _, _), .pan(let id, _, _), .pitch(let id, _, _),
        .retract(let id, _), .restore(let id, _, _),
        .stem(let id, _, _, _, _):
        id
      case .endMany, .leave, .stopAll, .busGain, .drive, .retractDriven: nil
      }
    }
  }

  /// Whether it drives that target.
  @_noLocks public func drives(_ target: DrivenTarget) -> Bool {
    if case .drive(let driven, _, _, _) = self { driven.isSame(as: target) } else { false }
  }

  /// The output frame it takes effect at.
  public var frame: Int64 {
    @_noLocks get {
      switch self {
      case .start(let start): return start.at
      case .stop(_, let at, _), .end(_, let at, _), .fadeOut(_, let at, _), .bringBack(_, let at, _),
        .stopAll(_, let at, _), .endMany(_, _, let at, _),
        .gain(_, _, let at, _), .pause(_, let at, _), .resume(_, let at, _), .busGain(_, _, let at, _),
        .stem(_, _, _, let at, _), .pan(_, _, let at), .pitch(_, _, let at), .retract(_, let at),
        .restore(_, _, let at),
        .drive(_, _, let at, _), .leave(_, let at),
        .retractDriven(_, let at):
        return at
      }
    }
  }
}
