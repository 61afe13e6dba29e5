// SPDX-License-Identifier: Apache-2.0

import Outcomes
import Timing

/// The records that a life is told from: its own, and those of others that could have held it up.
struct LifeRecords {
  /// The line that asked.
  var line: Line?
  var errand: (begun: Instant, done: Instant)?
  var starts: [Start] = []
  /// Where voices began that did not begin where they were to.
  var moved: [UInt64: (frame: Int64, heard: Instant)] = [:]
  /// When voices fell silent for want of their files, and when each was back, if it was.
  var silences: [(voice: UInt64, from: Instant, until: Instant?)] = []
  var players: [Player] = []
  /// What of it does not begin.
  var unbegun: [(part: Life.Part?, at: Instant, why: LifeStage)] = []
  /// How much later pauses made it than it was to be.
  var paused = Interval.zero
  private var isPromised = false
  var handedOut: (due: Instant, at: Instant)?
  var told: [(client: UInt32, due: Instant, queued: Instant, written: Instant?)] = []
  /// Turns of control that woke late or took long.
  var turns: [Turn] = []
  /// Lines of others, by when they were served.
  var others: [(begun: Instant, done: Instant, processor: Interval)] = []
  /// The periods that its voices begin in, and those that woke late or took long.
  var periods: [Period] = []
  var lost: [Loss] = []
  /// Writes of haptic devices, in the order of each.
  var writes: [Write] = []
  private var unended: [Write] = []
  /// From when on all that is needed is kept: what is older may be overwritten.
  private(set) var since = Instant.distantPast
  /// The frame up to which any record tells of rendering.
  private(set) var renderedTo = Int64.min
  /// Of the audio thread: what it had used of the processor by when, and between two such what it spent rendering.
  var processor: [(at: Instant, used: Interval, rendering: Interval)] = []

  /// Goes through the records twice: first for what it is of, then for what happened then.
  init(of root: LifeRoot, in kept: KeptRecords) {
    var oldest = (audio: Instant?.none, control: Instant?.none)
    kept.visit { record in
      takeOwn(record, root)
      if oldest.audio == nil, case .period(_, _, let woken, _, _, _) = record.event { oldest.audio = woken }
      if oldest.control == nil { oldest.control = record.noted }
    }
    // Each thread's records are in order, those of different threads are not.
    if kept.numbers.lowerBound > 0 { since = max(oldest.audio ?? .distantPast, oldest.control ?? .distantFuture) }
    let first = min(line?.arrived ?? root.at, root.at) - .milliseconds(1_000)
    let frames = starts.filter { !$0.isHeld && !$0.isOff }.map { place(of: $0).frame }
    var rendering = Interval.zero
    kept.visit(since: first) { takeOthers($0, root, since: first, frames, &rendering) }
    // Those that have no end are the last of their device.
    writes += unended
    unended = []
  }

  private mutating func takeOwn(_ record: TraceRecord, _ root: LifeRoot) {
    let isOwn = record.client == root.client && record.line == root.line && root.line != 0
    switch record.event {
    case .line(let arrived, let begun, let decoded, let planned, let done, let processor, _) where isOwn:
      line = Line(
        arrived: arrived, begun: begun, decoded: decoded, planned: planned, done: done, processor: processor)
    case .errand(let begun, let done) where isOwn: errand = (begun, done)
    case .start(let voice, let frame, let heard, let at, let cue, let plan, let isTrack):
      let isMeant =
        switch root.subject {
        case .sound: !isTrack && Int64(clamping: voice) == root.id
        case .cue: cue == root.id && cue != 0
        case .music: isTrack && plan == root.id
        case .haptics: isOwn && !isTrack && cue == 0
        default: false
        }
      if isMeant {
        starts.append(Start(voice: voice, isTrack: isTrack, frame: frame, heard: heard, at: at, plan: plan))
      }
    case .moved(let voice, let frame, let heard):
      if starts.contains(where: { $0.voice == voice }) { moved[voice] = (frame, heard) }
    case .silent(let voice, _, let heard, let isOver):
      guard starts.contains(where: { $0.voice == voice }) else { break }
      if !isOver {
        silences.append((voice, heard, nil))
      } else if let last = silences.lastIndex(where: { $0.voice == voice }) {
        silences[last].until = heard
      }
    case .ended(let voice, _, let heard):
      if let last = silences.lastIndex(where: { $0.voice == voice && $0.until == nil }) { silences[last].until = heard }
    case .letGo(let voice, _):
      // A start that was taken back may have been handed over again since: the mixer goes by their order.
      if let first = starts.firstIndex(where: { $0.voice == voice && !$0.isOff }) { starts[first].isOff = true }
    case .unbegun(let id, _, let at, let cue, let subject, let why):
      takeUnbegun(subject, id, at, why, cue: cue, root)
    case .player(let player, let felt, let at, let cue, let silence):
      let isMeant =
        switch root.subject {
        case .haptics: Int64(clamping: player) == root.id
        case .cue: cue == root.id && cue != 0
        default: false
        }
      if isMeant { players.append(Player(player: player, felt: felt, first: felt + silence, at: at)) }
    case .changed(let cue, let frame, let heard, let at, let isFelt, let plan)
    where root.subject == .cue && cue == root.id || root.subject == .music && plan == root.id && plan != 0:
      if isFelt {
        players.append(Player(player: nil, felt: heard, first: heard, at: at))
      } else {
        // Carried out anew it is told of again.
        starts.removeAll { $0.voice == nil && $0.plan == plan && (plan != 0 || $0.frame == frame) }
        starts.append(Start(voice: nil, frame: frame, heard: heard, at: at, plan: plan))
      }
    case .asked(root.id, _, _, root.at, root.subject): isPromised = true
    case .stood(let at, let frame, let frames, let length, let resumed):
      move(root, by: length, since: at, frames, from: frame, resumed)
    case .handedOut(root.id, let due, let at, root.subject): handedOut = (due, at)
    case .told(root.id, let due, let queued, let written, root.subject):
      // A run may come to the same beat again: the latest is meant.
      told.removeAll { $0.client == record.client || $0.due != due }
      told.append((record.client, due, queued, written == .distantFuture ? nil : written))
    default: break
    }
  }

  private mutating func takeUnbegun(
    _ subject: TraceKind, _ id: Int64, _ at: Instant, _ why: LifeStage, cue: Int64, _ root: LifeRoot
  ) {
    let isPart = root.subject == .cue && cue == root.id && cue != 0
    guard isPart || subject == root.subject && id == root.id else { return }
    // What it was to change stays as it is.
    if subject == .music { starts.removeAll { $0.voice == nil && $0.plan == id } }
    let part: Life.Part? =
      switch subject {
      case .sound: .sound(UInt64(clamping: id))
      case .haptics: .player(UInt64(clamping: id))
      default: nil
      }
    if unbegun.contains(where: { $0.part == part && $0.at == at && $0.why == why }) { return }
    unbegun.append((part, at, why))
  }

  /// Whether a player does not begin.
  func isUnbegun(_ player: UInt64?) -> Bool {
    guard let player else { return false }
    return unbegun.contains { $0.part == .player(player) }
  }

  /// The engine stands, or stood: what was to come from there on comes later.
  private mutating func move(
    _ root: LifeRoot, by length: Interval, since instant: Instant, _ frames: Int64, from frame: Int64, _ resumed: Bool
  ) {
    for index in starts.indices where starts[index].frame >= frame {
      starts[index].isHeld = !resumed
      starts[index].frame += frames
      starts[index].heard += length
    }
    for index in players.indices {
      if players[index].felt >= instant { players[index].felt += length }
      if players[index].first >= instant { players[index].first += length }
    }
    if isPromised, root.scheduled + paused >= instant { paused += length }
  }

  private mutating func takeOthers(
    _ record: TraceRecord, _ root: LifeRoot, since first: Instant, _ frames: [Int64], _ rendering: inout Interval
  ) {
    switch record.event {
    case .line(_, let begun, _, _, let done, let processor, _)
    where done >= first && (record.client, record.line) != (root.client, root.line):
      others.append((begun, done, processor))
    case .turn(let due, let woken, let done, let processor, let isInterrupted) where done >= first:
      turns.append(
        Turn(due: due, woken: woken, done: done, processor: processor, isInterrupted: isInterrupted))
    case .period(let start, let due, let woken, let done, let heard, let count) where done >= first:
      rendering += done - woken
      renderedTo = max(renderedTo, start + Int64(count))
      let period = Period(first: start, frames: Int64(count), due: due, woken: woken, done: done, heard: heard)
      if frames.contains(where: period.holds) || period.late > Life.tolerance || period.length > Life.tolerance {
        periods.append(period)
      }
    case .lost(let start, let count, _, let noticed, _) where noticed >= first:
      lost.append(Loss(first: start, frames: count))
    case .writing(let due, let felt, let woken, let device) where woken >= first:
      unended.append(Write(due: due, felt: felt, woken: woken, device: device))
    case .wrote(let due, let felt, let woken, let done, let device, _, let spacing, let tookLate) where done >= first:
      unended.removeAll { $0.device == device }
      writes.append(
        Write(
          due: due, felt: felt, woken: woken, done: done, device: device, spacing: spacing, tookLate: tookLate))
    case .processor(let at, let used, .audio) where at >= first:
      processor.append((at, used, rendering))
      rendering = .zero
    default: break
    }
  }

  /// Where a start was begun, which may be elsewhere than it was handed over for.
  func place(of start: Start) -> (frame: Int64, heard: Instant) {
    start.voice.flatMap { moved[$0] } ?? (start.frame, start.heard)
  }

  /// Whoever that is found to be from what was recorded since `instant`: nobody that is known, where that is not all kept.
  func known(_ culprit: Culprit, from instant: Instant) -> Culprit { since > instant ? .unknown : culprit }

  /// Whether the audio thread, which at `instant` had rendered for `excess` longer than it may, was let run meanwhile: by
  /// what it used of the processor, and what it spent rendering, between the two readings around it.
  func wasAudioRunning(at instant: Instant, excess: Interval) -> Bool {
    guard let after = processor.firstIndex(where: { $0.at >= instant }), after > 0 else { return true }
    let missing = processor[after].rendering - (processor[after].used - processor[after - 1].used)
    return missing.nanoseconds * 2 < excess.nanoseconds
  }

  /// Whoever of control was not let run, or the whole daemon where the audio thread was not either.
  func whole(_ culprit: Culprit, from begun: Instant, to over: Instant) -> Culprit {
    guard culprit == .controlDescheduled else { return culprit }
    let stood = periods.contains { $0.late > Life.tolerance && $0.due < over && $0.woken > begun }
    return stood ? .daemonStoodStill : culprit
  }

  /// The audio thread, which woke late for a period, or the whole daemon where control was not let run either.
  func whole(late period: Period) -> Culprit {
    let stood = turns.contains { turn in
      if isNear(turn.woken, period.woken) { return turn.late > Life.tolerance || turn.isInterrupted }
      let isMeanwhile = turn.woken < period.woken && turn.done > period.due
      return isMeanwhile && turn.length > Life.tolerance
        && Life.controls(turn.processor, of: turn.length) == .controlDescheduled
    }
    return stood ? .daemonStoodStill : .audioDescheduled
  }

  /// Whether what went wrong from `begun` to `over` can be why what was to be heard at `instant` was not: a period is
  /// rendered some time before it is heard, and a backlog made up for.
  func canSpoil(_ instant: Instant, from begun: Instant, to over: Instant) -> Bool {
    begun - .milliseconds(5) <= instant && instant <= over + .milliseconds(100)
  }

  /// Whether two things were done by threads that began to run at the same moment.
  func isNear(_ a: Instant, _ b: Instant) -> Bool { abs((a - b).nanoseconds) < 3_000_000 }
}

extension TraceRecord {
  /// When control noted it; nil for what other threads recorded.
  fileprivate var noted: Instant? {
    switch event {
    case .line(_, let begun, _, _, _, _, _): begun
    case .turn(_, let woken, _, _, _): woken
    case .asked(_, _, _, let at, _), .start(_, _, _, let at, _, _, _), .player(_, _, let at, _, _): at
    case .client(let at, _), .processor(let at, _, _): at
    default: nil
    }
  }
}
