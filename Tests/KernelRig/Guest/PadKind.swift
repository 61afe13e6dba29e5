// SPDX-License-Identifier: Apache-2.0

import CRealTime

/// What a virtual pad can play, as drivers declare it.
enum PadKind: String {
  /// Two motors. The kernel's ff-memless lets them play waves too, and so do these.
  case rumble
  /// Waves alone, as some sticks; without a gain. The kernel makes rumble of them, by a law of its own.
  case periodic
  /// A steady force alone, as some wheels.
  case constant
  /// A motor of something that is no game pad, as a phone's: two motors, no buttons, no sticks.
  case vibrator

  /// What it declares: FF_* of linux/input.h.
  var declared: [Int32] {
    switch self {
    case .rumble: [FF_RUMBLE, FF_PERIODIC, FF_SQUARE, FF_TRIANGLE, FF_SINE, FF_GAIN]
    case .periodic: [FF_PERIODIC, FF_SQUARE, FF_TRIANGLE, FF_SINE]
    case .constant: [FF_CONSTANT, FF_GAIN]
    case .vibrator: [FF_RUMBLE, FF_GAIN]
    }
  }

  /// The kind of effect it must be given.
  var played: Int32 {
    switch self {
    case .rumble, .vibrator: FF_RUMBLE
    case .periodic: FF_PERIODIC
    case .constant: FF_CONSTANT
    }
  }

  /// Whether it has one strength in place of two motors.
  var isSingle: Bool { self == .periodic || self == .constant }
  var hasGain: Bool { declared.contains(FF_GAIN) }
  var isPad: Bool { self != .vibrator }
}
