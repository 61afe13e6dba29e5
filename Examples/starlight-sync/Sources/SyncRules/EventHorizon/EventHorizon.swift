// SPDX-License-Identifier: Apache-2.0

/// Chapter 6: a slider that resists; where it arrives all begins that the story was for.
public struct EventHorizon: Equatable, Sendable {
  public let rules: EventHorizonRules
  /// Where the finger is, 0 to 1; nil where it is lifted, and the handle at its beginning.
  public private(set) var finger: Double?
  /// When it was done; nil until then.
  public private(set) var completedUs: Int64?

  init(rules: EventHorizonRules) { self.rules = rules }

  /// Where the handle is, 0 to 1: behind the finger, until both arrive.
  public var handle: Double { completedUs != nil ? 1 : Power.of(finger ?? 0, exponent: rules.power) }

  mutating func act(_ act: Act, atUs us: Int64) -> [Outcome] {
    guard completedUs == nil else { return [] }
    switch act {
    case .slide(let place) where place.isFinite:
      let begins = finger == nil
      let place = min(max(place, 0), 1)
      finger = place
      var outcomes: [Outcome] = begins ? [.cue(.slider, atUs: us)] : []
      outcomes.append(.slider(place, atUs: us))
      if place >= 1 {
        completedUs = us
        outcomes += [.cue(.finale, atUs: us), .confetti(atUs: us)]
      }
      return outcomes
    case .release where finger != nil:
      finger = nil
      return [.stop(.slider, atUs: us)]
    default: return []
    }
  }
}
