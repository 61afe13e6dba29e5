// SPDX-License-Identifier: Apache-2.0

/// What of the room for plans each client and each user has taken: one step of a plan is one unit.
///
/// What outlives its client stays charged to the user who ran it, so that connecting again gains nothing.
struct Shares {
  /// The most of a client, of all clients of one user, of everybody, and what is kept for the daemon's own.
  static let ofAClient = 1_024
  static let ofAUser = 2_048
  static let ofAll = 8_192
  static let ofTheDaemon = 1_024

  private var clients: [ClientID: Int] = [:]
  private var users: [UInt32: Int] = [:]
  private var daemon = 0
  private var all = 0

  /// How many steps are taken.
  var count: Int { all + daemon }

  /// How many steps a client has taken.
  func count(of client: ClientID) -> Int { client == .daemon ? daemon : clients[client] ?? 0 }

  /// Takes room for `steps` steps. What is urgent, such as a stop, is charged, but never refused.
  mutating func take(_ steps: Int, for cause: Cause, isUrgent: Bool = false) throws(Refusal) {
    if cause.client == .daemon {
      if !isUrgent && daemon + steps > Self.ofTheDaemon {
        throw Refusal(.busy, "\(daemon) steps of the daemon's own are planned, which is the most")
      }
      daemon += steps
      return
    }
    let (client, user) = (clients[cause.client] ?? 0, users[cause.user] ?? 0)
    if !isUrgent {
      try check(client + steps, Self.ofAClient, "by this client")
      try check(user + steps, Self.ofAUser, "by clients of this user")
      try check(all + steps, Self.ofAll, "by all clients")
    }
    clients[cause.client] = client + steps
    users[cause.user] = user + steps
    all += steps
  }

  /// Takes room for what must happen, beyond any bound.
  mutating func takeUrgently(_ steps: Int, for cause: Cause) { try? take(steps, for: cause, isUrgent: true) }

  /// Gives back what `take` took.
  mutating func give(_ steps: Int, for cause: Cause) {
    if cause.client == .daemon {
      daemon -= steps
      return
    }
    clients[cause.client] = Self.rest(clients[cause.client], steps)
    users[cause.user] = Self.rest(users[cause.user], steps)
    all -= steps
  }

  /// Gives back one step for each: a stop of all gives back two thousand, of a few clients.
  mutating func giveOne(forEach causes: some Sequence<Cause>) {
    var given: [(cause: Cause, steps: Int)] = []
    for cause in causes {
      if let place = given.firstIndex(where: { $0.cause.client == cause.client && $0.cause.user == cause.user }) {
        given[place].steps += 1
      } else {
        given.append((cause, 1))
      }
    }
    for one in given { give(one.steps, for: one.cause) }
  }

  private func check(_ wanted: Int, _ most: Int, _ whose: String) throws(Refusal) {
    guard wanted > most else { return }
    throw Refusal(
      .busy, "\(wanted - 1) steps are planned \(whose), and \(most) is the most",
      remedy: "plan less far ahead, or wait until some of it has happened")
  }

  private static func rest(_ count: Int?, _ steps: Int) -> Int? {
    let rest = (count ?? 0) - steps
    return rest > 0 ? rest : nil
  }
}
