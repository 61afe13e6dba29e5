import Glibc
import Timing

/// What a pattern asks to be heard, for the mixer to play on the same timeline.
public struct HapticAudioEvent: Hashable, Sendable {
  /// Where the sound comes from.
  public enum Source: Hashable, Sendable {
    /// A sound file, named as in the AHAP file.
    case waveform(path: String, loops: Bool)
    /// A steady tone for the event's duration.
    case tone
  }

  /// Where the sound comes from.
  public let source: Source
  /// From the pattern's start.
  public let time: Interval
  /// Nil when the sound file's own length counts.
  public let duration: Interval?
  /// 0...1, before controls and envelope, as are the next three.
  public let volume: Double
  /// -1 (left) ... 1 (right).
  public let pan: Double
  /// -1 (lowest) ... 1 (highest).
  public let pitch: Double
  /// 0 (dull) ... 1 (as recorded).
  public let brightness: Double
  /// How it rises and falls; nil for a file played as it is.
  let envelope: HapticEnvelope?
  /// Of the pattern it is in.
  let controls: HapticAudioControls
  /// Of the sound file at its own pitch, where it is known.
  var fileLength: Interval?

  /// From its start until nothing is left, release included; nil when the sound file's own length counts.
  public var length: Interval? {
    guard let envelope, envelope.hasEnd else { return duration }
    return Interval(nanoseconds: envelope.end)
  }

  /// As `length`, or what its file lasts at the pitch it begins with; nil when neither is known.
  var knownLength: Interval? {
    length ?? fileLength.map { .seconds($0.seconds / level(at: time).speed) }
  }

  /// Whether its brightness is ever another than 1.
  public var isShaped: Bool { brightness < 1 || !controls.brightness.pieces.isEmpty }
}

/// What leads the sounds of a pattern.
struct HapticAudioControls: Hashable, Sendable {
  var volume: ControlTrack
  var pan: ControlTrack
  var pitch: ControlTrack
  var brightness: ControlTrack

  var all: [ControlTrack] { [volume, pan, pitch, brightness] }
}

/// What a sound of a pattern is at one place of it.
public struct HapticAudioLevel: Hashable, Sendable, BitwiseCopyable {
  /// 0...1: volume, its control and the envelope.
  public var gain: Double
  /// -1 (left) ... 1 (right).
  public var pan: Double
  /// -1 (lowest) ... 1 (highest).
  public var pitch: Double
  /// 0 (dull) ... 1 (as recorded).
  public var brightness: Double

  /// Times as fast as made: Apple gives pitch a range and no unit; here it is an octave down to an octave up.
  public var speed: Double { exp2(pitch) }
}

extension HapticAudioEvent {
  /// What it is at `time` from the pattern's start. AudioVolumeControl multiplies, the other controls are added; then each
  /// is clamped.
  public func level(at time: Interval) -> HapticAudioLevel {
    let at = time.nanoseconds
    let age = (time - self.time).nanoseconds
    return HapticAudioLevel(
      gain: unitClamp(volume * controls.volume.value(at: at)) * (envelope?.level(at: age) ?? 1),
      pan: signedClamp(pan + controls.pan.value(at: at)),
      pitch: signedClamp(pitch + controls.pitch.value(at: at)),
      brightness: unitClamp(brightness + controls.brightness.value(at: at)))
  }

  /// The next place after `time` where it steps or bends; nil when there is none.
  public func nextEdge(after time: Interval) -> Interval? {
    let age = (time - self.time).nanoseconds
    var next = controls.all.compactMap { $0.nextBend(after: time.nanoseconds) }.min() ?? .max
    for corner in envelope?.corners ?? [] where corner > age && corner < .max {
      next = min(next, saturatingSum(self.time.nanoseconds, corner))
    }
    return next < .max ? Interval(nanoseconds: next) : nil
  }

  /// Whether it changes steadily from `time` on, up to the next edge.
  public func isMoving(at time: Interval) -> Bool {
    if let envelope, envelope.isMoving(at: (time - self.time).nanoseconds) { return true }
    return controls.all.contains { $0.isMoving(at: time.nanoseconds) }
  }
}

/// `value` clamped to -1...1; NaN is 0.
func signedClamp(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, -1), 1) }
