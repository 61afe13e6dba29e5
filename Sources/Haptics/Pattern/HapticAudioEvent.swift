// SPDX-License-Identifier: Apache-2.0

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
  /// Of the pattern's control of pitch.
  let pitches: PitchCourse
  /// Of the sound file at its own pitch, where it is known.
  var fileLength: Interval? { didSet { fileEnd = fileLength.map(placeWherePlayed) } }
  /// Where in the pattern the file has been heard.
  private(set) var fileEnd: Interval?

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

extension HapticAudioEvent {
  /// What it is at `time` from the pattern's start. The pattern's controls act on it, and those of its player on top:
  /// AudioVolumeControl multiplies, the others are added; then each is clamped.
  public func level(at time: Interval, _ live: HapticAudioControls.Values = .neutral) -> HapticAudioLevel {
    let own = controls.values(at: time.nanoseconds)
    let age = (time - self.time).nanoseconds
    return HapticAudioLevel(
      gain: unitClamp(volume * own.volume * live.volume) * (envelope?.level(at: age) ?? 1),
      pan: signedClamp(pan + own.pan + live.pan), pitch: signedClamp(pitch + own.pitch + live.pitch),
      brightness: unitClamp(brightness + own.brightness + live.brightness))
  }

  /// How far into its source it is at `time`, played from its start at the pitch the pattern gives it.
  public func sourceTime(at time: Interval) -> Interval {
    .nanoseconds(pitches.played(from: self.time.nanoseconds, to: time.nanoseconds, pitch: pitch))
  }

  /// Whether something of it is left to be heard at `time`, after its start, as far as its end is known.
  func isSounding(at time: Interval) -> Bool {
    if time < self.time { return false }
    if let length { return time < self.time + length }
    return fileEnd.map { time < $0 } ?? false
  }

  /// The first place in the pattern where so much of its source has been played.
  private func placeWherePlayed(_ length: Interval) -> Interval {
    // Nothing is played slower than at half its speed.
    var low = time.nanoseconds
    var high = saturatingSum(low, saturatingSum(length.nanoseconds, length.nanoseconds))
    while low < high {
      let middle = low + (high - low) / 2
      if sourceTime(at: Interval(nanoseconds: middle)) < length { low = middle + 1 } else { high = middle }
    }
    return Interval(nanoseconds: low)
  }

  /// The next place after `time` where it steps or bends; nil when there is none.
  public func nextEdge(after time: Interval) -> Interval? {
    let age = (time - self.time).nanoseconds
    var next = controls.nextBend(after: time.nanoseconds) ?? .max
    if let corner = envelope?.nextCorner(after: age) { next = min(next, saturatingSum(self.time.nanoseconds, corner)) }
    return next < .max ? Interval(nanoseconds: next) : nil
  }

  /// Whether it changes steadily from `time` on, up to the next edge.
  public func isMoving(at time: Interval) -> Bool {
    if let envelope, envelope.isMoving(at: (time - self.time).nanoseconds) { return true }
    return controls.isMoving(at: time.nanoseconds)
  }
}

/// `value` clamped to -1...1; NaN is 0.
func signedClamp(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, -1), 1) }
