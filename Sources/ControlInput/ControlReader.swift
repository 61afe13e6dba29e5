// SPDX-License-Identifier: Apache-2.0

import CEvdev
import Timing

/// One event of a device, as the kernel handed it out.
public struct ControlEvent: Equatable, Sendable {
  /// EV_KEY, EV_ABS or EV_SYN.
  public var type: UInt16
  /// Which key or axis.
  public var code: UInt16
  /// Of a key 0, 1, or 2 for a repeat; of an axis where it is.
  public var value: Int32
  /// When it happened: the kernel's own stamp, in whole microseconds.
  public var at: Instant

  /// An event at that instant.
  public init(type: UInt16, code: UInt16, value: Int32, at: Instant) {
    self.type = type
    self.code = code
    self.value = value
    self.at = at
  }
}

/// What a device's events come to: which of the controls that are listened to was pressed, and what was lost. Knows no clock
/// and no device.
public struct ControlReader: Sendable {
  /// What one event comes to.
  public enum Outcome: Equatable, Sendable {
    /// Those controls were pressed.
    case pressed([Control])
    /// The device gave more than was read: presses may be missing.
    case lost
  }

  private var keys: Set<UInt16> = []
  private var axes: [UInt16: [AxisSwitch]] = [:]
  /// Between the kernel's word that events were dropped and the next whole report.
  private var isBroken = false

  /// Listens to nothing.
  public init() {}

  /// Listens to these controls from now on. Those that it listened to before stay where they are.
  public mutating func listen(to controls: Set<Control>) {
    keys = Set(controls.lazy.filter { !$0.isAxis }.map(\.code))
    var switches: [UInt16: [AxisSwitch]] = [:]
    for control in controls {
      guard let direction = control.direction else { continue }
      let known = axes[control.code]?.first { $0.direction == direction }
      switches[control.code, default: []].append(known ?? AxisSwitch(direction))
    }
    axes = switches
  }

  /// The axes of which nobody knows where they are: look, and tell by `find`, once there is nothing more to be read.
  public var unknownAxes: [UInt16] { axes.filter { $0.value.contains(where: \.isUnknown) }.map(\.key).sorted() }

  /// An axis is there; that is no press.
  public mutating func find(_ axis: UInt16, at place: AxisPlace) {
    guard var switches = axes[axis] else { return }
    for index in switches.indices where switches[index].isUnknown { switches[index].find(place) }
    axes[axis] = switches
  }

  /// Takes the next event; nil where it comes to nothing.
  public mutating func take(_ event: ControlEvent) -> Outcome? {
    switch (Int32(event.type), Int32(event.code)) {
    case (EV_SYN, SYN_DROPPED):
      isBroken = true
      for axis in axes.keys { lose(axis) }
      return nil
    case (EV_SYN, SYN_REPORT):
      defer { isBroken = false }
      return isBroken ? .lost : nil
    // What follows in the report that was cut is not whole.
    case _ where isBroken: return nil
    // The kernel tells a key's changes alone, and its repeats as 2: so 1 is always a press.
    case (EV_KEY, _): return event.value == 1 && keys.contains(event.code) ? .pressed([Control(key: event.code)]) : nil
    case (EV_ABS, _): return moved(event)
    default: return nil
    }
  }

  private mutating func lose(_ axis: UInt16) {
    for index in axes[axis]?.indices ?? 0..<0 { axes[axis]?[index].lose() }
  }

  private mutating func moved(_ event: ControlEvent) -> Outcome? {
    guard var switches = axes[event.code] else { return nil }
    var pressed: [Control] = []
    for index in switches.indices where switches[index].move(to: event.value) {
      pressed.append(Control(axis: event.code, switches[index].direction))
    }
    axes[event.code] = switches
    return pressed.isEmpty ? nil : .pressed(pressed)
  }
}
