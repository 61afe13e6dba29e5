// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A pad that can be felt, as the system tells of it; found without opening it.
public struct HapticPad: Hashable, Sendable {
  /// A kind of force feedback.
  public enum Effect: Int, Hashable, Sendable, CaseIterable {
    /// FF_RUMBLE: a strong and a weak motor, each with a strength.
    case rumble = 0x50
    /// FF_PERIODIC: a waveform with a period and a strength.
    case periodic = 0x51
    /// FF_CONSTANT: a steady force.
    case constant = 0x52
    /// FF_GAIN: one strength for all effects; nothing to be felt by itself.
    case gain = 0x60
  }

  /// "/dev/input/event7": may be another after the next plugging in.
  public var path: String
  /// The kernel's number for it, 23 of "input23": what is plugged in later, also at the same path, has a higher one.
  public var number: Int
  /// For people: what the pad calls itself.
  public var name: String
  /// As linux/input.h numbers them: 3 is USB, 5 Bluetooth, 6 none at all.
  public var bus: UInt16
  /// The maker's number, as on USB.
  public var vendor: UInt16
  /// The maker's number for the model.
  public var product: UInt16
  /// What tells it from others of its kind, where it says; empty where not.
  public var unique: String
  /// What it can play; at least one that can be felt.
  public var effects: Set<Effect>
  /// Whether this user may play effects on it.
  public var isPermitted: Bool
  /// Whether udev takes it for a game pad, stick or wheel; nil where no udev has looked at it.
  public var isJoystick: Bool?

  /// Whether a program made it that says so, and takes it away for good as it ends.
  public var isVirtual: Bool { bus == 6 }

  /// Whether it is the same pad, plugged in anew. One that a program made is never plugged in anew: the next is another pad, however
  /// much alike.
  public func isSame(as other: HapticPad) -> Bool {
    if isVirtual { return (bus, path, number) == (other.bus, other.path, other.number) }
    return (bus, vendor, product, unique) == (other.bus, other.vendor, other.product, other.unique)
  }

  /// The effects in a `capabilities/ff` file: hexadecimal words of the machine's size, the highest first.
  static func effects(inCapabilities text: String, wordBits: Int = UInt.bitWidth) -> Set<Effect> {
    let words = text.split(whereSeparator: \.isWhitespace).map { UInt64($0, radix: 16) ?? 0 }
    return Set(
      Effect.allCases.filter { effect in
        let index = words.count - 1 - effect.rawValue / wordBits
        return words.indices.contains(index) && words[index] >> (effect.rawValue % wordBits) & 1 == 1
      })
  }

  /// The pads that are plugged in, in order of their paths; none where the system has no udev.
  public static func all() -> [HapticPad] { InputNode.all { HapticPad($0) } }

  init(
    path: String, number: Int = 0, name: String, bus: UInt16, vendor: UInt16, product: UInt16, unique: String = "",
    effects: Set<Effect>
  ) {
    (self.path, self.number, self.name) = (path, number, name)
    (self.bus, self.vendor, self.product, self.unique) = (bus, vendor, product, unique)
    (self.effects, isPermitted) = (effects, true)
  }

  /// Nil when nothing can be felt on the device.
  private init?(_ node: InputNode) {
    effects = Self.effects(inCapabilities: node.capabilities("ff"))
    if effects.isDisjoint(with: [.rumble, .periodic, .constant]) { return nil }
    path = node.path
    number = node.number
    name = node.name
    (bus, vendor, product, unique) = (node.bus, node.vendor, node.product, node.unique)
    isPermitted = access(node.path, R_OK | W_OK) == 0
    isJoystick = node.isJoystick
  }
}
