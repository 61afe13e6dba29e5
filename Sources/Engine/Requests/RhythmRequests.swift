// SPDX-License-Identifier: Apache-2.0

import GamePacks
import JSON
import Rhythm
import Suggestions
import Timing
import Wire

/// The rhythm nouns of the socket.
extension Engine {
  /// `rhythm.start`; `inline` is its map, where that has been read already.
  public mutating func startChapter(
    _ params: RhythmStart.Params, inline: BeatMapFile? = nil, by cause: Cause
  ) throws(RPCError) -> RhythmStart.Result {
    let ranges = RhythmStart.ranges
    let position = try ranges.position.checked(params.positionUs)
    let rate = SongRate(try ranges.rate.checked(params.rate)) ?? .normal
    let lease = Interval.microseconds(try ranges.lease.checked(params.leaseUs))
    let judgingOffset = try ranges.judgingOffset.checked(params.judgingOffsetUs) ?? switches.judging.offset
    if let chapter {
      throw RPCError(
        .alreadyRunning, "chapter \(chapter.key) is running",
        hint: "\(method: "rhythm.stop") ends it; where its client is gone, \(method: "rhythm.takeOver") makes it yours")
    }
    let (key, entry, map) = try chapterMap(params, inline, by: cause)
    guard position < entry.rules.length else {
      throw RPCError(
        .invalidParams,
        "\(field: "positionUs") \(microseconds: position) is outside the chapter, which lasts \(lasting: entry.rules.length)",
        hint: "give a position from 0 to below the chapter's length")
    }
    let course = Course(
      map: map, rules: entry.rules, from: position, rate: rate, judgingOffset: judgingOffset)
    guard course.firstBeat != nil else {
      throw RPCError(
        .invalidParams, "no beat is left to be tapped from \(field: "positionUs") \(microseconds: position) on",
        hint: "begin earlier, so that at least the last beat can still be hit")
    }
    let song = try song(of: entry, key, course)
    let start = try schedule(params.atUs, earliest: soonestStart(of: course, song)).at
    try asked { () throws(VerbRefusal) in
      try self.start(
        ChapterStart(key: key, entry: entry, course: course, isRecorded: params.unrecorded != true, lease: lease),
        song, at: start, by: cause)
    }
    return try startedChapter()
  }

  /// `rhythm.pause`.
  public mutating func pauseChapter() throws(RPCError) -> RhythmPause.Result {
    let at = try asked { () throws(VerbRefusal) in try holdChapter() }
    let paused = try asked { () throws(VerbRefusal) in try runningChapter() }
    return RhythmPause.Result(
      run: paused.id, pausedUs: at.microseconds, positionUs: paused.run.songPosition(at: at.microseconds))
  }

  /// `rhythm.resume`.
  public mutating func resumeChapter(_ params: RhythmResume.Params) throws(RPCError) -> RhythmResume.Result {
    let beats = try RhythmResume.ranges.countIn.given.checked(params.countInBeats)
    let resumed = try asked { () throws(VerbRefusal) in try resumeChapter(countIn: beats.map(Int.init)) }
    let current = try asked { () throws(VerbRefusal) in try runningChapter() }
    return RhythmResume.Result(
      run: current.id, scheduledUs: resumed.heardFrom.microseconds, goesOnUs: resumed.goesOn.microseconds,
      countInBeats: resumed.countIn, movedUs: resumed.moved.microseconds, startUs: current.run.clock.zero,
      endUs: current.run.end ?? 0)
  }

  /// `rhythm.restart`.
  public mutating func restartedChapter() throws(RPCError) -> RhythmStart.Result {
    try asked { () throws(VerbRefusal) in try restartChapter() }
    return try startedChapter()
  }

  /// `rhythm.takeOver`.
  public mutating func takeOverChapter(
    _ params: RhythmTakeOver.Params, by cause: Cause
  ) throws(RPCError) -> RhythmStatus.Result {
    let lease = try RhythmTakeOver.ranges.lease.checked(params.leaseUs).map(Interval.microseconds)
    try asked { () throws(VerbRefusal) in try takeOverChapter(lease: lease, by: cause) }
    return chapterStatus()
  }

  /// `rhythm.tap`; `arrival` is when its line was read.
  public mutating func tap(
    _ params: RhythmTap.Params, arrival: Instant
  ) throws(RPCError) -> RhythmTap.Result {
    if chapter?.run.session.isCatchingUp != true { advanceChapter() }
    let (tapped, stamp) = try stamp(params, arrival: arrival)
    guard let (terms, current) = chapterTold else { throw RPCError(Self.noChapter) }
    if let run = params.run, run != current {
      throw RPCError(
        .notRunning,
        "\(1..<current ~= run ? "run \(run) is over" : "there has been no run \(run)"); \(current) is running",
        hint: "\(method: "rhythm.status") tells of the run that goes on")
    }
    return try judge(tapped, stamp, params.lane, deliveredAt: turn.now, terms, current)
  }

  private mutating func judge(
    _ tapped: Instant, _ stamp: RhythmTap.StampSource, _ lane: String?, deliveredAt now: Instant,
    _ terms: Chapter.Terms,
    _ current: Int64
  ) throws(RPCError) -> RhythmTap.Result {
    let lane = try laneIndex(lane, in: terms.course.map)
    let judged: TapOutcome?
    do throws(TapError) {
      // In place: all that was judged is part of the chapter, and is not to be copied at each tap.
      judged = try chapter?.run.tap(
        at: tapped.microseconds, lane: lane, now: now.microseconds, heard: listenedTo?.microseconds)
    } catch {
      throw RPCError(error)
    }
    guard let outcome = judged else { throw RPCError(Self.noChapter) }
    tell(outcome.actions)
    var result = RhythmTap.Result(
      verdict: .ghost, beat: nil, errorUs: nil, tapUs: tapped.microseconds, stamp: stamp, run: current)
    switch outcome.verdict {
    case .hit(let beat, let error):
      (result.verdict, result.beat, result.errorUs) = (.hit, beat, error)
      if case .judgement(let judgement)? = outcome.actions.last { result.grade = terms.gradeName(judgement.grade) }
    case .ghost: break
    case .held: result.verdict = .held
    }
    return result
  }

  /// A control that was bound to `lane` was pressed at `stamp`: judged as a tap that came at that very instant, however much
  /// later it was read. Only what was told to be settled by then is (`listenedTo`).
  public mutating func tap(bound lane: String?, at stamp: Instant) throws(RPCError) -> RhythmTap.Result {
    guard let (terms, current) = chapterTold else { throw RPCError(Self.noChapter) }
    return try judge(stamp, .at, lane, deliveredAt: stamp, terms, current)
  }

  /// Why no tap can be for that lane in the chapter that runs; nil while none does.
  public func refusal(ofLane lane: String?) -> RPCError? {
    guard let terms = chapter?.terms else { return nil }
    do throws(RPCError) {
      _ = try laneIndex(lane, in: terms.course.map)
    } catch {
      return error
    }
    return lane == nil && !terms.course.map.lanes.isEmpty ? RPCError(TapError.missingLane) : nil
  }

  /// `rhythm.stop`.
  public mutating func stopChapter(by cause: Cause) throws(RPCError) -> RhythmStatus.Result {
    try asked { () throws(VerbRefusal) in try stopChapter() }
    return chapterStatus()
  }

  // MARK: - What they are made of

  private func startedChapter() throws(RPCError) -> RhythmStart.Result {
    let current = try asked { () throws(VerbRefusal) in try runningChapter() }
    let (course, rules) = (current.course, current.course.rules)
    return RhythmStart.Result(
      chapter: current.key.description, startUs: current.run.clock.zero, endUs: current.run.clock.zero + course.end,
      beats: course.beatCount, lanes: course.map.lanes, windowUs: rules.window, spawnLeadUs: rules.spawnLead,
      run: current.id, positionUs: course.position, rate: course.rate.value, grades: rules.grades.map(GradeWindow.init),
      judgingOffsetUs: course.judgingOffset, deviceLeadUs: turn.deviceLead.microseconds)
  }

  /// A chapter of a pack and its beats, or those that are given in their place.
  private func chapterMap(
    _ params: RhythmStart.Params, _ inline: BeatMapFile?, by cause: Cause
  ) throws(RPCError) -> (key: LoadedKey, entry: PackChapter, map: BeatMap) {
    let found: (key: AssetKey, map: BeatMap?, pack: PackGeneration)
    if params.map == nil {
      let (key, map, pack) = try asset(.chapter, params.chapter, in: \.beatMaps, by: cause)
      found = (key, map, pack)
    } else {
      // What the pack's own map is like does not matter.
      let (key, pack) = try asset(.chapter, params.chapter, by: cause)
      found = (key, nil, pack)
    }
    guard let entry = found.pack.manifest.chapters[found.key.name] else {
      throw RPCError(.internal, "chapter \(found.key) has a beat map but no entry in its pack")
    }
    if let map = found.map { return (LoadedKey(found.pack, found.key.name), entry, map) }
    guard let text = params.map else { throw RPCError(.internal, "chapter \(found.key) has no beat map") }
    let file: BeatMapFile
    if let inline { file = inline } else { file = try Self.inlineMap(text) }
    do throws(PackFaults) {
      return (LoadedKey(found.pack, found.key.name), entry, try entry.beatMap(from: file))
    } catch {
      throw Self.refusal(of: error)
    }
  }

  /// The most bytes of a beat map given inline, white space not counted.
  static let longestMap = 1 << 16

  /// Reads a beat map that is sent in place of a chapter's own. Only computes: any thread may call it.
  public static func inlineMap(_ text: JSONText) throws(RPCError) -> BeatMapFile {
    guard text.weight <= longestMap else {
      throw RPCError(
        .invalidParams, "map has more than \(longestMap) bytes, white space not counted",
        hint: "put the beats into a pack, as a chapter of it")
    }
    do throws(PackFaults) {
      return try BeatMapFile.parse(text.bytes, path: "map")
    } catch {
      throw refusal(of: error)
    }
  }

  /// How many of a map's faults are told.
  private static let mostProblems = 16

  private static func refusal(of faults: PackFaults) -> RPCError {
    let problems = faults.faults.map(\.problem)
    let first = problems.first?.description ?? ""
    var error = RPCError(
      .invalidParams, "the map cannot be used: \(first)",
      hint: "problems has all that is wrong; docs/packs.md says what a map is")
    error.data.problems = Array(problems.prefix(mostProblems))
    return error
  }

  /// The music of a chapter, from its place on and at its rate.
  private func song(
    of entry: PackChapter, _ key: LoadedKey, _ course: Course
  ) throws(RPCError) -> MusicPlayer.Request {
    var song = try asked { () throws(VerbRefusal) in
      try musicRequest(
        entry.track, of: key.generation, crossfade: crossfade(as: key.generation.manifest.settings))
    }
    let frames = Interval.microseconds(course.position).frames(rate: configuration.rate)
    song.position = song.loops ? song.info.loop.wrap(frames) : frames
    guard song.position < song.info.frames else {
      throw RPCError(
        .invalidParams, "\(field: "positionUs") \(microseconds: course.position) is beyond the chapter's track",
        hint: "begin where the track still sounds")
    }
    song.rate = course.rate.value
    song.stemGains = song.info.stems.map { stem in entry.stems[stem.name].map { Float($0) } ?? stem.gain }
    return song
  }

  private func stamp(
    _ params: RhythmTap.Params, arrival: Instant
  ) throws(RPCError) -> (instant: Instant, stamp: RhythmTap.StampSource) {
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
      throw Self.noLane(name, among: map.lanes)
    }
    return index
  }
}

extension Engine {
  /// How many lanes an error lists; where there are more it names those that are like the one that was meant.
  private static let mostListed = 12

  static func noLane(_ name: String, among lanes: [String]) -> RPCError {
    let near = nearest(to: name, among: lanes)
    let known: String
    if lanes.isEmpty {
      known = "; the chapter has no lanes"
    } else if lanes.count <= mostListed {
      known = "; the lanes are " + lanes.joined(separator: ", ")
    } else {
      known = didYouMean(oneOf: near)
    }
    return RPCError(
      .invalidParams, "no lane \(excerpt(name))\(known)",
      hint: (lanes.isEmpty ? TapError.noLanes : .unknownLane(0)).remedy, candidates: near.isEmpty ? nil : near)
  }
}

extension RPCError {
  init(_ error: TapError) {
    let kind: Kind =
      switch error {
      case .stampInFuture: .stampInFuture
      case .tooLate, .longAgo: .tooLate
      case .paused: .notRunning
      case .beforeChapter, .missingLane, .unknownLane, .noLanes: .invalidParams
      }
    self.init(kind, error.reason, hint: error.remedy)
  }
}

extension GradeWindow {
  init(_ grade: Grade) { self.init(grade: grade.name, windowUs: grade.window) }
}
