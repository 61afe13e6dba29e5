// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing

@testable import Engine

/// Steps that clients of several users plan and that the daemon does, taken and given back in any order.
@Suite struct RandomShareTests {
  /// What is taken, in lists, and what is granted by the limits as `session.hello` tells them.
  private struct Model {
    var taken: [(payer: Cause, steps: Int)] = []

    private func steps(_ isMeant: (Cause) -> Bool) -> Int {
      taken.reduce(0) { $0 + (isMeant($1.payer) ? $1.steps : 0) }
    }

    /// Whether a plan is granted, and whether out of what is its client's own; nil where it is not.
    func grants(_ steps: Int, to cause: Cause, isUrgent: Bool) -> Bool? {
      if cause.client == .daemon {
        return self.steps { $0.client == .daemon } + steps <= 1_024 ? false : isUrgent ? true : nil
      }
      let users = Set(taken.map(\.payer).filter { $0.client != .daemon }.map(\.user))
      func shared(_ user: UInt32) -> Int {
        self.steps { $0.client != .daemon && $0.user == user && !$0.paysUrgently }
      }
      let client = self.steps { $0.client == cause.client && !$0.paysUrgently }
      let all = users.reduce(0) { $0 + min(shared($1), 2_048) }
      if client + steps <= 1_024, shared(cause.user) + steps <= 2_048, all + steps <= 8_192 { return false }
      let own = self.steps { $0.client == cause.client && $0.paysUrgently }
      guard isUrgent || client + own + steps <= 8 else { return nil }
      let before = self.steps {
        $0.paysUrgently && $0.user == cause.user && $0.client.rawValue <= cause.client.rawValue
      }
      return own + steps <= 64 && before + steps <= 48 * 64 ? true : nil
    }
  }

  @Test func eachFindsWhatTheLimitsPromiseWhateverOthersHavePlanned() throws {
    try search(upTo: 40) { random in
      var shares = Shares()
      var model = Model()
      for _ in 0..<300 {
        if random.oneIn(8), !model.taken.isEmpty {
          let given = model.taken.remove(at: random.next(below: model.taken.count))
          shares.give(given.steps, for: given.payer)
          continue
        }
        let client = UInt64(1 + random.next(below: 18))
        let cause = random.oneIn(6) ? Cause.daemon : Cause(client: ClientID(rawValue: client), user: UInt32(client % 6))
        let (steps, isUrgent) = (1 + random.next(below: random.pick([8, 60, 300])), random.oneIn(4))
        let granted = model.grants(steps, to: cause, isUrgent: isUrgent)
        let payer = try? shares.take(steps, for: cause, isUrgent: isUrgent)
        try hold(
          payer?.paysUrgently == granted,
          "\(steps) steps of client \(cause.client.rawValue) are \(payer == nil ? "refused" : "taken")"
            + " beside \(shares.count)")
        if let payer { model.taken.append((payer, steps)) }
      }
    }
  }
}
