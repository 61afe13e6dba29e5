// SPDX-License-Identifier: Apache-2.0

import Wire

/// The verbs of music that were promised: each is told as called off, once, or happens at its instant.
struct MusicLedger {
  private struct Plan {
    var atUs: Int64
    /// Whether it begins a track, which is always told.
    var begins: Bool
    /// Where that stands, if it is known.
    var entry: TrackEntry?
    /// How much later it is than it was asked for.
    var lateUs: Int64
  }

  /// A track that was told to begin, or while the music is held to stand ready.
  private struct Beginning {
    var atUs: Int64
    var track: String?
    var positionUs: Int64?
  }

  private var plans: [Int64: Plan] = [:]
  private var calledOff: Set<Int64> = []
  private var begun: [Beginning] = []
  /// Tracks that were told to have fallen silent, and not to be back yet.
  private var silent: Set<String?> = []
  /// What is heard, as it was told.
  private var now: (state: MusicState, track: String?) = (.stopped, nil)
  /// A status was of no track any more, and the end of the one that was told to play is told by then.
  private var endsByUs: Int64?
  /// Plans that requests may name: the newest last.
  private(set) var recentPlans: [Int64] = []

  mutating func promise(_ plan: Int64, at instant: Int64, begins: Bool, entry: TrackEntry? = nil, lateUs: Int64 = 0)
    throws
  {
    try ensure(plan > 0 && plans[plan] == nil, "plan \(plan) was promised twice")
    plans[plan] = Plan(atUs: instant, begins: begins, entry: entry, lateUs: lateUs)
    recentPlans = recentPlans.suffix(16) + [plan]
  }

  mutating func hear(_ changed: MusicChanged, at instant: Int64, nowUs: Int64) throws {
    try ensure(instant <= nowUs, "the music is told to have \(changed.change) at \(instant), after now, \(nowUs)")
    switch changed.change {
    case .started, .crossfaded, .resumed: now = (.playing, changed.track)
    case .paused: now = (.paused, changed.track)
    case .stopped, .ended:
      guard changed.track == now.track else { break }
      now = (.stopped, nil)
      if let endsByUs = endsByUs.take() {
        try ensure(instant <= endsByUs, "a track is told to be over at \(instant), and was by \(endsByUs)")
      }
    case .starved: silent.insert(changed.track)
    case .rejoined:
      try ensure(
        silent.remove(changed.track) != nil, "\(changed.track ?? "a track") is told to be back, and was never gone")
    }
    switch changed.change {
    case .started, .crossfaded: note(changed, at: instant)
    // A track that was playing is told as paused without its place.
    case .paused where changed.positionUs != nil: note(changed, at: instant)
    // A song that goes on from another place than it stood at.
    case .resumed where changed.positionUs != nil: note(changed, at: instant)
    default: break
    }
  }

  private mutating func note(_ changed: MusicChanged, at instant: Int64) {
    begun.append(Beginning(atUs: instant, track: changed.track, positionUs: changed.positionUs))
  }

  /// What status tells to be heard was told to be, and nothing else.
  mutating func check(_ status: MusicStatus.Result, nowUs: Int64) throws {
    let isOver = status.state == .stopped && now.state == .playing
    // Within the frame of its end, which is told when that is over.
    if isOver, endsByUs.map({ nowUs < $0 }) ?? true {
      endsByUs = endsByUs ?? nowUs + 21
      return
    }
    endsByUs = nil
    try ensure(
      status.state == now.state && status.track == now.track,
      "status tells \(status.state) \(status.track ?? "nothing"), and told was \(now.state) \(now.track ?? "nothing")")
  }

  mutating func hear(_ cancelled: MusicCancelled) throws {
    let plan = cancelled.plan
    // Every track of the pack is there, and there are streams enough.
    try ensure(cancelled.reason != .unavailable, "plan \(plan) is called off as unavailable")
    try ensure(calledOff.insert(plan).inserted, "plan \(plan) was called off twice")
    // Those of cues and chapters were promised to nobody.
    guard let promised = plans[plan] else { return }
    try ensure(
      promised.atUs == cancelled.plannedUs,
      "plan \(plan) for \(promised.atUs) is called off as one for \(cancelled.plannedUs)")
  }

  /// Those of clients that happened between two instants, and begin a track.
  func begun(inside span: Range<Int64>) -> [Int64] {
    plans.filter { $0.value.begins && span.contains($0.value.atUs) && !calledOff.contains($0.key) }.keys.sorted()
  }

  /// Whether a track began at an instant, but for what a stall made late.
  func hasBegun(at instant: Int64, _ stalls: Stalls) -> Bool {
    let span = stalls.span(of: instant, isTakenBack: true)
    return begun.contains { span.contains($0.atUs) }
  }

  /// Whether a track began as it was promised: late only for a stall, and then where it would have been.
  private func hasBegun(_ plan: Plan, _ stalls: Stalls) -> Bool {
    guard let entry = plan.entry else { return hasBegun(at: plan.atUs, stalls) }
    let span = stalls.span(of: plan.atUs, isTakenBack: true)
    return begun.contains { told in
      guard span.contains(told.atUs), told.track == entry.track, let position = told.positionUs else { return false }
      let late = told.atUs - plan.atUs
      if late == 0, plan.lateUs == 0 { return entry.isAt(position, lateBy: 0) }
      // It has not moved on through what it stood for: how long that is when it comes is known to the account alone.
      return entry.isAt(position, lateBy: late) || entry.isAt(position, lateBy: min(-plan.lateUs, 0)...max(late, 0))
    }
  }

  /// All that was planned has come: at its instant, but for what a stall made late.
  func settle(_ stalls: Stalls) throws {
    for (plan, promised) in plans.sorted(by: { $0.key < $1.key }) where promised.begins {
      try ensure(
        calledOff.contains(plan) || hasBegun(promised, stalls),
        "plan \(plan) for \(promised.atUs) was neither called off nor told to happen, in place")
    }
  }
}
