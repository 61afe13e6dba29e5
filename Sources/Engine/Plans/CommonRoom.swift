// SPDX-License-Identifier: Apache-2.0

/// How a limited number of things, such as commands waiting at the mixer, is divided among clients. The first `ofAClient` of
/// each are reserved for it. What it has beyond comes out of the shared part: there a user may take at most two thirds of what
/// other users have left, and each client at most two thirds of what its user's other clients have left of that.
struct CommonRoom {
  /// How many are reserved for each client.
  var ofAClient: Int
  /// How many there are beside those.
  var shared: Int
  /// For how many clients of a user there is a reserved part: as many as may be connected at once. Clients that have left may
  /// still have some; then the latest to come may find no part left.
  static let clientsOfAUser = 48

  /// What one client has.
  struct Use: Equatable {
    var user: UInt32
    var count: Int
  }

  /// If all clients together have no more than this, none is refused, whoever has how much: two thirds of two thirds.
  var plenty: Int { shared * 4 / 9 }

  /// Whether `client` may have `count` more, among what all have; each of `uses` is of another client.
  func has(
    _ count: Int, for client: ClientID, of user: UInt32, among uses: some Sequence<(key: ClientID, value: Use)>
  ) -> Bool {
    var (wanted, earlier, ofUser, ofOthers) = (count, 0, 0, 0)
    for (other, use) in uses {
      let beyond = max(0, use.count - ofAClient)
      if other == client {
        wanted += use.count
      } else if use.user != user {
        ofOthers += beyond
      } else {
        ofUser += beyond
        if other.rawValue < client.rawValue { earlier += min(use.count, ofAClient) }
      }
    }
    // Only clients that came earlier are counted: one already connected is not refused because later ones come and go.
    if wanted <= ofAClient, earlier + wanted <= Self.clientsOfAUser * ofAClient { return true }
    let own = max(0, wanted - ofAClient)
    ofUser += own
    // A user has two thirds of what others leave, and a client of that two thirds of what the user's others leave.
    let part = (shared - ofOthers) * 2 / 3
    return own > 0 && ofUser <= part && own <= 2 * (part - ofUser)
  }
}
