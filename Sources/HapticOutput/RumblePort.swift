import CRealTime
import Glibc
import Haptics
import Timing

/// An open pad with its one effect: the system calls, and no more.
struct RumblePort: ~Copyable {
  private let descriptor: Int32
  private let kind: Int32
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
    _ = rt_evdev_full_gain(descriptor)
  }

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
      let length = UInt16(clamping: length.nanoseconds / 1_000_000)
      effect = try check(
        rt_evdev_upload(descriptor, kind, effect, magnitude(motors.strong), magnitude(motors.weak), length))
      _ = try check(rt_evdev_send(descriptor, UInt16(effect), 1))
    case .play(nil): if effect >= 0 { _ = try check(rt_evdev_send(descriptor, UInt16(effect), 1)) }
    case .stop: if effect >= 0 { _ = try check(rt_evdev_send(descriptor, UInt16(effect), 0)) }
    }
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
