// SPDX-License-Identifier: Apache-2.0

/// The cues that were asked for: a cue is stopped by a number that comes with the answer, and one that is planned keeps its
/// distance from the one that it was asked for with, which may be felt later than asked.
struct Firings {
  /// What to ask of the daemon.
  enum Command: Equatable {
    /// At this instant; as soon as it can be where there is none.
    case fire(String, atUs: Int64?)
    case stop(id: Int64)
  }

  private struct Firing {
    var ticket: Int64
    var askedUs: Int64
    var id: Int64?
    var isAnswered = false
    var isUnwanted = false
    /// Planned ones that wait for its answer.
    var followers: [(cue: String, atUs: Int64)] = []
  }

  /// The latest of each name.
  private var firings: [String: Firing] = [:]
  private var askedUs: Int64 = 0
  /// The cue of this batch that others keep their distance from.
  private var leader: String?
  private let leftOut: Set<String>

  init(leftOut: Set<String>) { self.leftOut = leftOut }

  /// The daemon knows of none any more.
  mutating func forget() { (firings, leader) = ([:], nil) }

  /// What was decided together begins here.
  mutating func beginBatch() { leader = nil }

  mutating func fire(_ cue: String, atUs us: Int64, nowUs: Int64) -> [Command] {
    guard !leftOut.contains(cue) else { return [] }
    guard us > nowUs else {
      (leader, askedUs) = (cue, us)
      return [.fire(cue, atUs: nil)]
    }
    guard let leader, firings[leader]?.isAnswered == false else { return [.fire(cue, atUs: us)] }
    firings[leader]?.followers.append((cue, us))
    return []
  }

  /// It was asked for.
  mutating func asked(_ cue: String, ticket: Int64) { firings[cue] = Firing(ticket: ticket, askedUs: askedUs) }

  /// The daemon answered when its first touch is, or else its zero; without a number there is nothing to stop.
  mutating func answered(_ ticket: Int64, id: Int64?, beginsUs: Int64?) -> [Command] {
    guard let (cue, firing) = firings.first(where: { $0.value.ticket == ticket }) else { return [] }
    firings[cue]?.isAnswered = true
    firings[cue]?.id = id
    firings[cue]?.followers = []
    if firing.isUnwanted { return id.map { [.stop(id: $0)] } ?? [] }
    let laterUs = beginsUs.map { max($0 - firing.askedUs, 0) } ?? 0
    return firing.followers.map { .fire($0.cue, atUs: $0.atUs + laterUs) }
  }

  mutating func stop(_ cue: String) -> [Command] {
    for name in firings.keys { firings[name]?.followers.removeAll { $0.cue == cue } }
    guard let firing = firings[cue] else { return [] }
    if firing.isAnswered {
      firings[cue] = nil
      return firing.id.map { [.stop(id: $0)] } ?? []
    }
    firings[cue]?.isUnwanted = true
    return []
  }
}
