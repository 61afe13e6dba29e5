// SPDX-License-Identifier: Apache-2.0

import CEvdev

/// An input device that is plugged in, as udev tells of it; found without opening it. What it is asked is read when it is asked: most
/// devices are passed over by their capabilities.
package struct InputNode {
  /// "/dev/input/event7": may be another after the next plugging in.
  package let path: String
  /// The kernel's number for the device, 23 of "input23"; 0 where it says none. What is plugged in later, also at the same path, has a
  /// higher one.
  package var number: Int { udev_device_get_sysnum(input).flatMap { Int(String(cString: $0)) } ?? 0 }
  /// As linux/input.h numbers them: 3 is USB, 5 Bluetooth, 6 none at all; 0 where it says none.
  package var bus: UInt16 { identity("bustype") }
  /// The maker's number, as on USB; 0 where it says none.
  package var vendor: UInt16 { identity("vendor") }
  /// The maker's number for the model; 0 where it says none.
  package var product: UInt16 { identity("product") }
  /// For people: what the device calls itself; may be empty.
  package var name: String { attribute("name") }
  /// What tells it from others of its kind, where it says; empty where not.
  package var unique: String { attribute("uniq") }
  /// Whether udev takes it for a game pad, stick or wheel; nil where no udev has looked at it.
  package var isJoystick: Bool? {
    guard udev_device_get_is_initialized(device) > 0 else { return nil }
    return udev_device_get_property_value(device, "ID_INPUT_JOYSTICK").map { $0.pointee == 0x31 } ?? false
  }
  private let device: OpaquePointer
  private let input: OpaquePointer

  /// The text of its `capabilities/` file of that name, such as `key`, `abs` or `ff`; empty where there is none.
  package func capabilities(_ name: String) -> String { attribute("capabilities/" + name) }

  /// What `read` makes of each device with an event node, but for those of which it makes nil, in order of their paths; none where
  /// the system has no udev. A node is there only while it is read.
  package static func all<Device>(_ read: (InputNode) -> Device?) -> [Device] {
    guard let udev = udev_new() else { return [] }
    defer { udev_unref(udev) }
    guard let search = udev_enumerate_new(udev) else { return [] }
    defer { udev_enumerate_unref(search) }
    udev_enumerate_add_match_subsystem(search, "input")
    udev_enumerate_add_match_sysname(search, "event*")
    udev_enumerate_scan_devices(search)

    var found: [(path: String, device: Device)] = []
    var entry = udev_enumerate_get_list_entry(search)
    while let current = entry {
      entry = udev_list_entry_get_next(current)
      guard let device = udev_device_new_from_syspath(udev, udev_list_entry_get_name(current)) else { continue }
      defer { udev_device_unref(device) }
      if let node = InputNode(device), let device = read(node) { found.append((node.path, device)) }
    }
    return found.sorted { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }.map(\.device)
  }

  /// The kernel's number for what is at that path; 0 where it says none, and for no input device.
  static func number(at path: String) -> Int {
    guard let udev = udev_new() else { return 0 }
    defer { udev_unref(udev) }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard let device = udev_device_new_from_subsystem_sysname(udev, "input", name) else { return 0 }
    defer { udev_device_unref(device) }
    return InputNode(device)?.number ?? 0
  }

  private init?(_ device: OpaquePointer) {
    guard let path = udev_device_get_devnode(device),
      let input = udev_device_get_parent_with_subsystem_devtype(device, "input", nil)
    else { return nil }
    (self.device, self.input, self.path) = (device, input, String(cString: path))
  }

  private func identity(_ name: String) -> UInt16 { UInt16(attribute("id/" + name), radix: 16) ?? 0 }

  private func attribute(_ name: String) -> String {
    udev_device_get_sysattr_value(input, name).map { String(cString: $0) } ?? ""
  }
}
