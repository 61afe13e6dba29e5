// SPDX-License-Identifier: Apache-2.0

import Timing

/// Bytes that a process has clients of others told, and that wait because one of those does not read as fast. Whoever has much told
/// rests: so it comes at a rate at which one can read that takes what a socket holds now and then, and who does so is not closed for
/// what others do. Who reads as fast as it is told makes nobody rest. Knows no clock: instants are passed in.
struct UnreadDebts {
  /// How long paying a byte takes where one owes: a megabyte a second. Debts are counted in the time that paying them takes.
  static let byte = Interval.microseconds(1)
  /// What all together may owe before there is a rest: 128 KB.
  static let free = Interval.milliseconds(128)
  /// However many owe, each may owe as much as one of so many, and pays as one of so many: 16 KB, which is a hundred notifications,
  /// and 62 KB a second, four hundred.
  static let most: (free: Int64, paying: Int64) = (8, 16)
  /// No rest takes longer.
  static let longestRest = Interval.milliseconds(250)
  /// So many are known at the most; of more those that owe least are let off.
  private static let mostKnown = 64

  private var debts: [Peer: Int64] = [:]
  private var asOf = Instant.distantPast

  /// So many bytes that `peer` has others told wait for one of them.
  mutating func note(_ bytes: Int, by peer: Peer, at now: Instant) {
    pay(by: now)
    // More than the longest rest is never owed: what was told long ago is no matter any more.
    let most = free(of: debts[peer] == nil ? debts.count + 1 : debts.count) + Self.longestRest.nanoseconds / paying
    debts[peer] = min(debts[peer, default: 0] + Int64(bytes) * Self.byte.nanoseconds, most)
    if debts.count > Self.mostKnown, let least = debts.min(by: { $0.value < $1.value })?.key { debts[least] = nil }
  }

  /// How long no line of `peer` is to be served; nil where it owes no more than its part.
  mutating func rest(of peer: Peer, at now: Instant) -> Interval? {
    pay(by: now)
    guard let owed = debts[peer] else { return nil }
    let excess = owed - free(of: debts.count)
    if excess <= 0 { return nil }
    return min(Interval(nanoseconds: excess * paying), Self.longestRest)
  }

  private func free(of count: Int) -> Int64 { Self.free.nanoseconds / min(Int64(count), Self.most.free) }

  /// As one of how many each pays.
  private var paying: Int64 { max(1, min(Int64(debts.count), Self.most.paying)) }

  /// Each that owes pays its part.
  private mutating func pay(by now: Instant) {
    if !debts.isEmpty {
      let paid = (now - asOf).nanoseconds / paying
      debts = debts.compactMapValues { $0 > paid ? $0 - paid : nil }
    }
    asOf = now
  }
}
