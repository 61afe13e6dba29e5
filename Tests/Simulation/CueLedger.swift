// SPDX-License-Identifier: Apache-2.0

import Outcomes
import Wire

/// The cues that were promised: each comes at its instant or is told not to, and of one that was stopped nothing goes on.
struct CueLedger {
  /// What must hold of a cue that was stopped.
  private struct Stop {
    /// When its sounds are over, where nothing else stops them meanwhile.
    var silentUs: Int64
    /// When nothing of it is felt any more.
    var stillUs: Int64
    /// Verbs of music that were called off with it and are still to be told as such.
    var verbs: Int
    /// Sounds and players likewise.
    var effects: Int
  }

  /// Their zeros.
  private var promised: [Int64: Int64] = [:]
  /// As they are to be told, where that is known.
  private var names: [Int64: String] = [:]
  private var fired: Set<Int64> = []
  private var cancelled: [Int64: CancelReason] = [:]
  private var stops: [Int64: Stop] = [:]
  /// How many steps of a cue were not skipped at once.
  private var steps: [Int64: Int] = [:]
  /// What had happened of cues of which a stop found nothing left to end.
  private var past: [Int64: [String]] = [:]
  /// Verbs of music that were told to come to nothing, by cue.
  private var verbsCalledOff: [Int64: Int] = [:]
  /// Sounds and players that were told as cancelled or skipped, by cue.
  private var effectsCalledOff: [Int64: Int] = [:]
  /// Cues of which something was told to end because its client left.
  private var cut: Set<Int64> = []
  /// How many players of each were told to begin and not to be cut by that.
  private var felt: [Int64: Int] = [:]
  /// When what is felt of them begins.
  var touches = TouchLedger()
  /// Firings that requests may name: the newest last.
  private(set) var recent: [Int64] = []

  mutating func promise(_ result: CueFire.Result, _ name: String?, isAsap: Bool) throws {
    guard let id = result.id else {
      try ensure(result.suppressed && result.soundAtUs == nil, "a cue without an id is told as \(result)")
      return
    }
    try ensure(!result.suppressed, "cue \(id) is suppressed and has an id")
    try ensure(promised.updateValue(result.scheduledUs, forKey: id) == nil, "cue \(id) was promised twice")
    names[id] = name
    touches.promise(result, id, isAsap: isAsap)
    steps[id] = SimulatedPack.stepsOfCues[result.cue].map { $0 - result.skipped.count }
    recent = recent.suffix(12) + [id]
  }

  mutating func stop(_ id: Int64, _ result: CueStop.Result, fadeUs: Int64?, nowUs: Int64) throws {
    try ensure(stops[id] == nil, "cue \(id) was stopped twice")
    let count = result.calledOff.count + result.stopped.count + result.tooLate.count
    try ensure(steps[id].map { count <= $0 } ?? true, "of the \(steps[id] ?? 0) steps of cue \(id) \(result) tells")
    // Of one that is over only what was told to come to nothing is called off.
    let nothing = verbsCalledOff[id, default: 0] + effectsCalledOff[id, default: 0]
    if result.stopped.isEmpty, result.calledOff.count <= nothing {
      try ensure(result.soundAtUs == nil && result.hapticAtUs == nil, "nothing of cue \(id) ends: \(result)")
      let before = past.updateValue(result.tooLate, forKey: id)
      try ensure(before == nil || before == result.tooLate, "of cue \(id) \(before ?? []) had happened, now \(result)")
      return
    }
    try ensure(past[id] == nil, "cue \(id) was over, and is stopped")
    let fade = max(fadeUs ?? CueStop.ranges.fade.fallback, 5_000)
    stops[id] = Stop(
      silentUs: (result.soundAtUs ?? nowUs) + fade,
      stillUs: (result.hapticAtUs ?? nowUs + TouchLedger.longestLeadUs) + 21_000,
      verbs: result.calledOff.count { $0.hasPrefix("music.") },
      effects: result.calledOff.count { !$0.hasPrefix("music.") && !$0.hasPrefix("stop of") })
  }

  /// The instant that was promised.
  func zero(of id: Int64) -> Int64? { promised[id] }

  mutating func hear(_ told: CueFired, at tUs: Int64, nowUs: Int64) throws {
    try ensure(tUs <= nowUs, "cue \(told.id) is told as fired at \(tUs), after now, \(nowUs)")
    try ensure(fired.insert(told.id).inserted, "cue \(told.id) was fired twice")
    try ensure(cancelled[told.id] == nil, "cue \(told.id) was fired after it was called off")
    // Those of feedback were promised to nobody.
    guard let zero = promised[told.id] else { return }
    try ensure(names[told.id].map { $0 == told.cue } ?? true, "\(told) was asked for as \(names[told.id] ?? "")")
    try ensure(zero == tUs, "cue \(told.id) of \(zero) was fired at \(tUs)")
  }

  mutating func hear(_ told: CueCancelled, at tUs: Int64) throws {
    let touches = told.tooLate.count { word in ["pattern ", "transient", "continuous"].contains { word.hasPrefix($0) } }
    let most = felt[told.id] ?? 0
    try ensure(touches <= most, "of cue \(told.id) no more than \(most) was felt and not cut: \(told)")
    try ensure(cancelled.updateValue(told.reason, forKey: told.id) == nil, "cue \(told.id) was called off twice")
    try ensure(
      told.reason == .outdated || fired.contains(told.id) == (told.reason == .stopped),
      "cue \(told.id) is told as \(told.reason) at \(tUs)")
  }

  mutating func hear(_ told: MusicCancelled) {
    if let cue = told.cue, told.reason == .clientLeft { cut.insert(cue) }
    if let cue = told.cue { verbsCalledOff[cue, default: 0] += 1 }
  }

  mutating func hear(_ told: SoundFinished, at tUs: Int64) throws {
    if let cue = told.cue, [.cancelled, .skipped].contains(told.reason) { effectsCalledOff[cue, default: 0] += 1 }
    guard let cue = told.cue, let stop = stops[cue] else { return }
    // One whose client leaves meanwhile fades for 50 ms; a period is mixed at once.
    let end = stop.silentUs + 60_000
    try ensure(tUs <= end, "a sound of cue \(cue), which was stopped, ends at \(tUs), not by \(end)")
  }

  mutating func hear(_ told: HapticsChanged, at tUs: Int64) throws {
    if let cue = told.cue, told.change == .started { felt[cue, default: 0] += 1 }
    if let cue = told.cue, told.change == .stopped, told.reason == .disconnected { felt[cue, default: 0] -= 1 }
    if let cue = told.cue, [.cancelled, .skipped].contains(told.change) { effectsCalledOff[cue, default: 0] += 1 }
    if let cue = told.cue, told.reason == .disconnected { cut.insert(cue) }
    guard let cue = told.cue, let stop = stops[cue] else { return }
    try ensure(
      tUs <= stop.stillUs, "a player of cue \(cue), which was stopped, \(told.change) at \(tUs), not by \(stop.stillUs)"
    )
  }

  /// All that was planned has come.
  func settle() throws {
    for (id, zero) in promised.sorted(by: { $0.key < $1.key }) {
      try ensure(
        fired.contains(id) || cancelled[id] != nil, "cue \(id) for \(zero) neither came nor was called off")
    }
    for id in cut.sorted() { try ensure(cancelled[id] != nil, "cue \(id) was cut by its client's leaving, untold") }
    for (id, stop) in stops.sorted(by: { $0.key < $1.key }) {
      try ensure(cancelled[id] != nil, "cue \(id) was stopped, which was not told")
      try ensure(
        verbsCalledOff[id, default: 0] >= stop.verbs,
        "of cue \(id) \(stop.verbs) verbs of music were called off, and \(verbsCalledOff[id, default: 0]) are told so")
      try ensure(
        effectsCalledOff[id, default: 0] >= stop.effects,
        "of cue \(id) \(stop.effects) effects were called off, and \(effectsCalledOff[id, default: 0]) are told so")
    }
  }
}
