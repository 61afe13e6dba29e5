// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import Timing

/// The most events that are read of a device at once, so that one that floods holds nobody up.
public let mostControlEvents = Int(rt_evdev_most)

/// A device that is being listened to.
public protocol ControlStream: AnyObject, Sendable {
  /// Readable when something was pressed, or the device has gone; negative where that cannot be watched.
  var descriptor: Int32 { get }
  /// Has only these controls be told of; false where the system does not do so, and the device is not to be read.
  func keep(_ controls: Set<Control>) -> Bool
  /// Takes what waits, `mostControlEvents` at most; nil when the device has gone. Never waits.
  func read() -> [ControlEvent]?
  /// Where an axis is; nil where that is not known.
  func place(of axis: UInt16) -> AxisPlace?
}

/// What devices there are, and their opening.
public protocol ControlSystem: Sendable {
  /// The devices that are plugged in, in order of their paths.
  func sources() -> [ControlSource]
  /// Begins to listen to a device, which may take its driver some 50 ms; closes it when the stream is let go of.
  func open(_ path: String, keeping controls: Set<Control>, grabs: Bool) throws(ControlErrno) -> any ControlStream
}

/// An error number of the system.
public struct ControlErrno: Error, Equatable, Sendable {
  /// As `errno` has it.
  public var code: Int32
  /// Whether it was the asking for the device alone that failed.
  public var isGrab = false

  /// That error.
  public init(code: Int32, isGrab: Bool = false) {
    self.code = code
    self.isGrab = isGrab
  }
}

/// The devices of this machine.
public struct EvdevControls: ControlSystem {
  /// They are looked for whenever they are asked for.
  public init() {}

  /// The devices that udev knows of.
  public func sources() -> [ControlSource] { ControlSource.all() }

  /// Opens the event node at `path`.
  public func open(
    _ path: String, keeping controls: Set<Control>, grabs: Bool
  ) throws(ControlErrno) -> any ControlStream {
    try ControlPort(path: path, keeping: controls, grabs: grabs)
  }
}

/// An open event node: the system calls, and no more.
final class ControlPort: ControlStream {
  let descriptor: Int32

  init(path: String, keeping controls: Set<Control>, grabs: Bool) throws(ControlErrno) {
    let opened = rt_evdev_open_reading(path)
    if opened < 0 { throw ControlErrno(code: -opened) }
    descriptor = opened
    // The mask first: what other keys gave before it is dropped with the change of clocks.
    var error = Self.keep(controls, opened)
    if error == 0 { error = rt_evdev_stamp_monotonic(opened) }
    if error < 0 { throw ControlErrno(code: -error) }
    if grabs, case let refused = rt_evdev_grab(opened), refused < 0 { throw ControlErrno(code: -refused, isGrab: true) }
  }

  /// Events of a descriptor that somebody else made ready.
  init(reading descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  func keep(_ controls: Set<Control>) -> Bool { Self.keep(controls, descriptor) == 0 }

  private static func keep(_ controls: Set<Control>, _ descriptor: Int32) -> Int32 {
    let keys = CodeSet(controls.lazy.filter { !$0.isAxis }.map(\.code))
    let axes = CodeSet(controls.lazy.filter(\.isAxis).map(\.code))
    return rt_evdev_keep(descriptor, keys.bits(Int(rt_evdev_key_bytes)), axes.bits(Int(rt_evdev_axis_bytes)))
  }

  func read() -> [ControlEvent]? {
    var events = [rt_evdev_event](repeating: rt_evdev_event(), count: mostControlEvents)
    let count = rt_evdev_read(descriptor, &events)
    if count < 0 { return nil }
    return events[..<Int(count)].map {
      ControlEvent(type: $0.type, code: $0.code, value: $0.value, at: Instant(microseconds: $0.stamp_us))
    }
  }

  func place(of axis: UInt16) -> AxisPlace? {
    var (value, minimum, maximum): (Int32, Int32, Int32) = (0, 0, 0)
    guard rt_evdev_axis(descriptor, Int32(axis), &value, &minimum, &maximum) == 0 else { return nil }
    return AxisPlace(value, in: minimum, maximum)
  }
}
