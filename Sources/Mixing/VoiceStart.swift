/// What becomes of a voice whose time has passed when its start is read.
public enum LatePolicy: Sendable, BitwiseCopyable {
  /// It starts at its beginning, at the first frame that can still be reached.
  case shift
  /// It enters where it would be by now, fading in over at least 5 ms.
  case skip

  var skips: Bool { @_noLocks get { if case .skip = self { true } else { false } } }
}

/// All that a voice starts with.
public struct VoiceStart: BitwiseCopyable {
  /// The voice's name from here on.
  public var id: VoiceID
  /// Its samples.
  public var source: VoiceSource
  /// The bus it goes to.
  public var bus: Bus
  /// The output frame at which its first frame is heard.
  public var at: Int64
  /// The frame of a resident source to begin with; of a loop counted on through its turns. For a stream it is only where
  /// the ring begins, and changes nothing.
  public var sourceFrame: Int64
  /// A voice at whose place in its source this one begins, whatever `sourceFrame` says: another colour of the same sound,
  /// exact to the fraction of a frame. Without that voice it never begins.
  public var alignedWith: VoiceID?
  /// Linear gain it rises to; not below 0.
  public var gain: Float
  /// How it rises. At once by default, which keeps a percussive beginning.
  public var fadeIn: Fade
  /// -1 left, 0 as the source is, 1 right; equal power, 3 dB up at the sides.
  public var pan: Float
  /// Playback speed of a resident source, 1/8...8; 1 is bit-exact. Streams are not pitched.
  public var pitch: Float
  /// What happens when `at` has passed.
  public var late: LatePolicy

  /// A voice; everything but its name, source, bus and time has a default.
  public init(
    id: VoiceID, source: VoiceSource, bus: Bus, at: Int64, sourceFrame: Int64 = 0,
    alignedWith: VoiceID? = nil, gain: Float = 1, fadeIn: Fade = .none, pan: Float = 0, pitch: Float = 1,
    late: LatePolicy = .shift
  ) {
    self.id = id
    self.source = source
    self.bus = bus
    self.at = at
    self.sourceFrame = sourceFrame
    self.alignedWith = alignedWith
    self.gain = gain
    self.fadeIn = fadeIn
    self.pan = pan
    self.pitch = pitch
    self.late = late
  }
}
