// SPDX-License-Identifier: Apache-2.0

import Timing

/// What steers the sounds of a pattern or of a player.
public struct HapticAudioControls: Hashable, Sendable {
  /// The controls at one instant.
  public struct Values: Hashable, Sendable, BitwiseCopyable {
    /// Multiplies, 0...1.
    public var volume: Double
    /// Is added, as are the next two; -1...1.
    public var pan: Double
    /// -1...1.
    public var pitch: Double
    /// -1...1.
    public var brightness: Double

    /// What changes nothing.
    public static let neutral = Values(volume: 1, pan: 0, pitch: 0, brightness: 0)
  }

  var volume = ControlTrack(.audioVolume)
  var pan = ControlTrack(.audioPan)
  var pitch = ControlTrack(.audioPitch)
  var brightness = ControlTrack(.audioBrightness)

  /// Controls that change nothing.
  public init() {}

  init(volume: ControlTrack, pan: ControlTrack, pitch: ControlTrack, brightness: ControlTrack) {
    self.volume = volume
    self.pan = pan
    self.pitch = pitch
    self.brightness = brightness
  }

  func values(at time: Int64) -> Values {
    Values(
      volume: volume.value(at: time), pan: pan.value(at: time), pitch: pitch.value(at: time),
      brightness: brightness.value(at: time))
  }

  /// The first bend or step after `time`.
  func nextBend(after time: Int64) -> Int64? {
    let next = min(
      volume.nextBend(after: time) ?? .max, pan.nextBend(after: time) ?? .max, pitch.nextBend(after: time) ?? .max,
      brightness.nextBend(after: time) ?? .max)
    return next < .max ? next : nil
  }

  func isMoving(at time: Int64) -> Bool {
    volume.isMoving(at: time) || pan.isMoving(at: time) || pitch.isMoving(at: time) || brightness.isMoving(at: time)
  }
}

/// Those of a player, which count in clock time.
extension HapticAudioControls {
  /// The controls at `instant`.
  public func values(at instant: Instant) -> Values { values(at: instant.nanoseconds) }

  /// The first bend or step after `instant`; nil when there is none.
  public func nextBend(after instant: Instant) -> Instant? {
    nextBend(after: instant.nanoseconds).map(Instant.init(nanoseconds:))
  }

  /// Whether any changes steadily from `instant` on.
  public func isMoving(at instant: Instant) -> Bool { isMoving(at: instant.nanoseconds) }

  /// Drives a control along `curve` from `instant` on; one of what is felt changes nothing.
  public mutating func insert(_ curve: HapticParameterCurve, at instant: Instant) {
    switch curve.control {
    case .audioVolume: volume.insert(curve.points, from: instant.nanoseconds)
    case .audioPan: pan.insert(curve.points, from: instant.nanoseconds)
    case .audioPitch: pitch.insert(curve.points, from: instant.nanoseconds)
    case .audioBrightness: brightness.insert(curve.points, from: instant.nanoseconds)
    case .intensity, .sharpness: break
    }
  }

  /// Frees what was said about times before `instant`.
  public mutating func forget(before instant: Instant) {
    volume.forget(before: instant.nanoseconds)
    pan.forget(before: instant.nanoseconds)
    pitch.forget(before: instant.nanoseconds)
    brightness.forget(before: instant.nanoseconds)
  }
}
