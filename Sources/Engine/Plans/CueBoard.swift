// SPDX-License-Identifier: Apache-2.0

import Timing

/// Cues that were fired: those whose instant is to come, which are told then, and those of which something may still be
/// called off or stopped.
struct CueBoard {
  /// One firing, as it is told.
  struct Fired {
    var id: PlanID
    var key: AssetKey
    /// The cue's zero.
    var at: Instant
    /// When its parts begin: what is heard and what is felt, where there is any.
    var heardAt: Instant?
    var feltAt: Instant?
    /// What its variations came to.
    var chosen: [Chosen] = []
    /// Steps that are not done, with the reason.
    var skipped: [String] = []
    /// How long after its client it may still come.
    var keepAfterDisconnect = Interval.zero
    var cause: Cause
  }

  /// What a step with variations came to this time.
  struct Chosen: Equatable {
    /// The step's number in its cue, from 0.
    var step: Int
    var sound: AssetKey?
    var pattern: AssetKey?
    var gain: Double?
    var pitch: Double?
  }

  /// A firing of which something waits or goes on.
  struct Running {
    var key: AssetKey
    var at: Instant
    var cause: Cause
    /// How many of its parts wait or go on; that it is to be told is one of them.
    fileprivate var parts = 1
    /// What has happened and cannot be taken back.
    fileprivate(set) var done: [String] = []
  }

  private struct Cooling: Hashable {
    var cue: AssetKey
    var client: ClientID
  }

  /// By instant and order of firing.
  private(set) var fired: [Fired] = []
  private(set) var running: [PlanID: Running] = [:]
  /// How often each cue has been fired.
  private var counts: [AssetKey: UInt64] = [:]
  /// Zeros of the firings that others have to keep away from.
  private var cooling: [Cooling: [Instant]] = [:]

  /// When the next is to be told.
  var next: Instant? { fired.first?.at }

  /// How often a cue has been fired.
  func count(of cue: AssetKey) -> UInt64 { counts[cue] ?? 0 }

  /// Whether a cue is fired too near to another firing of its client.
  func isCooling(_ cue: AssetKey, of client: ClientID, at instant: Instant, _ cooldown: Interval) -> Bool {
    guard cooldown > .zero else { return false }
    return cooling[Cooling(cue: cue, client: client)]?.contains {
      abs(($0 - instant).nanoseconds) < cooldown.nanoseconds
    } ?? false
  }

  mutating func add(_ cue: Fired, cooldown: Interval, now: Instant) {
    counts[cue.key, default: 0] += 1
    let place = fired.lastIndex { $0.at <= cue.at }.map { $0 + 1 } ?? 0
    fired.insert(cue, at: place)
    running[cue.id] = Running(key: cue.key, at: cue.at, cause: cue.cause)
    guard cooldown > .zero else { return }
    let cooling = Cooling(cue: cue.key, client: cue.cause.client)
    self.cooling[cooling, default: []].removeAll { $0 + cooldown <= now }
    self.cooling[cooling, default: []].append(cue.at)
  }

  /// Notes what a step came to.
  mutating func choose(_ chosen: Chosen, of id: PlanID) {
    guard let place = fired.lastIndex(where: { $0.id == id }) else { return }
    fired[place].chosen.append(chosen)
  }

  /// Notes that a step does not happen; nothing where the cue has been told.
  mutating func skip(_ sentence: String, of id: PlanID) {
    guard let place = fired.lastIndex(where: { $0.id == id }) else { return }
    fired[place].skipped.append(sentence)
  }

  /// A part of a firing waits or goes on.
  mutating func partBegan(of id: PlanID?) {
    guard let id else { return }
    running[id]?.parts += 1
  }

  /// A part of a firing is over; `done` says what of it stays.
  mutating func partEnded(of id: PlanID?, done: String? = nil) {
    guard let id, var cue = running[id] else { return }
    if let done { cue.done.append(done) }
    cue.parts -= 1
    running[id] = cue.parts > 0 ? cue : nil
  }

  /// Takes the next that has come by `now`.
  mutating func take(by now: Instant) -> Fired? {
    guard let first = fired.first, first.at <= now else { return nil }
    fired.removeFirst()
    partEnded(of: first.id)
    return first
  }

  /// Forgets a firing that ends before its time; whether it was still to be told.
  mutating func remove(_ id: PlanID) -> Bool {
    guard let cue = running.removeValue(forKey: id) else { return false }
    guard let place = fired.firstIndex(where: { $0.id == id }) else { return false }
    fired.remove(at: place)
    cooling[Cooling(cue: cue.key, client: cue.cause.client)]?.removeAll { $0 == cue.at }
    return true
  }

  /// A client has gone: nothing of its keeps its cues apart any more.
  mutating func forgetCooling(of client: ClientID) { cooling = cooling.filter { $0.key.client != client } }
}
