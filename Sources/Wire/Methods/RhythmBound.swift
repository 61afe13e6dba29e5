// SPDX-License-Identifier: Apache-2.0

/// A control that was bound was pressed: what `rhythm.tap` would have answered.
public struct RhythmTapped: WireNotification {
  public static let name = "rhythm.tapped"
  public static let topic = Topic.rhythm
  public static let summary =
    "A bound control was pressed at `tUs`, by the kernel's stamp; the fields say what the tap came to."

  /// The binding's number, from the reply to `rhythm.bind`.
  public var binding: Int64
  /// The device's name.
  public var device: String
  /// The lane that it taps; missing in a chapter without lanes.
  public var lane: String?
  /// What the tap came to; missing where it was refused.
  public var verdict: TapVerdictKind?
  /// The beat that it claimed, counted from 0.
  public var beat: Int?
  /// Tap minus beat: negative is early.
  public var errorUs: Int64?
  /// What a hit earned, where the chapter has grades and it is near enough.
  public var grade: String?
  /// The number of the run; missing where the tap was refused.
  public var run: Int64?
  /// Why it was refused: the kind of error that `rhythm.tap` would have answered.
  public var refused: String?
  /// The same for people.
  public var reason: String?

  /// A press whose tap came to nothing so far.
  public init(binding: Int64, device: String, lane: String?) {
    self.binding = binding
    self.device = device
    self.lane = lane
  }
}

/// The devices of a binding changed.
public struct RhythmBindingChanged: WireNotification {
  public static let name = "rhythm.bindingChanged"
  public static let topic = Topic.rhythm
  public static let summary =
    "A device of a binding came or went, is listened to or no longer is, or lost presses; `devices` are those that are there now."

  /// The binding's number, from the reply to `rhythm.bind`.
  public var binding: Int64
  /// The devices that have the control now; empty while none is plugged in.
  public var devices: [ControlDevice]
  /// The path of a device of which events were lost: presses may be missing.
  public var lostOn: String?

  public init(binding: Int64, devices: [ControlDevice], lostOn: String? = nil) {
    self.binding = binding
    self.devices = devices
    self.lostOn = lostOn
  }
}
