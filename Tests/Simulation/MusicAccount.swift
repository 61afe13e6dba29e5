// SPDX-License-Identifier: Apache-2.0

import Glibc
import MusicOracle
import Timing
import Wire

/// The music as a model has it that folds the whole list of what was asked anew each time the daemon has settled: what is told of
/// it, what `music.status` says and what is planned are as there, to the microsecond.
///
/// It knows verbs, cues, cancellations and clients that leave. It begins where the music is silent and nothing is planned, and knows no
/// more from where something comes that the model has not: a chapter, the switch, a pause of the engine, a standstill, a track
/// that goes on though its pack was read again, or a line that was garbled and granted. What is heard is held by the
/// engine's own tests.
struct MusicAccount {
  /// A verb that was granted, by the plan that it is; those of a cue by its firing.
  private struct Asked {
    var plan: Int64
    var step = 0
    var action: MusicModel.Action
    var atUs: Int64
    var cue: Int64?
  }

  /// What was called off of a cue.
  private struct OfCue: Hashable {
    var cue: Int64
    var verb: String
    var atUs: Int64
  }

  private(set) var isKnown = false
  /// Where it begins: what was to come before that has stood through pauses of which it does not know.
  private var knownSinceUs = Int64.min
  /// How often the music was held against the model while something was asked of it.
  private(set) var comparisons = 0
  private var asked: [Asked] = []
  /// Stops without an instant: what was planned before them for later is called off.
  private var stops: [(plan: Int64, atUs: Int64)] = []
  private var calledOff: Set<Int64> = []
  private var calledOffOfCues: [OfCue: Int] = [:]
  private var notPlaying: Set<Int64> = []
  private var told: [MusicModel.Told] = []
  /// Whether a pack was read again: what is played anew is another track than the one of that name that sounds.
  private var isReread = false

  /// Since when the music is silent, where the model knows nothing of it.
  private var silentSinceUs: Int64?
  /// What was planned for a standstill begins some moments behind it, and is not among what is planned until then.
  private static let restUs: Int64 = 100_000

  /// Something comes that the model does not know.
  mutating func lose() { self = MusicAccount(comparisons: comparisons) }

  /// The music is silent, and nothing is planned: it is known again where that has been so for a while.
  mutating func rest(nowUs: Int64) {
    if isKnown { return }
    guard let since = silentSinceUs, nowUs >= since + Self.restUs else {
      silentSinceUs = silentSinceUs ?? nowUs
      return
    }
    self = MusicAccount(comparisons: comparisons, isKnown: true)
    knownSinceUs = nowUs
  }

  init(comparisons: Int = 0, isKnown: Bool = false) { (self.comparisons, self.isKnown) = (comparisons, isKnown) }

  // MARK: - What is asked

  /// A granted line of a verb of music, with the plan and the instant that answer it.
  mutating func promise(_ method: String, _ line: [UInt8], plan: Int64, at us: Int64, lateUs: Int64, _ track: String?) {
    guard isKnown, lateUs == 0 || us - lateUs >= knownSinceUs,
      let action = SimulatedMusic.action(method, line, track, lateUs: lateUs)
    else { return lose() }
    if isReread, case .play(_, _, _, _, _, continues: true, _, _, _) = action { return lose() }
    asked.append(Asked(plan: plan, action: action, atUs: us))
    if case .stop = action, SimulatedMusic.isForNow(line) { stops.append((plan, us)) }
  }

  /// A firing; what it does to the music.
  mutating func promise(_ fired: CueFire.Result) {
    guard let id = fired.id, let steps = SimulatedMusic.stepsOfCues[fired.cue] else { return }
    guard isKnown else {
      silentSinceUs = nil
      return
    }
    // Which of two gains is skipped is not told.
    let isSkipped = fired.skipped.contains { $0.step.hasPrefix("music.") }
    guard !isSkipped, let zero = fired.soundAtUs else { return lose() }
    for (number, step) in steps.enumerated() {
      asked.append(Asked(plan: id, step: number, action: step.action, atUs: zero + step.afterUs, cue: id))
    }
  }

  /// `music.cancel` was granted.
  mutating func callOff(line: [UInt8]) {
    guard let plan = SimulatedMusic.cancelled(line) else { return lose() }
    calledOff.insert(plan)
  }

  /// A pack was read again.
  mutating func noteReading() { isReread = true }

  // MARK: - What is told

  mutating func hear(_ changed: MusicChanged, at us: Int64) {
    guard isKnown else {
      silentSinceUs = nil
      return
    }
    if changed.change == .starved || changed.change == .rejoined { return lose() }
    told.append(
      .init(
        at: Instant(microseconds: us), change: changed.change, track: changed.track ?? "", from: changed.from,
        fade: changed.fadeUs, fadeOut: changed.fadeOutUs, position: changed.positionUs))
  }

  mutating func hear(_ cancelled: MusicCancelled) throws {
    guard isKnown else { return }
    switch cancelled.reason {
    case .notPlaying: if cancelled.cue == nil { notPlaying.insert(cancelled.plan) }
    case .cancelled, .clientLeft:
      guard let cue = cancelled.cue else {
        return try ensure(
          calledOff.contains(cancelled.plan) || !asked.contains { $0.plan == cancelled.plan },
          "\(cancelled), which nobody asked for")
      }
      calledOffOfCues[OfCue(cue: cue, verb: cancelled.verb.rawValue, atUs: cancelled.plannedUs), default: 0] += 1
    case .stopped: break
    default: lose()
    }
  }

  // MARK: - Comparing

  /// The daemon has settled, with all that happened by `nowUs` told.
  mutating func check(_ status: MusicStatus.Result, _ timeline: AudioTimeline, _ time: GameTime, nowUs: Int64) throws {
    guard isKnown, !asked.isEmpty else { return }
    let model = model(timeline)
    let now = Instant(microseconds: nowUs)
    let fold = model.fold(upTo: now)
    // Rounding decides, which is more than a model can say.
    if fold.isUncertain { return lose() }
    comparisons += 1
    func expect<Value: Equatable>(_ what: String, _ got: Value, _ expected: Value) throws {
      try ensure(got == expected, "\(what) at \(nowUs) is \(got), and by the model \(expected)")
    }
    let state: MusicState = fold.current == nil ? .stopped : fold.pauses.isEmpty ? .playing : .paused
    try expect("the music", status.state, state)
    try expect("its track", status.track, fold.current.map { fold.courses[$0].track.key })
    let frame = timeline.frame(at: now)
    try expect("its place", status.positionUs, fold.position(at: frame).map(Self.us))
    try expect("what pauses it", status.pausedBy, MusicStatus.PausedBy.allCases.filter(fold.pauses.contains))
    try expect("what fades", status.fading, fold.fading(at: frame))
    let planned = model.verbs.filter { $0.at > now }.sorted { ($0.at, $0.order) < ($1.at, $1.order) }
    try expect(
      "what is planned", status.planned.map { "\($0.verb) \(time.game($0.atUs))" },
      planned.prefix(32).map { "\($0.action.name) \($0.at.microseconds)" })
    try expect("how much is planned", status.plannedCount, planned.count)
    try checkTold(fold, now)
    let off = Set(fold.cancelled.compactMap(\.verb.plan))
    try expect("what is called off for want of a track", notPlaying.intersection(model.verbs.compactMap(\.plan)), off)
  }

  /// Told when it is heard and not later; what the mixer tells is a frame beside it.
  private func checkTold(_ fold: MusicFold, _ now: Instant) throws {
    let owed = fold.told.count { $0.at <= now - .microseconds(21) }
    try ensure(
      (owed...max(owed, fold.told.count)).contains(told.count),
      "told is \(told.suffix(3)), and by the model \(fold.told.suffix(3))")
    for (told, due) in zip(told, fold.told) {
      var expected = due
      (expected.fade, expected.fadeOut) = (due.fade.map(Self.us), due.fadeOut.map(Self.us))
      expected.position = due.position.map(Self.us)
      let off = abs(told.at.microseconds - due.at.microseconds)
      expected.at = off <= (due.change == .ended ? 21 : 0) ? told.at : Instant(microseconds: due.at.microseconds)
      try ensure(told == expected, "told is \(told), and by the model \(expected)")
    }
  }

  /// All that was asked for and not called off, in the order of asking: plans are numbered in it.
  private func model(_ timeline: AudioTimeline) -> MusicModel {
    var model = MusicModel(timeline: timeline)
    var ofCues = calledOffOfCues
    for verb in asked.sorted(by: { ($0.plan, $0.step) < ($1.plan, $1.step) }) {
      if stops.contains(where: { $0.plan > verb.plan && $0.atUs < verb.atUs }) { continue }
      if let cue = verb.cue {
        let key = OfCue(cue: cue, verb: verb.action.name.rawValue, atUs: verb.atUs)
        if let count = ofCues[key], count > 0 {
          ofCues[key] = count - 1
          continue
        }
      } else if calledOff.contains(verb.plan) {
        continue
      }
      model.ask(
        verb.action, at: Instant(microseconds: verb.atUs), verb.cue.map(MusicModel.Purpose.cue) ?? .client,
        plan: verb.cue == nil ? verb.plan : nil)
    }
    return model
  }

  private static func us(_ frames: Int64) -> Int64 { Interval.frames(frames, rate: 48_000).microseconds }
}
