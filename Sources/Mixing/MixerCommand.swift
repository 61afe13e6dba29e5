/// A bus turned down while something else is to be heard, and up again by itself.
public struct Duck: Equatable, Sendable, BitwiseCopyable {
  /// The gain it goes down to, 0...1.
  public var depth: Float
  /// Frames it takes to go down.
  public var attack: Int32
  /// Frames it stays down.
  public var hold: Int32
  /// Frames it takes to come back.
  public var release: Int32

  /// A duck of that shape.
  public init(depth: Float, attack: Int32, hold: Int32, release: Int32) {
    self.depth = depth
    self.attack = attack
    self.hold = hold
    self.release = release
  }
}

/// Something for the mixer to do at an exact output frame. A frame that has passed means now.
///
/// A command that names a voice which is planned but has not begun changes the plan; one that names no voice is ignored.
public enum MixerCommand: BitwiseCopyable {
  /// Begins a voice.
  case start(VoiceStart)
  /// Fades a voice out and ends it. A voice that has not begun never begins.
  case stop(VoiceID, at: Int64, fade: Fade)
  /// Fades out every voice on a bus, or on all buses, including those planned before this command.
  case stopAll(Bus?, at: Int64, fade: Fade)
  /// Changes a voice's gain. While it is paused or fading out, this is the gain that `resume` returns to.
  case gain(VoiceID, to: Float, at: Int64, fade: Fade)
  /// Fades a voice out and keeps its place.
  case pause(VoiceID, at: Int64, fade: Fade)
  /// Brings back a voice that is paused or fading out, from wherever its gain is.
  case resume(VoiceID, at: Int64, fade: Fade)
  /// Changes a bus's gain.
  case busGain(Bus, to: Float, at: Int64, fade: Fade)
  /// Turns a bus down for a while. Another duck meanwhile prolongs and deepens it.
  case duck(Bus, Duck, at: Int64)
  /// Moves a voice to -1 (left) ... 1 (right), in 5 ms.
  case pan(VoiceID, to: Float, at: Int64)
  /// Changes the speed of a voice with a resident source, 1/8...8.
  case pitch(VoiceID, to: Float, at: Int64)
  /// Takes back, on arrival, what was submitted before for that frame or later about a voice, but for its start. What has
  /// been mixed stays.
  case forget(VoiceID, from: Int64)

  /// Whether it changes that voice, which another command starts.
  @_noLocks public func changes(_ voice: VoiceID) -> Bool {
    switch self {
    case .stop(let id, _, _), .gain(let id, _, _, _), .pause(let id, _, _), .resume(let id, _, _), .pan(let id, _, _),
      .pitch(let id, _, _):
      id == voice
    case .start, .stopAll, .busGain, .duck, .forget: false
    }
  }

  /// The output frame it takes effect at.
  public var frame: Int64 {
    @_noLocks get {
      switch self {
      case .start(let start): return start.at
      case .stop(_, let at, _), .stopAll(_, let at, _), .gain(_, _, let at, _), .pause(_, let at, _),
        .resume(_, let at, _), .busGain(_, _, let at, _), .duck(_, _, let at), .pan(_, _, let at),
        .pitch(_, _, let at), .forget(_, let at):
        return at
      }
    }
  }
}
