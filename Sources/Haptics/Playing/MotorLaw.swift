// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the two motors of a pad are asked for, each 0...1.
public struct MotorLevels: Hashable, Sendable, BitwiseCopyable {
  /// The heavy motor: slow, dull.
  public var strong: Double
  /// The light motor: fast, sharp.
  public var weak: Double

  /// Both 0...1.
  public init(strong: Double, weak: Double) {
    self.strong = strong
    self.weak = weak
  }

  /// Both still.
  public static var still: MotorLevels { MotorLevels(strong: 0, weak: 0) }

  /// Of each motor the stronger.
  public func union(_ other: MotorLevels) -> MotorLevels {
    MotorLevels(strong: max(strong, other.strong), weak: max(weak, other.weak))
  }
}

/// How a pad's motors answer.
public struct MotorProfile: Hashable, Sendable {
  /// The level at which a motor just begins to turn, 0..<1: anything to be felt is at least this.
  public var floor: Double
  /// The exponent between what is to be felt and the level; above 1 for motors that are strong early.
  public var gamma: Double

  /// `floor` is clamped to 0...0.9, `gamma` to 0.25...4.
  public init(floor: Double = 0, gamma: Double = 1) {
    self.floor = floor.isNaN ? 0 : min(max(floor, 0), 0.9)
    self.gamma = gamma.isNaN ? 1 : min(max(gamma, 0.25), 4)
  }

  /// The levels of both motors for what is to be felt: strong = I cos(pi S / 2), weak = I sin(pi S / 2), so that dull is all
  /// heavy motor, sharp all light motor, and the power of both together does not depend on the sharpness. Each share is then
  /// bent by `gamma` and raised above `floor`; a share below 1/1000 is nothing.
  public func motors(for level: HapticLevel) -> MotorLevels {
    let angle = Double.pi / 2 * Double(level.sharpness)
    let intensity = Double(level.intensity)
    return MotorLevels(strong: bent(intensity * cos(angle)), weak: bent(intensity * sin(angle)))
  }

  private func bent(_ share: Double) -> Double {
    share < 0.001 ? 0 : floor + (1 - floor) * pow(min(share, 1), gamma)
  }
}
