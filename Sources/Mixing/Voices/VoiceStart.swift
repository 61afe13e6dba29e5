// SPDX-License-Identifier: Apache-2.0

/// What becomes of a voice whose time has passed when its start is read, or a pause of it, or the end of one.
public enum LatePolicy: Sendable, BitwiseCopyable {
  /// It starts at its beginning, at the first frame that can still be reached, and stands and goes on so, too.
  case shift
  /// It enters where it would be by now, fading in over at least 5 ms; and after a pause goes on where it would be.
  case skip

  var skips: Bool { @_noLocks get { if case .skip = self { true } else { false } } }
}

/// All that a voice starts with. `Source` says what it plays: samples for the mixer, a name for who does not know them.
public struct VoiceStart<Source> {
  /// The voice's name from here on.
  public var id: VoiceID
  /// What it plays.
  public var source: Source
  /// The bus it goes to.
  public var bus: Bus
  /// Whose it is, by a number: where all voices sound somebody gives one up (`VoiceBank.takeSlot`), and 0 after all others.
  public var owner: UInt64 = 0
  /// The user whose client that is, by a number.
  public var user: UInt32 = 0
  /// Which sound it is, by a number from 1; 0 for what is none, and which no `MixerCommand.endMany` is of.
  public var sound: UInt32 = 0
  /// When it begins, by any clock: what is ended together are those that begin before an instant of the same.
  public var instant: Int64 = 0
  /// The output frame at which its first frame is heard.
  public var at: Int64
  /// The output frame that it was planned for: before `at` where it is told too late to begin there. One that was to begin among
  /// frames that were passed over is in its place behind them, whatever `late` says.
  public var planned: Int64
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
  /// Playback speed, 1/8...8 of a resident source, to 2 of a stream; 1 is bit-exact.
  public var pitch: Float
  /// The number of the family that it is driven with, or -1.
  public var family: Int32
  /// The gains of the stems that a stream carries besides its track.
  public var stems = StemGains()
  /// The rule by which a bus steps back while it sounds.
  public var ducking: DuckRule?
  /// What happens when `at` has passed.
  public var late: LatePolicy

  /// A voice; everything but its name, source, bus and time has a default.
  public init(
    id: VoiceID, source: Source, bus: Bus, at: Int64, sourceFrame: Int64 = 0,
    alignedWith: VoiceID? = nil, gain: Float = 1, fadeIn: Fade = .none, pan: Float = 0, pitch: Float = 1,
    family: Int32 = -1, ducking: DuckRule? = nil, late: LatePolicy = .shift
  ) {
    self.id = id
    self.source = source
    self.bus = bus
    self.at = at
    planned = at
    self.sourceFrame = sourceFrame
    self.alignedWith = alignedWith
    self.gain = gain
    self.fadeIn = fadeIn
    self.pan = pan
    self.pitch = pitch
    self.family = family
    self.ducking = ducking
    self.late = late
  }
  /// The same start of another source: what a name stands for.
  public func with<Other>(_ source: Other) -> VoiceStart<Other> {
    var start = VoiceStart<Other>(
      id: id, source: source, bus: bus, at: at, sourceFrame: sourceFrame, alignedWith: alignedWith, gain: gain,
      fadeIn: fadeIn, pan: pan, pitch: pitch, family: family, ducking: ducking, late: late)
    start.stems = stems
    (start.owner, start.user, start.sound, start.instant) = (owner, user, sound, instant)
    start.planned = planned
    return start
  }
}

extension VoiceStart: BitwiseCopyable where Source: BitwiseCopyable {}
extension VoiceStart: Sendable where Source: Sendable {}
extension VoiceStart: Equatable where Source: Equatable {}
