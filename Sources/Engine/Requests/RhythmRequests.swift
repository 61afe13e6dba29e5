// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Rhythm
import Timing
import Wire

/// The rhythm nouns of the socket.
extension Engine {
  /// `rhythm.start`.
  public mutating func startChapter(
    _ params: RhythmStart.Params, by cause: Cause
  ) throws(RPCError) -> RhythmStart.Result {
    if let chapter {
      throw RPCError(
        .alreadyRunning, "chapter \(spelled(chapter.key)) is running", hint: "\(method: "rhythm.stop") ends it")
    }
    let (key, map, pack) = try asked { () throws(Refusal) in
      try catalog.resolve(.chapter, params.chapter, in: \.beatMaps)
    }
    guard let entry = pack.manifest.chapters[key.name] else {
      throw RPCError(.internal, "chapter \(key.name) has a beat map but no entry in its pack")
    }
    let rules = entry.rules
    // The first spawn is told whole.
    let lead = Interval.microseconds(max(0, rules.spawnLead - (map.beats.first?.at ?? 0)))
    let start = try schedule(params.atUs, earliest: turn.earliestSound + lead).at
    try asked { () throws(Refusal) in
      try self.start(entry, key, map, isRecorded: params.unrecorded != true, at: start)
    }
    return RhythmStart.Result(
      chapter: spelled(key), startUs: start.microseconds, endUs: (start + .microseconds(rules.length)).microseconds,
      beats: map.beats.count, lanes: map.lanes, windowUs: rules.window, spawnLeadUs: rules.spawnLead)
  }

  /// `rhythm.tap`; `arrival` is when its line was read.
  public mutating func tap(
    _ params: RhythmTap.Params, arrival: Instant
  ) throws(RPCError) -> RhythmTap.Result {
    if chapter?.session.isCatchingUp != true { advanceChapter() }
    guard var current = chapter else {
      throw RPCError(.notRunning, "no chapter is running", hint: "\(method: "rhythm.start") begins one")
    }
    let (tapped, stamp) = try stamp(params, arrival: arrival)
    let lane = try laneIndex(params.lane, in: current.session.map)
    let outcome: TapOutcome
    do {
      outcome = try current.session.tap(
        at: current.position(at: tapped), lane: lane, now: current.position(at: turn.now))
    } catch {
      throw RPCError(error)
    }
    chapter = current
    tell(outcome.actions)
    return RhythmTap.Result(outcome.verdict, tapped: tapped, stamp: stamp)
  }

  /// `rhythm.stop`.
  public mutating func stopChapter(by cause: Cause) throws(RPCError) -> RhythmStatus.Result {
    try asked { () throws(Refusal) in try stopChapter() }
    return chapterStatus()
  }

  /// `rhythm.status`: of the chapter that runs, or of the last.
  public func chapterStatus() -> RhythmStatus.Result {
    let score = chapter.map { Score($0.session.summary) } ?? lastChapter.map { Score($0.summary) } ?? Score.none
    return RhythmStatus.Result(
      chapter: (chapter?.key).map(spelled) ?? lastChapter.map { spelled($0.key) }, running: chapter != nil,
      score: score,
      positionUs: chapter?.position(at: turn.now))
  }

  private func stamp(
    _ params: RhythmTap.Params, arrival: Instant
  ) throws(RPCError) -> (instant: Instant, stamp: RhythmTap.Stamp) {
    switch (params.atUs, params.agoUs) {
    case (let at?, nil): return (Instant(microseconds: at), .at)
    case (nil, let ago?):
      let ago = try RhythmTap.ranges.ago.checked(ago)
      return (Instant(microseconds: arrival.microseconds) - .microseconds(ago), .ago)
    case (nil, nil): return (Instant(microseconds: arrival.microseconds), .arrival)
    case (_?, _?):
      throw RPCError(
        .invalidParams, "a tap has either \(field: "atUs") or \(field: "agoUs"), not both", hint: "leave one out")
    }
  }

  private func laneIndex(_ name: String?, in map: BeatMap) throws(RPCError) -> Int? {
    guard let name else { return nil }
    guard let index = map.lane(named: name) else {
      let known = map.lanes.isEmpty ? "the chapter has no lanes" : "the lanes are " + map.lanes.joined(separator: ", ")
      throw RPCError(.invalidParams, "no lane \(name); \(known)", hint: "name one of the chapter's lanes")
    }
    return index
  }
}

extension RPCError {
  init(_ error: TapError) {
    let kind: Kind =
      switch error {
      case .stampInFuture: .stampInFuture
      case .tooLate: .tooLate
      case .missingLane, .unknownLane: .invalidParams
      }
    self.init(kind, error.reason, hint: error.remedy)
  }
}

extension RhythmTap.Result {
  init(_ verdict: TapVerdict, tapped: Instant, stamp: RhythmTap.Stamp) {
    switch verdict {
    case .hit(let beat, let error):
      self.init(verdict: .hit, beat: beat, errorUs: error, tapUs: tapped.microseconds, stamp: stamp)
    case .ghost: self.init(verdict: .ghost, beat: nil, errorUs: nil, tapUs: tapped.microseconds, stamp: stamp)
    case .held: self.init(verdict: .held, beat: nil, errorUs: nil, tapUs: tapped.microseconds, stamp: stamp)
    }
  }
}
