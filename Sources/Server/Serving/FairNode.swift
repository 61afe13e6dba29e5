// SPDX-License-Identifier: Apache-2.0

import Timing

/// A client, or all of a process or a user: what it has cost beside its like, and within it those it is made of.
///
/// Each has a tag: what it has cost so far, on a scale on which all that wait advance alike. The least tag is served next, and
/// moved on by what that cost, which is known only then. Who asks again after a while begins where the scale is by now, so
/// nothing is saved up, and who asks seldom goes before all who have lines without end, however many those are.
///
/// Who comes begins where the scale is, too, and owes nothing. So that those who come, one after another and each only once,
/// do not go before one who owes for ever, all who come since one was served last count for it as one: when they have cost what
/// it owes, it goes before any of them, and the scale is moved on to it.
struct FairNode {
  private let key: UInt64
  /// Whether it is made of others, even where none of them is there.
  private let isGroup: Bool
  /// Where on the scale it is served next, in nanoseconds.
  private var tag: Int64
  /// When it was served last, or came, counted in lines of its like: of equals the one that has waited longest goes first.
  private var served: UInt64
  /// When it came.
  private let came: UInt64
  private var waits = false
  /// What those have cost since it was served last that came since then.
  private var passed: Int64 = 0
  private var members: [FairNode] = []
  /// Where the scale of its members is: the tag of what was served last.
  private var now: Int64 = 0
  private var lines: UInt64 = 0

  /// One of which nothing is known yet.
  init(_ key: UInt64 = 0) { self.init(key, isGroup: true, tag: 0, came: 0) }

  private init(_ key: UInt64, isGroup: Bool, tag: Int64, came: UInt64) {
    (self.key, self.isGroup, self.tag, served, self.came) = (key, isGroup, tag, came, came)
  }

  /// Adds the last of `path` to the one before it, and each of them that is not there.
  mutating func add(_ path: ArraySlice<UInt64>) {
    guard let key = path.first else { return }
    let place = place(of: key, isGroup: path.count > 1)
    members[place].add(path.dropFirst())
  }

  /// Removes the last of `path`, and of the others who is then made of nobody and owes nothing.
  mutating func remove(_ path: ArraySlice<UInt64>) {
    guard let key = path.first, let place = place(of: key) else { return }
    members[place].remove(path.dropFirst())
    if !members[place].isGroup { members.remove(at: place) }
    forgetWhoOwesNothing()
  }

  /// The most that are made of nobody and kept for what they owe: those that owe least are let off.
  private static let mostOwing = 64

  private mutating func forgetWhoOwesNothing() {
    members.removeAll { $0.isOfNobody && $0.tag <= now }
    var owing = 0
    for place in members.indices where members[place].isOfNobody { owing += 1 }
    while owing > Self.mostOwing {
      var least: Int?
      for place in members.indices where members[place].isOfNobody {
        if let other = least, members[place].tag >= members[other].tag { continue }
        least = place
      }
      if let least { members.remove(at: least) }
      owing -= 1
    }
  }

  private var isOfNobody: Bool { isGroup && members.isEmpty }

  /// Looks who waits, as `isWaiting` says of those made of nobody; whether anybody does.
  mutating func look(_ isWaiting: (UInt64) -> Bool) -> Bool {
    if !isGroup {
      waits = isWaiting(key)
      return waits
    }
    waits = false
    for place in members.indices where members[place].look(isWaiting) { waits = true }
    // Nobody waits, so all debts lapse: the scale moves up to the highest tag, from which everybody starts again.
    if !waits { for place in members.indices { now = max(now, members[place].tag) } }
    return waits
  }

  /// Who is next of those that wait, down to one that is made of nobody.
  mutating func next() -> UInt64 {
    var first: Int?
    for place in members.indices where members[place].waits {
      members[place].tag = max(members[place].tag, now)
      if let other = first, !members[place].precedes(members[other]) { continue }
      first = place
    }
    guard var first else { return key }
    while let other = passedEnough(by: first) { first = other }
    now = members[first].tag
    return members[first].next()
  }

  /// Who of those that wait has let enough go before it that came since it was served last, of whom the one at `place` is one.
  private func passedEnough(by place: Int) -> Int? {
    let came = members[place].came
    var first: Int?
    // Each was there before the one it goes before had come, and so none is come to twice.
    for other in members.indices where members[other].waits && members[other].came < came {
      guard members[other].served <= came, members[other].passed >= members[other].tag - now else { continue }
      if let first, !members[other].precedes(members[first]) { continue }
      first = other
    }
    return first
  }

  private func precedes(_ other: FairNode) -> Bool { (tag, served) < (other.tag, other.served) }

  /// Charges each on `path` among its like, in nanoseconds.
  mutating func charge(_ cost: Int64, to path: ArraySlice<UInt64>) {
    guard let key = path.first, let place = place(of: key) else { return }
    noteServed(place, cost)
    members[place].charge(cost, to: path.dropFirst())
  }

  private mutating func noteServed(_ place: Int, _ cost: Int64) {
    let came = members[place].came
    for other in members.indices where members[other].served <= came {
      members[other].passed += cost
    }
    lines += 1
    members[place].served = lines
    members[place].passed = 0
    members[place].tag += cost
  }

  /// Charges a group, which need have no member: one whose member has just gone, or is not let in.
  mutating func chargeGroup(_ cost: Int64, _ path: ArraySlice<UInt64>) {
    guard let key = path.first else { return }
    let place = place(of: key, isGroup: true)
    // It may not have waited for long, and saves nothing up.
    members[place].tag = max(members[place].tag, now)
    noteServed(place, cost)
    members[place].chargeGroup(cost, path.dropFirst())
    forgetWhoOwesNothing()
  }

  /// Charges each on `path` for what was done for its sake and is no line of its: it owes that, and is served in its turn as before.
  mutating func owe(_ cost: Int64, _ path: ArraySlice<UInt64>, isGroup: Bool) {
    guard let key = path.first else { return }
    let place = place(of: key, isGroup: isGroup || path.count > 1)
    // It may not have waited for long, and saves nothing up.
    members[place].tag = max(members[place].tag, now) + cost
    let came = members[place].came
    for other in members.indices where other != place && members[other].served <= came {
      members[other].passed += cost
    }
    members[place].owe(cost, path.dropFirst(), isGroup: isGroup)
    forgetWhoOwesNothing()
  }

  private func place(of key: UInt64) -> Int? { members.firstIndex { $0.key == key } }

  /// Where it is, from now on if it was not.
  private mutating func place(of key: UInt64, isGroup: Bool) -> Int {
    if let place = place(of: key) { return place }
    members.append(FairNode(key, isGroup: isGroup, tag: now, came: lines))
    return members.count - 1
  }
}
