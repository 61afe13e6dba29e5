// SPDX-License-Identifier: Apache-2.0

import Timing

/// How many steps of sounds may be under way to the mixer at once. It is told of them some 100 ms ahead and has room for so
/// many, so what is counted is the steps of any such time: of each client, of each user, and of all.
///
/// Whoever asks for no more than `ofAClient` steps and `stopsOfAClient` stops in any such time is never refused for what others
/// ask, however many they are.
struct SoundPacing: Equatable {
  /// What each client has to itself: steps, and stops besides, each of which is a step once those are used up.
  static let ofAClient = 4
  static let stopsOfAClient = 2
  /// What all clients share beyond. With what 64 clients have to themselves, with the daemon's own, and with what music
  /// (`MusicPacing`), the switch (`SwitchPacing`) and parameters may take together it is less than the mixer takes.
  static let shared = 384
  /// The daemon's own.
  static let ofTheDaemon = 64
  /// What instants are rounded down to where they are counted.
  static let slice = Interval.milliseconds(10)
  /// How many slices the mixer is told ahead, and one for rounding.
  static let span: Int64 = 11

  private static let room = CommonRoom(ofAClient: ofAClient, shared: shared)

  /// What a step counts as.
  struct Steps: Equatable {
    var count = 1
    var isStop = false

    static let start = Steps()
    static let stop = Steps(isStop: true)
  }

  /// What one client has in a slice.
  private struct Count: Equatable {
    var user: UInt32
    var steps = 0
    var stops = 0

    mutating func add(_ other: Count, _ sign: Int = 1) {
      steps += sign * other.steps
      stops += sign * other.stops
    }

    mutating func giveBack(_ given: Steps) {
      if given.isStop {
        stops = max(0, stops - given.count)
      } else {
        steps = max(0, steps - given.count)
      }
    }

    var isNone: Bool { steps + stops <= 0 }

    /// In a whole span, of which it is.
    var use: CommonRoom.Use {
      CommonRoom.Use(user: user, count: steps + max(0, stops - SoundPacing.stopsOfAClient))
    }
  }

  private typealias Counts = [ClientID: Count]

  /// By number of slice; past ones go when time has moved on.
  private var slices: [Int64: Counts] = [:]
  private var first = Int64.min

  /// How many steps are counted.
  var steps: Int { slices.values.reduce(0) { $1.values.reduce($0) { $0 + $1.steps + $1.stops } } }

  /// Refuses steps at `instant` where their client has had its part.
  mutating func check(_ steps: Steps, at instant: Instant, now: Instant, by cause: Cause) throws(VerbRefusal) {
    forgetPast(now)
    let slice = max(Self.number(of: instant), first)
    guard let busy = fullest(with: steps, slice, cause) else { return }
    throw VerbRefusal(
      .busy, "\(busy) starts, changes and stops of sounds by this client lie within a tenth of a second",
      remedy: "ask for fewer at a time, or wait some hundredths of a second")
  }

  /// Takes room for steps.
  mutating func charge(_ steps: Steps, at instant: Instant, by cause: Cause) {
    let slice = max(Self.number(of: instant), first)
    slices[slice, default: [:]][cause.client, default: Count(user: cause.user)].add(Self.count(steps, cause))
  }

  /// Gives back what was taken for steps that never came to the mixer.
  mutating func giveBack(_ steps: Steps, at instant: Instant, by client: ClientID) {
    guard let slice = slices.index(forKey: Self.number(of: instant)),
      let place = slices.values[slice].index(forKey: client)
    else { return }
    slices.values[slice].values[place].giveBack(steps)
    if !slices.values[slice].values[place].isNone { return }
    slices.values[slice].remove(at: place)
    if slices.values[slice].isEmpty { slices.remove(at: slice) }
  }

  private static func count(_ steps: Steps, _ cause: Cause) -> Count {
    Count(user: cause.user, steps: steps.isStop ? 0 : steps.count, stops: steps.isStop ? steps.count : 0)
  }

  /// How much a client has in the time of `span` slices in which there is no room for more; nil where there is in all that hold
  /// this one.
  private func fullest(with steps: Steps, _ slice: Int64, _ cause: Cause) -> Int? {
    let range = max(first, slice - Self.span)...slice + Self.span
    let near = range.compactMap { number in slices[number].map { (number, $0) } }
    // Most of the time that is all there is to know.
    let all = near.reduce(steps.count) { sum, one in one.1.values.reduce(sum) { $0 + $1.steps + $1.stops } }
    if all <= min(Self.room.plenty, Self.ofTheDaemon) { return nil }
    var held: Counts = [:]
    var (next, past) = (0, 0)
    for start in range.lowerBound...slice {
      while next < near.count, near[next].0 <= start + Self.span {
        for (client, count) in near[next].1 { held[client, default: Count(user: count.user)].add(count) }
        next += 1
      }
      while past < near.count, near[past].0 < start {
        for (client, count) in near[past].1 { held[client]?.add(count, -1) }
        past += 1
      }
      if !Self.hasRoom(steps, cause, among: held) { return held[cause.client].map { $0.steps + $0.stops } ?? 0 }
    }
    return nil
  }

  private static func hasRoom(_ steps: Steps, _ cause: Cause, among held: Counts) -> Bool {
    var own = held[cause.client] ?? Count(user: cause.user)
    let before = own.use.count
    own.add(count(steps, cause))
    if cause.client == .daemon { return own.steps + own.stops <= ofTheDaemon }
    let more = own.use.count - before
    let uses = held.lazy.filter { $0.key != .daemon }.map { (key: $0.key, value: $0.value.use) }
    return more == 0 || room.has(more, for: cause.client, of: cause.user, among: uses)
  }

  private mutating func forgetPast(_ now: Instant) {
    let current = Self.number(of: now)
    guard current > first else { return }
    defer { first = current }
    if slices.isEmpty { return }
    // Time moves on by a slice or two, far plans may lie in thousands of them.
    if current - first > slices.count {
      slices = slices.filter { $0.key >= current }
    } else {
      for past in first..<current { slices[past] = nil }
    }
  }

  private static func number(of instant: Instant) -> Int64 { instant.nanoseconds / slice.nanoseconds }
}

extension PlannedSound {
  /// What the mixer's room for it is counted as.
  var pacing: SoundPacing.Steps {
    switch action {
    case .start: .start
    case .stop: .stop
    case .set(_, let change): SoundPacing.Steps(count: change.count)
    }
  }
}
