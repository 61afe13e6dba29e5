// SPDX-License-Identifier: Apache-2.0

import Haptics
import Timing

/// How a kind of pad is driven best.
public struct PadProfile: Hashable, Sendable {
  /// Of the actuators: what they need to be felt at all, and how they grow.
  public var motors: MotorProfile
  /// How often it may be written to, and how long what is written lasts.
  public var timing: RumbleTiming
  /// How long before it is to be felt a pad is told: half of what its actuators take to full speed (eccentric masses 50
  /// to 100 ms, linear ones 10 to 20), so that what is felt comes early rather than late.
  public var lead: Interval

  /// The profile for a pad.
  public init(_ pad: HapticPad) {
    let isBluetooth = pad.bus == 5
    switch (pad.vendor, pad.product) {
    case (0x054C, 0x0CE6), (0x054C, 0x0DF2):  // DualSense: voice coils behind rumble emulation
      self.init(floor: 0.02, interval: isBluetooth ? 30 : 16, lead: 10)
    case (0x057E, _):  // Nintendo: linear actuators; its driver sends at most every 50 ms
      self.init(floor: 0.05, interval: 50, lead: 10)
    case (0x28DE, _):  // Steam Deck and controller: linear actuators
      self.init(floor: 0.02, interval: 16, lead: 10)
    case (0x045E, _) where isBluetooth:  // Xbox over Bluetooth: crashes when flooded
      self.init(floor: 0.08, interval: 50, lead: 35)
    default:  // eccentric masses, as in most pads
      self.init(floor: 0.08, interval: isBluetooth ? 30 : 16, lead: 35)
    }
  }

  private init(floor: Double, interval: Int64, lead: Int64) {
    motors = MotorProfile(floor: floor)
    timing = RumbleTiming(interval: .milliseconds(interval))
    self.lead = .milliseconds(lead)
  }
}
