// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc

/// A pad that exists only in the kernel: what drives it is written down, one line an event, in microseconds of
/// CLOCK_MONOTONIC. `pad` says which event node it became; SIGTERM unplugs it.
struct VirtualPad {
  /// One of no pad that is sold.
  static let anyVendor: UInt16 = 0x1209

  let kind: PadKind
  let name: String
  /// By which its profile is chosen.
  let vendor: UInt16
  /// What tells it from other pads.
  let product: UInt16

  func run(log path: String) -> Int32 {
    Witness.takeItsPlace()

    let device = open("/dev/uinput", O_RDWR | O_CLOEXEC | O_NONBLOCK)
    let log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard device >= 0, log >= 0, create(device), let node = Self.node(of: device) else {
      complain("pad: cannot be made: \(String(cString: strerror(errno)))")
      return 1
    }
    func say(_ text: String) {
      var line = text + "\n"
      _ = line.withUTF8 { write(log, $0.baseAddress, $0.count) }
    }
    say("pad \(node)")
    var isEnding = false
    while !isEnding {
      var watched = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
      poll(&watched, 1, 20)
      var event = input_event()
      while read(device, &event, MemoryLayout<input_event>.size) == MemoryLayout<input_event>.size {
        if let line = answer(event, device) { say(line) }
      }
      isEnding = Witness.isEnding
    }
    rt_uinput_destroy(device)
    return 0
  }

  private func create(_ device: Int32) -> Bool {
    rt_uinput_set_event_type(device, EV_FF)
    for effect in kind.declared { rt_uinput_set_effect(device, effect) }
    if kind.isPad {
      for type in [EV_KEY, EV_ABS] { rt_uinput_set_event_type(device, type) }
      for button in [BTN_SOUTH, BTN_EAST] { rt_uinput_set_key(device, button) }
      for axis in [ABS_X, ABS_Y] { rt_uinput_set_axis(device, axis) }
    }
    var setup = uinput_setup()
    setup.id = input_id(bustype: UInt16(BUS_USB), vendor: vendor, product: product, version: 1)
    setup.ff_effects_max = 16
    withUnsafeMutableBytes(of: &setup.name) { $0.copyBytes(from: name.utf8.prefix($0.count - 1)) }
    return rt_uinput_set_up(device, &setup) == 0 && rt_uinput_create(device) == 0
  }

  /// The event node that the device became.
  static func node(of device: Int32) -> String? {
    var text = [CChar](repeating: 0, count: 64)
    guard rt_uinput_name(device, &text, Int32(text.count)) >= 0 else { return nil }
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let folder = "/sys/devices/virtual/input/" + String(decoding: bytes, as: UTF8.self)
    guard let event = list(folder).first(where: { $0.hasPrefix("event") }) else { return nil }
    return "/dev/input/" + event
  }

  /// Answers what the kernel asks, and says what it was.
  private func answer(_ event: input_event, _ device: Int32) -> String? {
    let stampUs = Int64(event.time.tv_sec) * 1_000_000 + Int64(event.time.tv_usec)
    switch (Int32(event.type), Int32(event.code)) {
    case (EV_UINPUT, UI_FF_UPLOAD):
      var upload = uinput_ff_upload()
      upload.request_id = UInt32(bitPattern: event.value)
      rt_uinput_begin_upload(device, &upload)
      upload.retval = 0
      rt_uinput_end_upload(device, &upload)
      return "upload \(monotonicUs()) \(PadEffect(upload.effect).line)"
    case (EV_UINPUT, UI_FF_ERASE):
      var erase = uinput_ff_erase()
      erase.request_id = UInt32(bitPattern: event.value)
      rt_uinput_begin_erase(device, &erase)
      erase.retval = 0
      rt_uinput_end_erase(device, &erase)
      return "erase \(monotonicUs()) \(erase.effect_id)"
    case (EV_FF, FF_GAIN): return "gain \(stampUs) \(event.value)"
    case (EV_FF, let effect): return "play \(stampUs) \(effect) \(event.value)"
    default: return nil
    }
  }
}
