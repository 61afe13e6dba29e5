// SPDX-License-Identifier: Apache-2.0

import FreefallRules

/// The fewest flips that finish a level, by going through all that the ball can do, a flip or none every so many steps.
/// States of nearly the same height and velocity are one, the first with the fewest flips: all states of an instant have
/// the same x, as nothing changes the speed across. Nil where none of at most `most` flips is found.
public func fewestFlips(_ level: Level, rules: BallRules, atMost most: Int, every steps: Int) -> [Int64]? {
  struct Cell: Hashable {
    let height: Int
    let velocity: Int
    let isGravityDown: Bool
  }
  struct State {
    var ball: Ball
    var flipsUs: [Int64]
  }
  var states = [State(ball: Ball(launchedOn: level), flipsUs: [])]
  var found: [Int64]?
  var step = 0
  while !states.isEmpty, step < rules.stepsPerSecond * 12 {
    let us = Int64(step) * 1_000_000 / Int64(rules.stepsPerSecond)
    // In the order in which they are found, which is the same on every run; a dictionary's is not.
    var next: [State] = []
    var places: [Cell: Int] = [:]
    for state in states {
      for isFlipped in [false, true] {
        var state = state
        if isFlipped {
          guard state.flipsUs.count < min(most, (found?.count ?? .max) - 1) else { continue }
          state.ball.isGravityDown.toggle()
          state.flipsUs.append(us)
        }
        var isOver = false
        for part in 1...steps where !isOver {
          let from = Int64(step + part - 1) * 1_000_000 / Int64(rules.stepsPerSecond)
          let to = Int64(step + part) * 1_000_000 / Int64(rules.stepsPerSecond)
          state.ball = state.ball.moved(Double(to - from) / 1_000_000, gravity: rules.gravity)
          if state.ball.hasLeft(rules)
            || level.obstacles.contains(where: { $0.touches(ball: state.ball.position, rules: rules) })
          {
            isOver = true
          } else if isThere(state.ball, level, rules) {
            isOver = true
            if state.flipsUs.count < found?.count ?? .max { found = state.flipsUs }
          }
        }
        if isOver { continue }
        let cell = Cell(
          height: Int((state.ball.position.y / Double(steps)).rounded()),
          velocity: Int((state.ball.velocity.y / Double(4 * steps)).rounded()),
          isGravityDown: state.ball.isGravityDown)
        if let place = places[cell] {
          if state.flipsUs.count < next[place].flipsUs.count { next[place] = state }
        } else {
          places[cell] = next.count
          next.append(state)
        }
      }
    }
    states = next
    step += steps
  }
  return found
}

/// Whether the ball is at the goal, with nothing under a root: this is asked some million times.
private func isThere(_ ball: Ball, _ level: Level, _ rules: BallRules) -> Bool {
  let (dx, dy) = (ball.position.x - level.goalPosition.x, ball.position.y - level.goalPosition.y)
  let reach = rules.radius + level.goalRadius
  return dx * dx + dy * dy <= reach * reach
}
