// SPDX-License-Identifier: Apache-2.0

/// The runner: on the ground, in a jump, or gliding down.
public struct Runner: Equatable, Sendable {
  /// Points from the ground to the feet.
  public private(set) var height: Double = 0
  /// Points per second, upwards.
  public private(set) var speed: Double = 0

  public var isOnGround: Bool { height <= 0 && speed <= 0 }

  /// Jumps; nothing where there is no ground to jump from.
  mutating func jump(_ rules: PacketRunRules) {
    if isOnGround { speed = rules.jumpSpeed }
  }

  /// A step of the rules' length; held, it falls no faster than it glides.
  mutating func step(isHeld: Bool, _ rules: PacketRunRules) {
    guard !isOnGround else { return }
    let length = 1 / Double(rules.stepsPerSecond)
    speed -= rules.gravity * length
    if isHeld { speed = max(speed, -rules.glideSpeed) }
    height += speed * length
    if height <= 0 { (height, speed) = (0, 0) }
  }
}
