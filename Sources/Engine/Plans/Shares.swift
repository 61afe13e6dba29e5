// SPDX-License-Identifier: Apache-2.0

import Problems

/// What of the room for plans each client and each user has taken: one step of a plan is one unit.
///
/// What is urgent, a stop or what is for now, finds room of its own besides: a little for each client, that no other can take.
/// So do the first few steps for later of a client that has planned nothing else. What outlives its client stays charged to
/// the user who ran it, so that connecting again gains nothing.
struct Shares {
  /// What there is room for.
  struct Bounds {
    /// The most of a client, of all clients of one user, and of everybody; and what is kept for the daemon's own.
    var ofAClient: Int
    var ofAUser: Int
    var ofAll: Int
    var ofTheDaemon: Int
    /// How many urgent steps each client may have on top of the above, and how many a client, its user's earlier clients counted
    /// with it, may have together.
    var urgentOfAClient: Int
    var urgentOfAUser: Int
    /// How many steps that are not urgent a client may have out of its urgent room, if it has no others: whatever others plan far
    /// ahead, each client can plan a little.
    var laterOfAClient = 0
    /// What is counted, as refusals name it, and what they say to do.
    var noun: String
    var remedy: Wording
  }

  /// Of plans. Each of the 48 clients that a user may have finds its own room for what is urgent.
  static let plans = Bounds(
    ofAClient: ofAClient, ofAUser: ofAUser, ofAll: ofAll, ofTheDaemon: 1_024, urgentOfAClient: 64,
    urgentOfAUser: 48 * 64, laterOfAClient: 8, noun: "steps",
    remedy: "plan less far ahead, or wait until some of it has happened")
  static let ofAClient = 1_024
  static let ofAUser = 2_048
  static let ofAll = 8_192

  private struct Urgent {
    var user: UInt32
    var steps: Int
  }

  private let bounds: Bounds
  private var clients: [ClientID: Int] = [:]
  private var users: [UInt32: Int] = [:]
  private var urgent: [ClientID: Urgent] = [:]
  private var daemon = 0
  /// What is still to be told of what came to nothing, of each user: it is told only so fast, and who plans and calls off faster would
  /// have it gather without end.
  private var untold: [UInt32: Int] = [:]
  /// The sum over users, of each at most `ofAUser`: steps taken by `takeAnyway` beyond that are not at others' cost.
  private var all = 0

  init(_ bounds: Bounds = Shares.plans) { self.bounds = bounds }

  /// How many steps are taken.
  var count: Int { users.values.reduce(daemon, +) + urgent.values.reduce(0) { $0 + $1.steps } }

  /// How many steps a client has taken.
  func count(of client: ClientID) -> Int {
    client == .daemon ? daemon : (clients[client] ?? 0) + (urgent[client]?.steps ?? 0)
  }

  /// Takes room for `steps` steps, and answers who pays: to be kept with the steps, for `give`. Where the shared room is used
  /// up, urgent steps, and the client's first `laterOfAClient` others, still come out of the client's own urgent room.
  mutating func take(_ steps: Int, for cause: Cause, isUrgent: Bool = false) throws(VerbRefusal) -> Cause {
    var payer = cause
    payer.paysUrgently = false
    if let refusal = refusal(of: steps, for: payer) {
      guard isUrgent || isFew(steps, for: payer) else { throw refusal }
      payer.paysUrgently = true
      if let refusal = self.refusal(of: steps, for: payer) { throw refusal }
    }
    takeAnyway(steps, for: payer)
    return payer
  }

  /// Whether these are among a client's first steps for later. While as much of a user as it may plan is yet to be told as called off
  /// none are: each of its clients that comes anew would add some.
  private func isFew(_ steps: Int, for payer: Cause) -> Bool {
    count(of: payer.client) + steps <= bounds.laterOfAClient && (untold[payer.user] ?? 0) < bounds.ofAUser
  }

  /// Takes room for what must happen, beyond any bound.
  mutating func takeAnyway(_ steps: Int, for payer: Cause) {
    if payer.client == .daemon {
      daemon += steps
    } else if payer.paysUrgently {
      urgent[payer.client, default: Urgent(user: payer.user, steps: 0)].steps += steps
    } else {
      clients[payer.client, default: 0] += steps
      count(steps, toUser: payer.user)
    }
  }

  /// Gives back what was taken, to whom `take` answered.
  mutating func give(_ steps: Int, for payer: Cause) {
    if payer.client == .daemon {
      daemon -= steps
    } else if payer.paysUrgently {
      let rest = Self.rest(urgent[payer.client]?.steps, steps)
      urgent[payer.client] = rest.map { Urgent(user: payer.user, steps: $0) }
    } else {
      clients[payer.client] = Self.rest(clients[payer.client], steps)
      count(-steps, toUser: payer.user)
    }
  }

  /// Gives back one step for each: a stop of all gives back two thousand, of a few clients.
  mutating func giveOne(forEach payers: some Sequence<Cause>) {
    for (payer, steps) in Self.tally(payers) { give(steps, for: payer) }
  }

  /// Takes room for one step for each, which must happen, beyond any bound.
  mutating func takeOneAnyway(forEach payers: some Sequence<Cause>) {
    for (payer, steps) in Self.tally(payers) { takeAnyway(steps, for: payer) }
  }

  /// How often each of a few is among many.
  private static func tally(_ payers: some Sequence<Cause>) -> [(payer: Cause, steps: Int)] {
    var tally: [(payer: Cause, steps: Int)] = []
    for payer in payers {
      let place = tally.firstIndex {
        $0.payer.client == payer.client && $0.payer.user == payer.user && $0.payer.paysUrgently == payer.paysUrgently
      }
      if let place {
        tally[place].steps += 1
      } else {
        tally.append((payer, 1))
      }
    }
    return tally
  }

  /// Something of a client is to be told later; until then it is charged to its user, whether the client is there or not.
  mutating func oweTelling(for cause: Cause?) {
    guard let cause, cause.client != .daemon else { return }
    untold[cause.user, default: 0] += 1
  }

  /// It is told.
  mutating func noteTold(for cause: Cause?) {
    guard let cause, cause.client != .daemon else { return }
    untold[cause.user] = Self.rest(untold[cause.user], 1)
  }

  private mutating func count(_ steps: Int, toUser user: UInt32) {
    let before = users[user] ?? 0
    let after = max(0, before + steps)
    users[user] = after > 0 ? after : nil
    all += min(after, bounds.ofAUser) - min(before, bounds.ofAUser)
  }

  private func refusal(of steps: Int, for payer: Cause) -> VerbRefusal? {
    if payer.client == .daemon {
      // What is urgent of the daemon's own is never refused.
      return payer.paysUrgently ? nil : refusal(daemon + steps, bounds.ofTheDaemon, "of the daemon's own")
    }
    if payer.paysUrgently {
      let own = urgent[payer.client]?.steps ?? 0
      // Only clients that came no later are counted: one already connected is not refused because later ones come and go.
      let before = urgent.reduce(0) { sum, one in
        one.value.user == payer.user && one.key.rawValue <= payer.client.rawValue ? sum + one.value.steps : sum
      }
      return refusal(own + steps, bounds.urgentOfAClient, "by this client besides all others")
        ?? refusal(before + steps, bounds.urgentOfAUser, "by clients of this user besides all others")
    }
    return refusal((clients[payer.client] ?? 0) + steps, bounds.ofAClient, "by this client")
      ?? refusal(
        (users[payer.user] ?? 0) + (untold[payer.user] ?? 0) + steps, bounds.ofAUser,
        "or to be told as called off by clients of this user")
      ?? refusal(all + steps, bounds.ofAll, "by all clients")
  }

  private func refusal(_ wanted: Int, _ most: Int, _ whose: String) -> VerbRefusal? {
    guard wanted > most else { return nil }
    return VerbRefusal(
      .busy, "\(most) \(bounds.noun) are the most that are planned \(whose), and this would be more",
      remedy: bounds.remedy)
  }

  private static func rest(_ count: Int?, _ steps: Int) -> Int? {
    let rest = (count ?? 0) - steps
    return rest > 0 ? rest : nil
  }
}
