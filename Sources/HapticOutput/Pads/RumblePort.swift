// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Haptics
import Timing

/// An open pad with its one effect: the system calls, and no more.
struct RumblePort: ~Copyable {
  private let descriptor: Int32
  private var kind: Int32
  private var effect: Int32 = -1

  /// Opens the event node at `path`; the error is an errno, EOPNOTSUPP when nothing can be felt there.
  init(path: String) throws(Errno) {
    let descriptor = rt_evdev_open(path)
    if descriptor < 0 { throw Errno(code: -descriptor) }
    let kinds = [rt_evdev_rumble, rt_evdev_periodic, rt_evdev_constant].map { Int32($0) }
    guard let kind = kinds.first(where: { rt_evdev_has(descriptor, $0) != 0 }) else {
      close(descriptor)
      throw Errno(code: EOPNOTSUPP)
    }
    self.descriptor = descriptor
    self.kind = kind
  }

  /// Lets the pad play as strongly as it is told: whoever used it last may have left it softer.
  func setFullGain() { _ = rt_evdev_full_gain(descriptor) }

  /// The kernel stops and forgets the effects of a descriptor that closes.
  deinit { close(descriptor) }

  /// Whether the pad is still plugged in.
  var isThere: Bool { rt_evdev_is_there(descriptor) != 0 }

  /// An error number of the system.
  struct Errno: Error {
    var code: Int32
    /// The pad is gone, rather than unwilling.
    var isGone: Bool { code == ENODEV || code == EBADF || code == EIO }
  }

  /// Lets the pad do `write`.
  mutating func carryOut(_ write: RumbleWrite, length: Interval) throws(Errno) {
    switch write {
    case .play(let motors?):
      let isFirst = effect < 0
      effect = try check(upload(motors, as: kind, length))
      if isFirst { try takeOverWave(motors, length) }
      _ = try check(rt_evdev_send(descriptor, UInt16(effect), 1))
    case .play(nil): if effect >= 0 { _ = try check(rt_evdev_send(descriptor, UInt16(effect), 1)) }
    case .stop: if effect >= 0 { _ = try check(rt_evdev_send(descriptor, UInt16(effect), 0)) }
    }
  }

  /// Of a pad that plays waves alone the kernel says that it rumbles too, and makes of a rumble a wave of two thirds of
  /// the strong motor and one of the weak: a pattern that is all sharpness would lose two thirds of its strength. An
  /// effect is changed in place only by one of its own kind, which tells what became of the rumble; then the pad is given
  /// waves.
  private mutating func takeOverWave(_ motors: MotorLevels, _ length: Interval) throws(Errno) {
    let wave = Int32(rt_evdev_periodic)
    guard kind == rt_evdev_rumble, rt_evdev_has(descriptor, wave) != 0 else { return }
    let result = upload(motors, as: wave, length)
    if result == -EINVAL { return }
    _ = try check(result)
    kind = wave
  }

  private func upload(_ motors: MotorLevels, as kind: Int32, _ length: Interval) -> Int32 {
    rt_evdev_upload(
      descriptor, kind, effect, magnitude(motors.strong), magnitude(motors.weak),
      UInt16(clamping: length.nanoseconds / 1_000_000))
  }

  private func check(_ result: Int32) throws(Errno) -> Int32 {
    if result < 0 { throw Errno(code: -result) }
    return result
  }

  private func magnitude(_ share: Double) -> UInt16 { UInt16((share * 65_535).rounded()) }
}

/// What remains to be written of several actions that are due at once: the last value wins.
enum RumbleWrite: Equatable {
  /// Plays the effect, changed to these strengths first, or as it is.
  case play(MotorLevels?)
  case stop

  /// What `actions` come to; nil when there are none.
  static func merging(_ actions: [RumbleAction]) -> RumbleWrite? {
    var uploaded: MotorLevels?
    var write: RumbleWrite?
    for action in actions {
      switch action {
      case .upload(let motors): uploaded = motors
      case .play: write = .play(uploaded)
      case .stop: write = .stop
      }
    }
    return write
  }
}
