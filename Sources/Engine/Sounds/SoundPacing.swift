// SPDX-License-Identifier: Apache-2.0

import Timing

/// How many steps of sounds may be under way to the mixer at once. It is told of them some 100 ms ahead and has room for so
/// many, so what is counted is the steps of any such time: of each client, and of all.
///
/// A client has at most twice as many as are left to others: one alone two thirds, and however many flood, one that asks
/// for little still finds room.
struct SoundPacing {
  /// The most steps of all clients within any `span` slices, and how many more may be stops. With what music
  /// (`MusicPacing`), the switch (`SwitchPacing`) and parameters may take together it is less than the mixer takes.
  static let most = 384
  static let moreStops = 128
  /// What instants are rounded down to where they are counted.
  static let slice = Interval.milliseconds(10)
  /// How many slices the mixer is told ahead, and one for rounding.
  static let span: Int64 = 11
  /// What a stop of many sounds counts as at most, which is carried out as one for each.
  static let mostOfAStop = 32

  private struct Counts {
    var all = 0
    var clients: [ClientID: Int] = [:]
  }

  /// By number of slice; past ones go when time has moved on.
  private var slices: [Int64: Counts] = [:]
  private var first = Int64.min

  /// Takes room for steps at `instant`; refused where the client has had its part.
  mutating func take(
    _ steps: Int, at instant: Instant, now: Instant, by client: ClientID, isStop: Bool = false
  ) throws(Refusal) {
    forgetPast(now)
    let slice = max(Self.number(of: instant), first)
    try check(steps, slice, client, Self.most + (isStop ? Self.moreStops : 0))
    slices[slice, default: Counts()].all += steps
    slices[slice, default: Counts()].clients[client, default: 0] += steps
  }

  /// Gives back what was taken for a step that never came to the mixer.
  mutating func giveBack(at instant: Instant, by client: ClientID) {
    let slice = Self.number(of: instant)
    guard let count = slices[slice]?.clients[client], count > 0 else { return }
    slices[slice]?.all -= 1
    slices[slice]?.clients[client] = count - 1
  }

  /// Of all times of `span` slices that hold this one the fullest decides.
  private func check(_ steps: Int, _ slice: Int64, _ client: ClientID, _ most: Int) throws(Refusal) {
    let range = max(first, slice - Self.span)...slice + Self.span
    let near = range.compactMap { number in slices[number].map { (number, $0) } }
    // Whoever asks for all of it stays within two thirds.
    if near.reduce(steps, { $0 + $1.1.all }) <= most * 2 / 3 { return }
    for start in range.lowerBound...slice {
      let held = near.lazy.filter { start...start + Self.span ~= $0.0 }.map(\.1)
      let left = most - held.reduce(steps) { $0 + $1.all }
      let own = held.reduce(steps) { $0 + ($1.clients[client] ?? 0) }
      guard client == .daemon ? left >= -Self.moreStops : own <= 2 * left else {
        throw Refusal(
          .busy, "\(own - steps) starts, changes and stops of sounds by this client lie within a tenth of a second",
          remedy: "ask for fewer at a time, or wait some hundredths of a second")
      }
    }
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
