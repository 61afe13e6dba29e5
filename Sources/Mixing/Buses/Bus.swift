// SPDX-License-Identifier: Apache-2.0

/// What voices are gathered into, each with a gain of its own.
public enum Bus: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  /// Music; draws on a pool of voices of its own.
  case music
  /// Sound effects.
  case sound
  /// Speech.
  case voice
  /// Audio that belongs to haptic patterns.
  case haptic

  /// How many there are.
  static var number: Int { @_noLocks get { 4 } }

  var index: Int { @_noLocks get { Int(rawValue) } }
}
