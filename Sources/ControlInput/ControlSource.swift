// SPDX-License-Identifier: Apache-2.0

import Glibc
import HapticOutput

/// A device that has controls, as the system tells of it; found without opening it.
public struct ControlSource: Hashable, Sendable {
  /// What is the same of a device that is plugged in anew.
  public struct Identity: Hashable, Sendable {
    /// As linux/input.h numbers them: 3 is USB, 5 Bluetooth, 6 none at all.
    public var bus: UInt16
    /// The maker's number, as on USB.
    public var vendor: UInt16
    /// The maker's number for the model.
    public var product: UInt16
    /// For people: what the device calls itself.
    public var name: String
    /// What tells it from others of its kind, where it says; empty where not.
    public var unique: String

    /// A device of that kind.
    public init(bus: UInt16, vendor: UInt16, product: UInt16, name: String, unique: String) {
      (self.bus, self.vendor, self.product) = (bus, vendor, product)
      (self.name, self.unique) = (name, unique)
    }
  }

  /// "/dev/input/event7": may be another after the next plugging in.
  public var path: String
  /// The device itself, wherever it is plugged in.
  public var identity: Identity
  /// Its buttons and keys.
  public var keys: CodeSet
  /// Its axes.
  public var axes: CodeSet
  /// Whether udev takes it for a game pad, stick or wheel; nil where no udev has looked at it.
  public var isJoystick: Bool?
  /// Whether this user may read it.
  public var isPermitted: Bool

  /// A device with these keys and axes at `path`.
  public init(
    path: String, identity: Identity, keys: CodeSet, axes: CodeSet, isJoystick: Bool?, isPermitted: Bool = true
  ) {
    (self.path, self.identity, self.keys, self.axes) = (path, identity, keys, axes)
    (self.isJoystick, self.isPermitted) = (isJoystick, isPermitted)
  }

  /// What it calls itself.
  public var name: String { identity.name.isEmpty ? path : identity.name }

  /// Whether it has that control.
  public func has(_ control: Control) -> Bool { (control.isAxis ? axes : keys).contains(control.code) }

  /// Whether it is a game pad, stick or wheel. What can write letters is none, whatever udev says.
  public var isPad: Bool {
    if !keys.isDisjoint(with: Self.letters) { return false }
    return isJoystick ?? !keys.isDisjoint(with: Self.padButtons)
  }

  /// KEY_Q to KEY_P: the upper row of letters.
  private static let letters: ClosedRange<UInt16> = 16...25
  /// BTN_JOYSTICK to BTN_THUMBR.
  private static let padButtons: ClosedRange<UInt16> = 0x120...0x13F

  /// The devices with keys or axes that are plugged in, in order of their paths; none where the system has no udev.
  public static func all() -> [ControlSource] { InputNode.all { ControlSource($0) } }

  /// Nil where it has neither keys nor axes.
  private init?(_ node: InputNode) {
    let keys = CodeSet(capabilities: node.capabilities("key"))
    let axes = CodeSet(capabilities: node.capabilities("abs"))
    if keys.isEmpty && axes.isEmpty { return nil }
    self.init(
      path: node.path,
      identity: Identity(
        bus: node.bus, vendor: node.vendor, product: node.product, name: node.name, unique: node.unique),
      keys: keys, axes: axes, isJoystick: node.isJoystick, isPermitted: access(node.path, R_OK) == 0)
  }
}
