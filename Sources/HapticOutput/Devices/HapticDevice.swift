// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Haptics
import Problems
import Timing
import Tracing

/// Something that can be felt, or stands for it. Control tells it what is to happen; nobody ever waits for it.
///
/// A device runs live, on a thread of its own between `start()` and `stop()`, or stepped, by calls of `advance(to:)`
/// with never a `start()`. Both ways do the same things at the same instants.
public protocol HapticDevice: AnyObject, Sendable {
  /// For people: the path of a log, the name of a pad.
  var name: String { get }
  /// How long before it is to be felt a command must be carried out.
  var lead: Interval { get }
  /// Why it no longer does what it is told, for people; nil while all is well.
  var failure: Problem? { get }
  /// Devices were plugged in or unplugged: sees to its own. Returns at once.
  func look()
  /// Goes by that time of the engine's, in which commands are: silent while it stands. Returns at once.
  func follow(_ clock: EngineClock)
  /// Hands over commands, all or none of them seen together. Returns at once.
  func send(_ commands: [HapticCommand])
  /// Whether it has taken nothing for so long, by `now`, that what waits for it is to be left out: `rejoin` does.
  func isOverfull(at now: Instant) -> Bool
  /// Leaves out all commands that wait: `playing` is what has come of them by now. Returns at once.
  func rejoin(_ playing: HapticMixer)
  /// Stepped only: does all that is due up to and including `instant`.
  func advance(to instant: Instant)
  /// Live only: begins to follow the clock.
  func start()
  /// Live only: has the device silenced and closed; returns at once. `stop` waits for that.
  func requestStop()
  /// Leaves the device silent, ends its thread and closes it. May be called twice. One that does not answer by `deadline` is left
  /// behind: then the answer is false, and `failure` tells.
  @discardableResult func stop(by deadline: Instant) -> Bool
  /// What its thread wrote and when, for one reader; nil where nothing is written.
  var trace: SharedTraceRing? { get }
}

/// How long the end of a device is waited for.
public let hapticPatience = Interval.milliseconds(250)

extension HapticDevice {
  /// Does nothing, for devices that cannot be plugged in.
  public func look() {}
  /// The same with the patience that a device has.
  @discardableResult public func stop() -> Bool {
    stop(by: Instant(nanoseconds: rt_now_ns()) + hapticPatience)
  }
}

/// The output of a machine where nothing can be felt.
public final class NullHapticDevice: HapticDevice {
  /// What it is called in lists of outputs.
  public let name: String
  /// Zero: what is not felt is never late.
  public let lead = Interval.zero
  /// Always nil.
  public var failure: Problem? { nil }

  /// A device that does nothing.
  public init(name: String = "null") { self.name = name }

  /// Does nothing: nothing is felt anyway.
  public func follow(_ clock: EngineClock) {}
  /// Drops the commands.
  public func send(_ commands: [HapticCommand]) {}
  /// False: nothing waits.
  public func isOverfull(at now: Instant) -> Bool { false }
  /// Does nothing: nothing waits.
  public func rejoin(_ playing: HapticMixer) {}
  /// Does nothing.
  public func advance(to instant: Instant) {}
  /// Nil: nothing is written.
  public var trace: SharedTraceRing? { nil }
  /// Does nothing: there is no thread.
  public func start() {}
  /// Does nothing.
  public func requestStop() {}
  /// Does nothing.
  public func stop(by deadline: Instant) -> Bool { true }
}
