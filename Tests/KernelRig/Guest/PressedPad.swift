// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc

/// A device of the kernel's with keys and a stick, but no motors, whose keys this process presses.
final class PressedPad {
  /// What it is.
  enum Kind {
    case stick
    case keyboard

    fileprivate var keys: [Int32] {
      switch self {
      case .stick: [BTN_SOUTH, BTN_EAST]
      // The letters tell udev, and us, what it is.
      case .keyboard: Array(KEY_Q...KEY_P) + [KEY_SPACE]
      }
    }
  }

  /// Its event node.
  let node: String
  private var device: Int32

  init(_ name: String, _ kind: Kind, product: UInt16) throws {
    device = open("/dev/uinput", O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard device >= 0 else { throw RigFailure("/dev/uinput: \(String(cString: strerror(errno)))") }
    rt_uinput_set_event_type(device, EV_KEY)
    for key in kind.keys { rt_uinput_set_key(device, key) }
    if kind == .stick {
      rt_uinput_set_event_type(device, EV_ABS)
      for axis in [ABS_X, ABS_Y] { rt_uinput_set_axis(device, axis) }
    }
    var setup = uinput_setup()
    setup.id = input_id(bustype: UInt16(BUS_USB), vendor: VirtualPad.anyVendor, product: product, version: 1)
    withUnsafeMutableBytes(of: &setup.name) { $0.copyBytes(from: name.utf8.prefix($0.count - 1)) }
    guard rt_uinput_set_up(device, &setup) == 0, rt_uinput_create(device) == 0,
      let node = VirtualPad.node(of: device)
    else { throw RigFailure("the kernel makes no \(name)") }
    self.node = node
    try wait(upTo: 5, for: node) { access(node, F_OK) == 0 }
  }

  deinit { unplug() }

  func unplug() {
    guard device >= 0 else { return }
    rt_uinput_destroy(device)
    close(device)
    device = -1
  }

  /// Presses a key, or lets go of it: the report is over with it.
  func send(_ key: Int32, _ value: Int32) { send(EV_KEY, key, value) }

  /// Moves an axis.
  func move(_ axis: Int32, to value: Int32) { send(EV_ABS, axis, value) }

  /// Presses a key and lets go.
  func press(_ key: Int32) {
    send(key, 1)
    send(key, 0)
  }

  private func send(_ type: Int32, _ code: Int32, _ value: Int32) {
    var events = [input_event(), input_event()]
    (events[0].type, events[0].code, events[0].value) = (UInt16(type), UInt16(code), value)
    (events[1].type, events[1].code) = (UInt16(EV_SYN), UInt16(SYN_REPORT))
    _ = events.withUnsafeBytes { write(device, $0.baseAddress, $0.count) }
  }
}

/// Another program that reads the same device: the kernel stamps each event once, for all.
final class PressReader {
  private let descriptor: Int32

  init(_ node: String) throws {
    descriptor = open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0, rt_evdev_stamp_monotonic(descriptor) == 0 else {
      throw RigFailure("\(node): \(String(cString: strerror(errno)))")
    }
  }

  deinit { close(descriptor) }

  /// When keys were pressed since the last call, and an axis moved beyond `beyond`, in microseconds.
  func take(beyond: Int32 = .max) -> [Int64] {
    var stamps: [Int64] = []
    var event = input_event()
    while read(descriptor, &event, MemoryLayout<input_event>.size) == MemoryLayout<input_event>.size {
      let isPress =
        Int32(event.type) == EV_KEY && event.value == 1 || Int32(event.type) == EV_ABS && event.value > beyond
      if isPress { stamps.append(Int64(event.time.tv_sec) * 1_000_000 + Int64(event.time.tv_usec)) }
    }
    return stamps
  }
}
