// SPDX-License-Identifier: Apache-2.0

import Glibc
import Timing

/// The course of a continuous event's intensity, or of a sound's gain, 0...1, over its life.
///
/// Core Haptics gives AttackTime, DecayTime and ReleaseTime as normalised adjusters from the shortest time it has (0) to
/// the longest (1), growing exponentially, and tells neither end. Chosen here:
///
/// - attack and release from 0 to 1 s: an event that says nothing has exact edges, an actuator rounds them anyway;
/// - decay from 20 ms to 1 s: an unsustained event that says no more is as long as a transient, not silent;
/// - each tenth of the adjuster lengthens the time by half (base 100): 0.5 is 91 ms, 0.8 is 392 ms.
///
/// A sustained event rises for its attack, holds to the end of its duration, then falls for its release. An unsustained
/// one rises, then falls for its decay, and ends at zero or at the end of its duration, whichever is first; it has no
/// release. All joins are linear. A rise cut short by the end of the duration is released from where it stands.
struct HapticEnvelope: Hashable, Sendable, BitwiseCopyable {
  /// Nanoseconds from the event's start.
  let attack: Int64
  /// Length of the fall after the attack; nil when sustained.
  let decay: Int64?
  /// When a sustained event begins to fall, and an unsustained one is cut off.
  let duration: Int64
  let release: Int64

  /// Adjusters within 0...1; `duration` not negative, nil for what ends by itself and so has no release.
  init(attack: Double, decay: Double, release: Double, sustained: Bool, duration: Interval?) {
    self.attack = Self.time(attack, from: 0)
    self.decay = sustained ? nil : Self.time(decay, from: 0.02)
    self.duration = duration?.nanoseconds ?? .max
    self.release = sustained && duration != nil ? Self.time(release, from: 0) : 0
  }

  /// When nothing is left, in nanoseconds from the event's start; the greatest number for what ends by itself.
  var end: Int64 {
    @_noAllocation get {
      guard let decay else { return duration + release }
      return min(duration, attack + decay)
    }
  }

  /// Whether it ends by itself, not with what it is laid over.
  var hasEnd: Bool { end < .max }

  /// The level at `time` nanoseconds from the event's start; 0 outside `0..<end`.
  @_noAllocation func level(at time: Int64) -> Double {
    if time < 0 || time >= end { return 0 }
    if time >= duration {
      let top = duration < attack ? Double(duration) / Double(attack) : 1
      return top * (1 - Double(time - duration) / Double(release))
    }
    if time < attack { return Double(time) / Double(attack) }
    guard let decay else { return 1 }
    return 1 - Double(time - attack) / Double(decay)
  }

  /// Whether the level changes from `time` on.
  @_noAllocation func isMoving(at time: Int64) -> Bool {
    if time < 0 || time >= end { return false }
    return time < attack || time >= duration || decay != nil
  }

  /// The instants at which the course bends, in nanoseconds from the event's start.
  var corners: [Int64] { [0, min(attack, end), min(duration, end), end] }

  /// The next of them after `time`; nil when none is left.
  func nextCorner(after time: Int64) -> Int64? {
    let (top, fall, last) = (min(attack, end), min(duration, end), end)
    let next = min(0 > time ? 0 : .max, top > time ? top : .max, fall > time ? fall : .max, last > time ? last : .max)
    return next < .max ? next : nil
  }

  /// An adjuster's time in nanoseconds, `shortest` (seconds) at 0 and one second at 1.
  static func time(_ adjuster: Double, from shortest: Double) -> Int64 {
    let growth = (pow(100, unitClamp(adjuster)) - 1) / 99
    return Interval.seconds(shortest + (1 - shortest) * growth).nanoseconds
  }
}
