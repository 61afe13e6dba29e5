// SPDX-License-Identifier: Apache-2.0

/// Chapter 2: an endless runner. A death begins the run and its time anew; hearts are kept.
public struct PacketRun: Equatable, Sendable {
  public let rules: PacketRunRules
  /// Since when the runner has been running.
  public private(set) var beganUs: Int64
  public private(set) var runner = Runner()
  public private(set) var course: Course
  public private(set) var hearts = 0
  public private(set) var deaths = 0
  /// Since when the runner is dead; nil where it runs.
  public private(set) var deadSinceUs: Int64?
  /// When it was done; nil until then.
  public private(set) var completedUs: Int64?
  private var isHeld = false
  private var steps = 0

  init(rules: PacketRunRules, beganUs us: Int64) {
    self.rules = rules
    beganUs = us
    course = Course(rules)
  }

  /// Slower and wider, from the death that brought it on. Not to be shown: help is silent.
  public var isHelping: Bool { deaths >= rules.helpAfterDeaths }

  /// Points per second at which all comes.
  public var speed: Double { isHelping ? rules.speed * rules.helpSpeedFactor : rules.speed }

  /// A tap jumps; held, the runner glides.
  mutating func act(_ act: Act) {
    guard completedUs == nil else { return }
    switch act {
    case .press:
      isHeld = true
      if deadSinceUs == nil { runner.jump(rules) }
    case .release: isHeld = false
    default: break
    }
  }

  /// Makes the steps that end at or before `us`.
  mutating func advance(toUs us: Int64, using chance: inout some RandomNumberGenerator) -> [Outcome] {
    var outcomes: [Outcome] = []
    while completedUs == nil {
      if let deadSinceUs {
        guard deadSinceUs + rules.deadUs <= us else { break }
        beginAnew(atUs: deadSinceUs + rules.deadUs)
      }
      let endUs = beganUs + Units.endUs(ofStep: steps + 1, perSecond: rules.stepsPerSecond)
      let wonUs = beganUs + rules.surviveUs
      guard min(endUs, wonUs) <= us else { break }
      // What its last step brings is decided first.
      if wonUs < endUs {
        completedUs = wonUs
        break
      }
      steps += 1
      outcomes += step(endUs: endUs, using: &chance)
    }
    return outcomes
  }

  private mutating func step(endUs: Int64, using chance: inout some RandomNumberGenerator) -> [Outcome] {
    runner.step(isHeld: isHeld, rules)
    course.move(
      by: speed / Double(rules.stepsPerSecond), gapFactor: isHelping ? rules.helpGapFactor : 1, rules, using: &chance)
    let collected = course.collect(atHeight: runner.height, rules)
    hearts += collected
    if hearts >= rules.hearts {
      completedUs = endUs
    } else if course.isHit(atHeight: runner.height, rules) {
      deaths += 1
      deadSinceUs = endUs
    }
    return Array(repeating: .cue(.collect, atUs: endUs), count: collected)
  }

  private mutating func beginAnew(atUs us: Int64) {
    (beganUs, steps, deadSinceUs) = (us, 0, nil)
    runner = Runner()
    course = Course(rules)
  }
}
