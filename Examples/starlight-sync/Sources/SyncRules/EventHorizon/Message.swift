// SPDX-License-Identifier: Apache-2.0

/// The message at the end: sent once, tried again a few times, silently given up. Nothing waits for it. Its instants are
/// the clock's, for it goes on while the game is interrupted.
public struct Message: Equatable, Sendable {
  public let rules: MessageRules
  public private(set) var state: State = .unsent

  /// How far it is.
  public enum State: Equatable, Sendable {
    case unsent
    /// Under way; what comes of it is still to be told.
    case sending(attempt: Int)
    /// The attempt failed; the next is made at `untilUs`.
    case waiting(attempt: Int, untilUs: Int64)
    case delivered
    case givenUp
  }

  init(rules: MessageRules) { self.rules = rules }

  mutating func begin() -> [Outcome] {
    guard state == .unsent else { return [] }
    return send(attempt: 1)
  }

  /// What came of an attempt; of one that is not under way there is nothing to tell.
  mutating func tell(attempt: Int, isDelivered: Bool, atUs us: Int64) {
    guard state == .sending(attempt: attempt) else { return }
    if isDelivered {
      state = .delivered
    } else if rules.waitsUs.indices.contains(attempt - 1) {
      state = .waiting(attempt: attempt, untilUs: us + rules.waitsUs[attempt - 1])
    } else {
      state = .givenUp
    }
  }

  mutating func advance(toUs us: Int64) -> [Outcome] {
    guard case .waiting(let attempt, let untilUs) = state, untilUs <= us else { return [] }
    return send(attempt: attempt + 1)
  }

  private mutating func send(attempt: Int) -> [Outcome] {
    state = .sending(attempt: attempt)
    return [.send(attempt: attempt, withinUs: rules.answerUs)]
  }
}
