// SPDX-License-Identifier: Apache-2.0

import Problems

/// Has a control of a device tap for this client.
public enum RhythmBind: WireMethod {
  public static let name = "rhythm.bind"
  /// A path.
  public static let longTexts = ["device"]
  public static let summary =
    "Binds a button, key or axis of an input device to a lane: while a chapter runs, presses tap it, judged at the kernel's own stamp."
  public static let refusals: [RPCError.Kind] = [.unknownName, .notPermitted, .unavailable, .busy]
  public struct Params: Codable, Sendable, Equatable {
    /// The button, key or axis, by its name in linux/input-event-codes.h: `BTN_SOUTH`. An axis with a middle takes the
    /// direction after its name, `ABS_X+` or `ABS_HAT0Y-`; one that goes from end to end, such as a trigger, does not: `ABS_Z`.
    public var control: String
    /// The lane that it taps; leave it out for a chapter without lanes.
    public var lane: String?
    /// The device's path, or a part of its name in whatever case; every game pad when missing.
    public var device: String?
    /// Whether no other program hears of the device while a chapter runs.
    public var grab: Bool?

    public init(control: String, lane: String? = nil, device: String? = nil, grab: Bool? = nil) {
      self.control = control
      self.lane = lane
      self.device = device
      self.grab = grab
    }
  }
  public static let ranges = Ranges()
  public struct Ranges: Sendable {
    /// Whether no other program hears of the device.
    public let grab = DefaultedParam("grab", default: false)
  }
  public struct Result: Codable, Sendable, Equatable {
    /// The binding's number, for `rhythm.unbind` and in notifications.
    public var binding: Int64
    /// The devices that have the control now; more may be plugged in.
    public var devices: [ControlDevice]

    public init(binding: Int64, devices: [ControlDevice]) {
      self.binding = binding
      self.devices = devices
    }
  }
}

/// A device that a binding listens to.
public struct ControlDevice: Codable, Sendable, Equatable {
  /// What it calls itself.
  public var name: String
  /// Its path.
  public var path: String
  /// Whether it is listened to, and if not why.
  public var state: State
  /// Why it is not listened to, where that is a fault.
  public var problem: Problem?

  /// Whether a device is listened to, and if not why.
  public enum State: String, Codable, Sendable, CaseIterable {
    /// No chapter runs: nothing of it is read.
    case waiting
    /// It is being opened.
    case opening
    /// It is listened to: each press taps.
    case listening
    /// This user may not read it.
    case denied
    /// It could not be opened.
    case failed
  }

  public init(name: String, path: String, state: State, problem: Problem? = nil) {
    self.name = name
    self.path = path
    self.state = state
    self.problem = problem
  }
}

/// Ends what `rhythm.bind` began.
public enum RhythmUnbind: WireMethod {
  public static let name = "rhythm.unbind"
  public static let summary = "Ends one binding of this client, or all of them when none is named."
  public static let refusals: [RPCError.Kind] = [.notRunning]
  public struct Params: Codable, Sendable, Equatable {
    /// The binding's number, from the reply to `rhythm.bind`; all of this client's when missing.
    public var binding: Int64?

    public init(binding: Int64? = nil) { self.binding = binding }
  }
  public struct Result: Codable, Sendable, Equatable {
    /// How many bindings were ended.
    public var ended: Int

    public init(ended: Int) { self.ended = ended }
  }
}
