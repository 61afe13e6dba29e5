// SPDX-License-Identifier: Apache-2.0

/// Who may hold how many of the earlier readings of packs, of which so many are kept for what still plays or is planned of them.
/// One that several hold counts for each of them.
///
/// Nobody is refused for it: where there is no room for one more, one is let go of that nobody holds within their share, and whoever
/// holds it within theirs keeps it. So nobody keeps packs from being read anew by what they hold, and whoever has no more than their
/// share never loses anything.
public enum GenerationShares {
  /// The most earlier readings that are kept.
  public static let most = 16
  /// How many of them a client may hold, and how many all clients of a user, those that have left among them.
  public static let ofAClient = 4
  public static let ofAUser = 12

  /// What a reading is kept for.
  public struct Held: Equatable, Sendable {
    /// Who plays or has planned something of it.
    var holders: Set<PackHolder> = []
    /// Whether the track that plays is of it, or the chapter: these are everybody's, and one each.
    var isEverybodys = false
  }

  /// By how much somebody is over their share. What the daemon does by itself has none.
  private struct Excess: Comparable {
    /// How many a client holds that holds too many, and how many its user's clients do where they hold too many.
    var ofClient = 0
    var ofUser = 0
    /// How many the client holds.
    var count = 0

    var isNone: Bool { ofClient == 0 && ofUser == 0 }

    static func < (a: Excess, b: Excess) -> Bool {
      (a.ofClient, a.ofUser, a.count) < (b.ofClient, b.ofUser, b.count)
    }
  }

  /// Which of the readings that are `held`, in the order in which they were read, are let go of so that there are `surplus` fewer:
  /// each time of those whose every holder is over their share the one whose holders hold most, a client's share before its
  /// user's, and of equals the oldest. Nil where there are not so many.
  public static func outdated(_ held: [Held], surplus: Int) -> [Int]? {
    var left = Array(held.indices)
    var outdated: [Int] = []
    while outdated.count < surplus {
      let excesses = excesses(left.map { held[$0] })
      // Nobody's is let go of first: what is left of it ends by itself.
      let least = left.map { held[$0].holders.compactMap { excesses[$0] }.min() ?? Excess(ofClient: .max) }
      var chosen: Int?
      for place in left.indices where !held[left[place]].isEverybodys && !least[place].isNone {
        if chosen.map({ least[$0] < least[place] }) ?? true { chosen = place }
      }
      guard let chosen else { return nil }
      outdated.append(left.remove(at: chosen))
    }
    return outdated
  }

  private static func excesses(_ held: [Held]) -> [PackHolder: Excess] {
    var (clients, users): ([PackHolder: Int], [UInt32: Int]) = ([:], [:])
    for one in held {
      for holder in one.holders { clients[holder, default: 0] += 1 }
      for user in Set(one.holders.lazy.filter { !$0.isDaemon }.map(\.user)) { users[user, default: 0] += 1 }
    }
    return Dictionary(
      uniqueKeysWithValues: clients.map { holder, count in
        if holder.isDaemon { return (holder, Excess(ofClient: .max)) }
        let ofUser = users[holder.user] ?? 0
        return (
          holder,
          Excess(ofClient: count > ofAClient ? count : 0, ofUser: ofUser > ofAUser ? ofUser : 0, count: count)
        )
      })
  }
}

/// Who plays or has planned something of a reading of a pack.
public struct PackHolder: Hashable, Sendable {
  var client: ClientID
  var user: UInt32

  init(_ cause: Cause) { (client, user) = (cause.client, cause.user) }

  var isDaemon: Bool { client == .daemon }
}
