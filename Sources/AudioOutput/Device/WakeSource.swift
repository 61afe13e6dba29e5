// SPDX-License-Identifier: Apache-2.0

/// What wakes the audio thread where a device has room for what is written at a time: pure.
///
/// A period of a card is no more than how often it interrupts. Where the least of them is long, three of them ahead would be
/// late by as much; so the thread sleeps on the clock until there is room, and the card's own periods are left to stop it where it
/// runs dry. Where the position itself is told by periods the clock would wake for what cannot be seen yet.
enum WakeSource: Equatable, Sendable, BitwiseCopyable {
  /// The device itself, once a period.
  case device
  /// The clock, when there is room by what the device told last.
  case timer

  /// The longest of a card's least periods, in frames, at which it wakes by itself: three of them are 8 ms at 48 kHz.
  static let longestOwn = 128

  /// For a device of that kind whose least period is `leastPeriod` frames, where `period` frames are to be written at a time.
  ///
  /// One that is known to need as much ahead as three of its own periods gains nothing by the clock, and may have turned out to
  /// move in steps (`PositionSteps`): it wakes by itself.
  init(writing period: Int, leastPeriod: Int, kind: DeviceKind, needed: Int? = nil) {
    guard kind == .card, leastPeriod > WakeSource.longestOwn, period < leastPeriod,
      needed ?? 0 < WakeSource.needed(ownPeriod: leastPeriod)
    else {
      self = .device
      return
    }
    self = .timer
  }

  /// The frames that a device with own periods of so many is kept ahead where it wakes by itself, as far as that is remembered.
  static func needed(ownPeriod: Int) -> Int { min(3 * ownPeriod, ReopenPolicy.longestFill) }

  /// Whether it is the clock.
  var isTimer: Bool {
    @_noLocks get {
      switch self {
      case .device: false
      case .timer: true
      }
    }
  }
}
