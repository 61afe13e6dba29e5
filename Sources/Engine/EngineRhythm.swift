import GamePacks
import Rhythm
import Timing
import Wire

/// The rhythm nouns of the socket.
extension Engine {
  /// Spawns and beats that wait to be told: recalled when their chapter ends before them.
  private static let announcements = "rhythm"

  /// `rhythm.start`.
  public mutating func startChapter(
    _ params: RhythmStart.Params, _ output: OutputState
  ) throws(RPCError) -> RhythmStart.Result {
    if let chapter {
      throw RPCError(
        .alreadyRunning, "chapter \(spelled(chapter.key)) is running", hint: "rhythm.stop ends it")
    }
    let (key, map, pack) = try catalog.resolve(.chapter, params.chapter, in: \.beatMaps)
    guard let entry = pack.manifest.chapters[key.name] else {
      throw RPCError(.internal, "chapter \(key.name) has a beat map but no entry in its pack")
    }
    let (_, info, _) = try catalog.resolve(.track, key.pack + ":" + entry.track, in: \.tracks)
    let rules = entry.rules
    let lead = Interval.microseconds(max(0, rules.spawnLead - (map.beats.first?.at ?? 0)))
    let (earliest, _) = try schedule(params.atUs, earliest: output.earliestSound + lead)
    let start = earliest.roundedUpToMicrosecond
    chapter = Chapter(
      key: key, feedback: entry.feedback, start: start, session: RhythmSession(map: map, rules: rules),
      announcer: BeatAnnouncer(map: map, spawnLead: rules.spawnLead))
    let track = pack.manifest.tracks[entry.track]
    let request = MusicPlayer.Request(
      track: AssetKey(pack: key.pack, name: entry.track), info: info, position: 0,
      loops: track?.loop != PackTrack.Loop.none, gain: Float(track?.gain ?? 1), continues: false,
      fade: try fade(nil, MusicPlay.parameters.crossfade, law: .equalPower), chapter: key)
    plan(.playMusic(request), at: start, output)
    applySwitches(output)
    advanceChapter(output)
    return RhythmStart.Result(
      chapter: spelled(key), startUs: start.microseconds, endUs: (start + .microseconds(rules.length)).microseconds,
      beats: map.beats.count, lanes: map.lanes, windowUs: rules.window, spawnLeadUs: rules.spawnLead)
  }

  /// `rhythm.tap`; `arrival` is when its line was read.
  public mutating func tap(
    _ params: RhythmTap.Params, arrival: Instant, _ output: OutputState
  ) throws(RPCError) -> RhythmTap.Result {
    advanceChapter(output)
    guard var current = chapter else {
      throw RPCError(.notRunning, "no chapter is running", hint: "rhythm.start begins one")
    }
    let (tapped, stamp) = try stamp(params, arrival: arrival)
    let lane = try laneIndex(params.lane, in: current.session.map)
    let outcome: TapOutcome
    do {
      outcome = try current.session.tap(
        at: current.position(at: tapped), lane: lane, now: current.position(at: output.now))
    } catch {
      throw RPCError(error)
    }
    chapter = current
    tell(outcome.actions, output)
    return RhythmTap.Result(outcome.verdict, tapped: tapped, stamp: stamp)
  }

  /// `rhythm.stop`.
  public mutating func stopChapter(_ output: OutputState) throws(RPCError) -> RhythmStatus.Result {
    advanceChapter(output)
    guard let current = chapter else {
      throw RPCError(.notRunning, "no chapter is running", hint: "rhythm.start begins one")
    }
    plans.removeAll { if case .playMusic(let request) = $0 { request.chapter == current.key } else { false } }
    endChapter(current, stopped: true, at: output.now)
    let track = catalog.pack(named: current.key.pack)?.manifest.chapters[current.key.name]?.track
    if let playing = music.current?.track, playing == AssetKey(pack: current.key.pack, name: track ?? "") {
      // It may not have begun: the earliest stop that reaches it is its own beginning.
      let begins = music.current.map { output.timeline.instant(ofFrame: $0.anchor) } ?? output.now
      _ = try stopMusic(FadeParams(atUs: max(begins, output.earliestSound).roundedUpToMicrosecond.microseconds), output)
    }
    applySwitches(output)
    return chapterStatus(output)
  }

  /// `rhythm.status`: of the chapter that runs, or of the last.
  public func chapterStatus(_ output: OutputState) -> RhythmStatus.Result {
    let score = chapter.map { Score($0.session.summary) } ?? lastScore ?? Score.none
    return RhythmStatus.Result(
      chapter: (chapter?.key).map(spelled) ?? lastChapter, running: chapter != nil, score: score,
      positionUs: chapter?.position(at: output.now))
  }

  /// Tells what became due in the chapter, and ends it at its end.
  mutating func advanceChapter(_ output: OutputState) {
    guard var current = chapter else { return }
    let ahead = current.position(at: output.now + configuration.announceLead)
    let announcements = current.announcer.announce(upTo: ahead)
    let actions = current.session.advance(to: current.position(at: output.now))
    chapter = current
    for announcement in announcements { tell(announcement, of: current) }
    tell(actions, output)
  }

  var chapterDeadline: Instant? {
    guard let chapter else { return nil }
    let announcement = chapter.announcer.nextDeadline.map {
      chapter.instant(ofPosition: $0) - configuration.announceLead
    }
    let judging = chapter.session.nextDeadline.map(chapter.instant(ofPosition:))
    return [announcement, judging].compactMap { $0 }.min()
  }

  private mutating func tell(_ announcement: BeatAnnouncer.Announcement, of chapter: Chapter) {
    switch announcement {
    case .spawn(let moment):
      let at = chapter.instant(ofPosition: moment.at)
      let beatAt = chapter.instant(ofPosition: moment.beat.at)
      notify(
        RhythmSpawn(beat: moment.index, lane: chapter.laneName(moment.beat.lane), beatUs: beatAt.microseconds), at: at,
        sendAt: at, group: Self.announcements)
    case .beat(let moment):
      let at = chapter.instant(ofPosition: moment.at)
      notify(
        RhythmBeat(beat: moment.index, lane: chapter.laneName(moment.beat.lane)), at: at, sendAt: at,
        group: Self.announcements)
    }
  }

  private mutating func tell(_ actions: [RhythmAction], _ output: OutputState) {
    for action in actions {
      guard let current = chapter else { return }
      let misses = current.session.summary.misses
      switch action {
      case .judgement(let judgement):
        let lane = current.laneName(judgement.beat.lane)
        let at = current.instant(ofPosition: judgement.stampedAt)
        switch judgement.verdict {
        case .hit(let error):
          notify(
            RhythmJudgement(verdict: .hit, beat: judgement.index, lane: lane, errorUs: error, misses: misses), at: at)
          fireFeedback(current.feedback.hit, of: current, output)
        case .miss:
          notify(
            RhythmJudgement(verdict: .miss, beat: judgement.index, lane: lane, errorUs: nil, misses: misses), at: at)
          fireFeedback(current.feedback.miss, of: current, output)
        }
      case .ghost(let ghost):
        notify(
          RhythmJudgement(
            verdict: .ghost, beat: nil, lane: current.laneName(ghost.lane), errorUs: nil, misses: misses),
          at: current.instant(ofPosition: ghost.stampedAt), coalescingKey: "rhythm.ghost")
        fireFeedback(current.feedback.ghost, of: current, output)
      case .assist(let assist):
        notify(RhythmAssist(windowUs: assist.window), at: current.instant(ofPosition: assist.at))
        fireFeedback(current.feedback.assist, of: current, output)
      case .complete(_, let at):
        endChapter(current, stopped: false, at: current.instant(ofPosition: at))
        applySwitches(output)
        fireFeedback(current.feedback.complete, of: current, output)
      }
    }
  }

  private mutating func endChapter(_ ended: Chapter, stopped: Bool, at instant: Instant) {
    let score = Score(ended.session.summary)
    chapter = nil
    lastScore = score
    lastChapter = spelled(ended.key)
    notify(
      RhythmComplete(chapter: spelled(ended.key), stopped: stopped, score: score), at: instant,
      recalls: Self.announcements)
  }

  private func stamp(
    _ params: RhythmTap.Params, arrival: Instant
  ) throws(RPCError) -> (instant: Instant, stamp: RhythmTap.Stamp) {
    switch (params.atUs, params.agoUs) {
    case (let at?, nil): return (Instant(microseconds: at), .at)
    case (nil, let ago?):
      let ago = try RhythmTap.parameters.ago.checked(ago)
      return (Instant(microseconds: arrival.microseconds) - .microseconds(ago), .ago)
    case (nil, nil): return (Instant(microseconds: arrival.microseconds), .arrival)
    case (_?, _?):
      throw RPCError(.invalidParams, "a tap has either atUs or agoUs, not both", hint: "leave one out")
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

extension Chapter {
  fileprivate func laneName(_ index: Int?) -> String? { index.map { session.map.lanes[$0] } }
}

extension Instant {
  /// The first whole microsecond not before this instant.
  var roundedUpToMicrosecond: Instant {
    Instant(microseconds: (self + Interval(nanoseconds: 999)).microseconds)
  }
}

extension Score {
  /// Nothing played yet.
  fileprivate static let none = Score(
    hits: 0, misses: 0, ghosts: 0, remaining: 0, assisted: false, medianErrorUs: nil, meanErrorUs: nil, spreadUs: nil)

  fileprivate init(_ summary: RhythmSummary) {
    let hasHits = summary.hits > 0
    self.init(
      hits: summary.hits, misses: summary.misses, ghosts: summary.ghosts, remaining: summary.pending,
      assisted: summary.assistedFrom != nil, medianErrorUs: hasHits ? summary.errors.median : nil,
      meanErrorUs: hasHits ? summary.errors.mean : nil,
      spreadUs: hasHits ? summary.errors.medianAbsoluteDeviation : nil)
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
