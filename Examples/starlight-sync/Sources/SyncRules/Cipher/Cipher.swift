// SPDX-License-Identifier: Apache-2.0

/// Chapter 3: wheels of words are turned until they say what is right, and unlocked.
public struct Cipher: Equatable, Sendable {
  public let rules: CipherRules
  public private(set) var wheels: [Wheel]
  /// Wrong ones, since the chapter began.
  public private(set) var attempts = 0
  /// When the last attempt was wrong: the frame shakes from there.
  public private(set) var shookUs: Int64?
  /// When it was done; nil until then.
  public private(set) var completedUs: Int64?

  init(rules: CipherRules, using chance: inout some RandomNumberGenerator) {
    self.rules = rules
    wheels = rules.wheels.map { Wheel(rules: $0, start: Int.random(in: 0...$0.decoys.count, using: &chance)) }
  }

  /// Whether these words are the answer.
  public static func isSolved(_ words: [String], answers: [String]) -> Bool { words == answers }

  /// Help, once it has begun, stays.
  public var isHelping: Bool { attempts >= rules.helpAfterAttempts }

  /// The words in the centre.
  public var words: [String] { wheels.map { $0.segments[$0.selection] } }

  /// Opacity of the glow on a wheel's right segment, 0 where there is none.
  public func glow(ofWheel index: Int, atUs us: Int64) -> Double {
    guard isHelping, wheels.indices.contains(index) else { return 0 }
    let distance = wheels[index].distance(atUs: us)
    guard distance <= rules.glowReach, rules.glowReach > 0 else { return 0 }
    return rules.glow + (rules.glowAtReach - rules.glow) * distance / rules.glowReach
  }

  mutating func act(_ act: Act, atUs us: Int64) -> [Outcome] {
    guard completedUs == nil else { return [] }
    switch act {
    case .turn(let index, let segments):
      guard wheels.indices.contains(index), segments.isFinite else { return [] }
      let amount = min(max(segments, -rules.mostSegments), rules.mostSegments)
      let crossed = wheels[index].turn(by: amount, atUs: us)
      return Array(repeating: .cue(.tick, atUs: us), count: crossed)
    case .letGo(let index):
      guard wheels.indices.contains(index), wheels[index].letGo(atUs: us, settleUs: rules.settleUs) else { return [] }
      return wheels[index].isRight ? [.cue(.settle, atUs: us)] : []
    case .unlock:
      guard Self.isSolved(words, answers: rules.wheels.map(\.answer)) else {
        attempts += 1
        shookUs = us
        return []
      }
      completedUs = us
      return [.cue(.solve, atUs: us)]
    default: return []
    }
  }
}
