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
    /// As linux/input-event-codes.h calls it: `BTN_SOUTH`; of an axis with a middle the direction behind it, `ABS_X+` or
    /// `ABS_HAT0Y-`; `ABS_Z` is a trigger, from one end to the other.
    public var control: String
    /// The lane that it taps; none in a chapter without lanes.
    public var lane: String?
    /// The device's path, or a part of its name in whatever case; every game pad when missing.
    public var device: String?
    /// Whether no other program is to hear of the device while a chapter runs; false when missing.
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
    /// By which it is told of, and ended.
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
  /// Where the system has it.
  public var path: String
  /// Whether it is listened to, and if not why.
  public var state: State
  /// Why it is not, where that is not as it should be.
  public var problem: Problem?

  /// Whether a device is listened to, and if not why.
  public enum State: String, Codable, Sendable, CaseIterable {
    /// No chapter runs: nothing of it is read.
    case waiting
    /// It is being opened.
    case opening
    /// What is pressed taps.
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
    /// The number that `rhythm.bind` answered; all of this client's when missing.
    public var binding: Int64?

    public init(binding: Int64? = nil) { self.binding = binding }
  }
  public struct Result: Codable, Sendable, Equatable {
    /// How many were ended.
    public var ended: Int

    public init(ended: Int) { self.ended = ended }
  }
}
