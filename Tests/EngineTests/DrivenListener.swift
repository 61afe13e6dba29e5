// SPDX-License-Identifier: Apache-2.0

import Mixing

@testable import Engine

/// What a mixer makes of what it is told of a target.
struct DrivenListener {
  var told: [(at: Int64, to: Float, fade: Fade)] = []

  mutating func hear(_ steps: [AudioStep], of target: DrivenTarget) {
    for step in steps {
      switch step {
      case .steer(.drive(target, let to, let at, let fade)), .command(.drive(target, let to, let at, let fade)):
        told.append((at, to, fade))
      case .steer(.retractDriven(target, let frame)): told.removeAll { $0.at >= frame }
      default: break
      }
    }
  }

  /// By ascending frames.
  func values(at frames: [Int64], from initial: Float) -> [Float] {
    let steps = told.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    var ramp = Ramp(steady: initial)
    var next = 0
    return frames.map { frame in
      while next < steps.count, steps[next].at <= frame {
        let step = steps[next]
        ramp = Ramp(from: ramp.value(at: step.at), to: step.to, start: step.at, fade: step.fade)
        next += 1
      }
      return ramp.value(at: frame)
    }
  }
}
