// SPDX-License-Identifier: Apache-2.0

/// Who may have how much of what there is only so much of. The first few of each client are its own: no other can take them.
/// What a client has beyond comes out of what all share: of that a user has at most twice what it leaves to other users, and
/// of what so is a user's a client at most twice what it leaves to the user's others.
struct CommonRoom {
  /// What each client may have whatever others have.
  var ofAClient: Int
  /// What all share.
  var shared: Int
  /// As many clients a user may have at once. Of more, that came and went, the latest have no part to themselves.
  static let clientsOfAUser = 48

  /// What one client has.
  struct Use: Equatable {
    var user: UInt32
    var count: Int
  }

  /// So much of all clients together fits however it is spread.
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
    // Who stays is not refused for what comes and goes behind it.
    if wanted <= ofAClient, earlier + wanted <= Self.clientsOfAUser * ofAClient { return true }
    let own = max(0, wanted - ofAClient)
    ofUser += own
    // A user has two thirds of what others leave, and a client of that two thirds of what the user's others leave.
    let part = (shared - ofOthers) * 2 / 3
    return own > 0 && ofUser <= part && own <= 2 * (part - ofUser)
  }
}
