// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Problems
import Timing

/// A game pad with force feedback that is there for as long as its descriptor is open: however this program ends, it goes.
struct UinputDevice: ~Copyable {
  let descriptor: Int32
  /// The event node that it became.
  let path: String

  private static let driver = "/dev/uinput"

  /// Plugs in a pad of that name.
  static func plug(_ name: String) throws(Problem) -> UinputDevice {
    let descriptor = open(driver, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw refusal(errno) }
    guard create(descriptor, name) else {
      let code = errno
      close(descriptor)
      throw Problem(.padFailed, "the kernel makes no pad: \(String(cString: strerror(code)))")
    }
    guard let path = node(of: descriptor) else {
      close(descriptor)
      throw Problem(
        .padFailed, "the kernel made a pad and no event node for it", remedy: "`sudo modprobe evdev`, then again")
    }
    return UinputDevice(descriptor: descriptor, path: path)
  }

  deinit {
    _ = rt_uinput_destroy(descriptor)
    close(descriptor)
  }

  /// What is in the way of a pad, and what to do about it.
  static func refusal(_ code: Int32) -> Problem {
    let reason = "no pad can be made: \(driver): \(String(cString: strerror(code)))"
    switch code {
    case EACCES, EPERM:
      return Problem(
        .padDenied, device: driver, reason,
        remedy: "`sudo setfacl -m u:$USER:rw \(driver)` lets you until the next start of the machine")
    case ENOENT, ENODEV, ENXIO:
      return Problem(
        .padMissing, device: driver, reason,
        remedy: "`sudo modprobe uinput`; a container has to be given the device, `--device \(driver)`")
    default: return Problem(.padFailed, device: driver, reason)
    }
  }

  /// Two motors, two buttons and a stick: by these udev takes it for a game pad.
  private static func create(_ descriptor: Int32, _ name: String) -> Bool {
    for type in [EV_FF, EV_KEY, EV_ABS] { _ = rt_uinput_set_event_type(descriptor, type) }
    for effect in [FF_RUMBLE, FF_GAIN] { _ = rt_uinput_set_effect(descriptor, effect) }
    for button in [BTN_SOUTH, BTN_EAST] { _ = rt_uinput_set_key(descriptor, button) }
    for axis in [ABS_X, ABS_Y] { _ = rt_uinput_set_axis(descriptor, axis) }
    var setup = uinput_setup()
    // 0x1209 is for what is not sold. The bus says that a program made it.
    setup.id = input_id(bustype: UInt16(BUS_VIRTUAL), vendor: 0x1209, product: 0x5153, version: 1)
    setup.ff_effects_max = 16
    withUnsafeMutableBytes(of: &setup.name) { $0.copyBytes(from: name.utf8.prefix($0.count - 1)) }
    return rt_uinput_set_up(descriptor, &setup) == 0 && rt_uinput_create(descriptor) == 0
  }

  private static func node(of descriptor: Int32) -> String? {
    var text = [CChar](repeating: 0, count: 64)
    guard rt_uinput_name(descriptor, &text, Int32(text.count)) >= 0 else { return nil }
    let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard let folder = opendir("/sys/devices/virtual/input/" + name) else { return nil }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasPrefix("event") { return "/dev/input/" + name }
    }
    return nil
  }

  /// Answers all that the kernel asks by now, and adds what was told to `motion`.
  func answer(_ motion: inout PadMotion) {
    var event = input_event()
    while read(descriptor, &event, MemoryLayout<input_event>.size) == MemoryLayout<input_event>.size {
      switch (Int32(event.type), Int32(event.code)) {
      case (EV_UINPUT, UI_FF_UPLOAD):
        var upload = uinput_ff_upload()
        upload.request_id = UInt32(bitPattern: event.value)
        _ = rt_uinput_begin_upload(descriptor, &upload)
        upload.retval = 0
        // Whoever uploads waits for this answer.
        _ = rt_uinput_end_upload(descriptor, &upload)
        let said = rt_uinput_effect_of(&upload.effect)
        motion.upload(
          Int(upload.effect.id), strengths: (Int(said.first), Int(said.second)),
          milliseconds: Int(upload.effect.replay.length))
      case (EV_UINPUT, UI_FF_ERASE):
        var erase = uinput_ff_erase()
        erase.request_id = UInt32(bitPattern: event.value)
        _ = rt_uinput_begin_erase(descriptor, &erase)
        erase.retval = 0
        _ = rt_uinput_end_erase(descriptor, &erase)
        motion.erase(Int(erase.effect_id))
      case (EV_FF, FF_GAIN): break
      case (EV_FF, let effect):
        motion.play(Int(effect), times: Int(event.value), at: Self.instant(of: event))
      default: break
      }
    }
  }

  /// When the kernel was handed it. Kernels before 4.20 stamp by the time of day: there it is when it was read.
  private static func instant(of event: input_event) -> Instant {
    let now = Instant(nanoseconds: rt_now_ns())
    let stamp = Instant(microseconds: Int64(event.time.tv_sec) * 1_000_000 + Int64(event.time.tv_usec))
    return stamp <= now && now - stamp < .seconds(10) ? stamp : now
  }
}
