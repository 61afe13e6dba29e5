// SPDX-License-Identifier: Apache-2.0

import FreefallRules

/// How a person dodges walls: away from the next one, as soon as the one before has gone by, or a moment before it comes.
struct Dodging {
  /// The wall that was dodged last, by where it was seen.
  private var dodged: Intermission.Wall?

  /// Where to tap at a look, if anywhere.
  mutating func tap(_ intermission: Intermission, atUs us: Int64) -> Double? {
    let (ball, rules) = (intermission.rules.ball, intermission.rules.intermission)
    let ballY = ball.screenHeight * rules.ballHeight
    let speed = intermission.speed(atPlayUs: us - intermission.playUs)
    // The uppermost that has not gone by.
    guard let next = intermission.walls.first(where: { $0.y + rules.wallThickness >= ballY - ball.radius }) else {
      return nil
    }
    let seconds = (next.y - ballY - ball.radius) / speed
    guard seconds < 0.3 else { return nil }
    // Walls rise: the same one is where it was or higher, and the next is lower by a gap.
    defer { dodged = next }
    if let dodged, dodged.isLeft == next.isLeft, next.y <= dodged.y { return nil }
    return next.isLeft ? ball.screenWidth * 0.75 : ball.screenWidth * 0.25
  }
}
