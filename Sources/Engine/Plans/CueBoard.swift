// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Outcomes
import Timing
import Wire

/// Cues that were fired: those whose instant is to come, which are told then, and those of which something may still be
/// called off or stopped.
struct CueBoard {
  /// One firing, as it is told.
  struct Fired {
    var id: PlanID
    var key: AssetKey
    /// The cue's zero.
    var at: Instant
    /// When its parts begin, in that order; not those that are skipped.
    fileprivate var begins: [Begin]
    /// What its variations came to.
    var chosen: [Chosen] = []
    /// By whose volumes its sounds and its music are heard.
    var heardOn: Set<HeardBus> = []
    /// Steps that are not done, with the reason.
    var skipped: [CueSkip] = []
    /// How many of these whoever fired it was answered.
    fileprivate(set) var skippedAtOnce = 0
    /// What its client calls it.
    var tag: String?
    /// How long after its client it may still come.
    var keepAfterDisconnect: Interval
    /// What it takes of its client's share besides its steps: one for each that is skipped, until that is told.
    var share = 0
    var payer: Cause
    var cause: Cause

    init(
      id: PlanID, key: AssetKey, at: Instant, begins: [Begin], tag: String? = nil, keepAfterDisconnect: Interval,
      cause: Cause, payer: Cause
    ) {
      self.id = id
      self.key = key
      self.at = at
      self.tag = tag
      self.begins = begins.sorted { $0.at < $1.at }
      self.keepAfterDisconnect = keepAfterDisconnect
      self.cause = cause
      self.payer = payer
    }

    /// What was skipped since it was fired, and is told when it comes.
    var skippedSince: ArraySlice<CueSkip> { skipped.dropFirst(skippedAtOnce) }

    /// When the first of it is heard; nil where nothing is.
    var heardAt: Instant? { heard?.at }

    /// When the first of it is felt; nil where nothing is.
    var feltAt: Instant? { felt?.at }

    /// How much later than heard it is felt, at the first that is: offsets within the cue taken out. What is felt later may lie
    /// nearer to what is heard. Nil where it is only one of both.
    var skew: Interval? {
      guard let heard, let felt else { return nil }
      return (felt.at - felt.offset) - (heard.at - heard.offset)
    }

    private var heard: Begin? { begins.first { !$0.isFelt } }
    private var felt: Begin? { begins.first { $0.isFelt } }
  }

  /// When a step of a firing begins.
  struct Begin {
    var at: Instant
    /// How long after the cue it is by the pack.
    var offset: Interval
    var isFelt: Bool
  }

  /// A firing whose client has gone, and that goes on to an instant at the latest.
  struct Leaving {
    var id: PlanID
    var key: AssetKey
    var at: Instant
    /// What its client called it.
    var tag: String?
    /// Whether something of it does not come, or ends before its time.
    var isCut: Bool
    /// What of it has happened, where all of it is over by then.
    fileprivate(set) var done: [String]
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
    /// How long after its client it may go on.
    var keepAfterDisconnect: Interval
    /// What its client calls it.
    var tag: String?
    /// From when others are counted that come behind it: its first touch, or where nothing of it is felt, its zero.
    fileprivate(set) var begins: Instant
    var cause: Cause
    /// How many of its parts wait or go on; that it is to be told is one of them.
    fileprivate var parts = 1
    /// What has happened and cannot be taken back.
    fileprivate(set) var done: [String] = []
    /// What had begun, and ended because its client left.
    fileprivate(set) var cut: [String] = []
    /// What came to nothing, and was not told with the cue as skipped.
    fileprivate(set) var undone: [String] = []
    /// Whether its client has gone.
    fileprivate var isOrphan = false
    /// Whether it was told that its client's leaving cut it.
    fileprivate(set) var isToldCut = false
  }

  /// What one client calls a firing.
  private struct Tagged: Hashable {
    var tag: String
    var client: ClientID
  }

  private struct Cooling: Hashable {
    var cue: AssetKey
    var client: ClientID
  }

  /// By instant and order of firing.
  private(set) var fired = Line<Fired>()
  /// Where the last firing was of which a step was skipped; where others have left since, it is elsewhere.
  private var lastSkipped = 0
  private(set) var running: [PlanID: Running] = [:]
  /// By instant.
  private(set) var leaving: [Leaving] = []
  /// Those of which nothing waits or goes on any more.
  private(set) var finished = FinishedCues()
  /// How often each cue has been fired.
  private var counts: [AssetKey: UInt64] = [:]
  /// Zeros of the firings that others have to keep away from.
  private var cooling: [Cooling: [Instant]] = [:]
  /// The latest firing under each tag, as long as it runs or is remembered.
  private var tagged: [Tagged: PlanID] = [:]

  /// When the next is to be told.
  var next: Instant? { fired.first?.at }

  /// When the next that goes on after its client is at its end.
  var nextCut: Instant? { leaving.first?.at }

  /// A firing that is still to be told.
  func firing(_ id: PlanID) -> Fired? { place(of: id).map { fired[$0] } }

  /// Where a firing is among those that are still to be told: a stop of all asks for each of a thousand, in their order.
  private func place(of id: PlanID) -> Int? {
    for place in lastSkipped...lastSkipped + 1 where place < fired.count && fired[place].id == id { return place }
    // That it is to be told keeps it running.
    guard let at = running[id]?.at else { return nil }
    let place = fired.partitioned { ($0.at, $0.id.rawValue) < (at, id.rawValue) }
    return place < fired.count && fired[place].id == id ? place : nil
  }

  /// A client's latest firing under a tag; nil where there is none, or it was stopped, or is forgotten.
  func firing(under tag: String, of client: ClientID) -> PlanID? { tagged[Tagged(tag: tag, client: client)] }

  /// From when others are counted that come behind a client's firing.
  func begins(of id: PlanID, of client: ClientID) -> Instant? {
    running[id]?.begins ?? finished.begins(of: id, of: client)
  }

  /// Notes from when others are counted that come behind a firing, all its steps being planned.
  mutating func noteBegin(_ instant: Instant, of id: PlanID) {
    running[id]?.begins = instant
    if let place = place(of: id) { fired[place].skippedAtOnce = fired[place].skipped.count }
  }

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
    fired.insert(cue, at: fired.partitioned { $0.at <= cue.at })
    running[cue.id] = Running(
      key: cue.key, at: cue.at, keepAfterDisconnect: cue.keepAfterDisconnect, tag: cue.tag, begins: cue.at,
      cause: cue.cause)
    if let tag = cue.tag { tagged[Tagged(tag: tag, client: cue.cause.client)] = cue.id }
    guard cooldown > .zero else { return }
    let cooling = Cooling(cue: cue.key, client: cue.cause.client)
    self.cooling[cooling, default: []].removeAll { $0 + cooldown <= now }
    self.cooling[cooling, default: []].append(cue.at)
  }

  /// Notes that a step is heard.
  mutating func hear(_ bus: HeardBus, of id: PlanID) {
    guard let place = place(of: id) else { return }
    fired[place].heardOn.insert(bus)
  }

  /// Notes what a step came to.
  mutating func choose(_ chosen: Chosen, of id: PlanID) {
    guard let place = place(of: id) else { return }
    fired[place].chosen.append(chosen)
  }

  /// Notes that a step does not happen that was to begin at `instant`, or somewhat before; who pays is nobody where the cue has
  /// been told.
  /// Answers who pays for what is to be told of it, a step of the cue's share.
  mutating func skip(_ step: CueSkip, of id: PlanID, isFelt: Bool, at instant: Instant) -> Cause? {
    guard let place = place(of: id) else {
      running[id]?.undone.append(step.step)
      return nil
    }
    lastSkipped = place
    fired[place].skipped.append(step)
    fired[place].share += 1
    let begins = fired[place].begins
    if let begin = begins.lastIndex(where: { $0.isFelt == isFelt && $0.at <= instant }) {
      fired[place].begins.remove(at: begin)
      if isFelt { running[id]?.begins = fired[place].feltAt ?? fired[place].at }
    }
    return fired[place].payer
  }

  /// Notes what a firing takes of its client's share besides its steps.
  mutating func charge(_ share: Int, to id: PlanID) {
    guard let place = place(of: id) else { return }
    fired[place].share += share
  }

  /// Notes a firing that goes on after its client.
  mutating func leave(_ cue: Leaving) {
    leaving.insert(cue, at: leaving.lastIndex { $0.at <= cue.at }.map { $0 + 1 } ?? 0)
  }

  /// Notes that something of a firing ends because its client left; false where its time after its client is over already.
  mutating func noteCut(_ id: PlanID) -> Bool {
    guard let place = leaving.firstIndex(where: { $0.id == id }) else { return false }
    leaving[place].isCut = true
    return true
  }

  /// Notes that it is told that a firing was cut; what plays on of it can be stopped yet.
  mutating func noteToldCut(_ id: PlanID) { running[id]?.isToldCut = true }

  /// Takes those whose time after their clients is over by `now`.
  mutating func takeLeaving(by now: Instant) -> [Leaving] {
    let taken = leaving.prefix { $0.at <= now }
    leaving.removeFirst(taken.count)
    return Array(taken)
  }

  /// A part of a firing waits or goes on.
  mutating func partBegan(of id: PlanID?) {
    guard let id else { return }
    running[id]?.parts += 1
  }

  /// How a part of a firing ended.
  enum PartEnd {
    /// It happened, and stays.
    case done
    /// It had begun, and its client left.
    case cut
    /// It was called off.
    case undone
  }

  /// A part of a firing is over; `words` name a step of which that is not known yet.
  mutating func partEnded(of id: PlanID?, _ end: PartEnd = .done, _ words: String? = nil) {
    guard let id, let index = running.index(forKey: id) else { return }
    if let words {
      switch end {
      case .done: running.values[index].done.append(words)
      case .cut: running.values[index].cut.append(words)
      case .undone: running.values[index].undone.append(words)
      }
    }
    running.values[index].parts -= 1
    if running.values[index].parts > 0 { return }
    let cue = running.remove(at: index).value
    if let place = leaving.firstIndex(where: { $0.id == id }) { leaving[place].done = cue.done }
    if cue.isOrphan { return }
    let over = FinishedCues.Finished(
      id: id, done: cue.done, undone: cue.undone, begins: cue.begins, tag: cue.tag)
    if let forgotten = finished.remember(over, of: cue.cause.client) {
      untag(forgotten.id, forgotten.tag, of: cue.cause.client)
    }
  }

  /// Takes the next that has come by `now`.
  mutating func take(by now: Instant) -> Fired? {
    guard let first = fired.first, first.at <= now else { return nil }
    _ = fired.removeFirst()
    partEnded(of: first.id)
    return first
  }

  /// Forgets a firing that ends before its time; answers it where it was still to be told.
  @discardableResult
  mutating func remove(_ id: PlanID) -> Fired? { remove([id]).first }

  /// Forgets firings that end before their time; answers those that were still to be told.
  @discardableResult
  mutating func remove(_ ids: Set<PlanID>) -> [Fired] {
    if ids.isEmpty { return [] }
    leaving.removeAll { ids.contains($0.id) }
    for id in ids {
      if let cue = running.removeValue(forKey: id) { untag(id, cue.tag, of: cue.cause.client) }
    }
    let removed = fired.take { ids.contains($0.id) }
    for cue in removed {
      cooling[Cooling(cue: cue.key, client: cue.cause.client)]?.removeAll { $0 == cue.at }
    }
    return removed
  }

  /// A client has gone: nothing keeps its cues apart any more, and none of them is remembered when it is over.
  mutating func forget(_ client: ClientID) {
    cooling = cooling.filter { $0.key.client != client }
    finished.forget(client)
    tagged = tagged.filter { $0.key.client != client }
    for (id, cue) in running where cue.cause.client == client { running[id]?.isOrphan = true }
  }

  /// A firing is found under its tag no more, unless another has taken it over.
  private mutating func untag(_ id: PlanID, _ tag: String?, of client: ClientID) {
    guard let tag, case let key = Tagged(tag: tag, client: client), tagged[key] == id else { return }
    tagged[key] = nil
  }
}
