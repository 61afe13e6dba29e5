// SPDX-License-Identifier: Apache-2.0

import Mixing
import Outcomes
import Timing

/// The verbs of music: what is asked, when, and why.
extension Engine {
  /// The most verbs of one client, and the most that begin a track, within one horizon, and the most of all clients: each
  /// may have all of them carried out anew.
  static let mostMusicVerbsAtOnce = 64
  static let mostMusicStartsAtOnce = 8
  /// The most stops of one client within one horizon that need not ask what else is planned.
  static let mostMusicStopsAtOnce = 16
  static let mostMusicStartsOfAllAtOnce = 12
  static let mostMusicStartsOfAUserAtOnce = 8
  /// The verbs of each client within one horizon that it has to itself, and what all share beyond.
  static let musicVerbsAtOnce = CommonRoom(ofAClient: 4, shared: 256)

  /// How many streams may be open for music: the host's feeder holds as many.
  public static let mostStreams = MixerConfiguration().musicVoices + MixerConfiguration().musicReserve + 4

  /// How far ahead of the first frame that can be reached a track has to be made ready; what is farther can wait for streams.
  static let latestReady = Interval.milliseconds(30)

  /// What a stream needs to find a place behind the track's head: some 10 ms on a quiet machine, and room to spare.
  static let streamPreparation = Interval.milliseconds(60)

  /// What must be left of the head for the stream to take over without a gap.
  static let headReserve = Interval.milliseconds(200)

  /// Plans a verb for the instant at which it is to be heard, in the order of instants whenever it is asked for.
  @discardableResult
  mutating func plan(
    _ verb: MusicVerb, at instant: Instant, for purpose: MusicPlan.Purpose = .request, by cause: Cause
  ) throws(VerbRefusal) -> PlanID {
    // Switches, chapters and what ends the music soon are never refused for what others have planned.
    let isOurs = purpose == .switch || purpose == .chapter
    let isExempt = isOurs || verb.ends && isSoon(instant)
    try checkMusicIsFree(for: verb, at: instant, purpose)
    if !isOurs { try checkMusicPacing(by: cause, isUrgent: isExempt) }
    if !isExempt { try checkPace(of: verb, at: instant, by: cause) }
    if isExempt, !isOurs { try checkPaceOfStops(at: instant, by: cause.client) }
    let payer = try shares.take(1, for: cause, isUrgent: isExempt || isNow(instant))
    let id = makePlan()
    cues.partBegan(of: purpose.cue)
    var verb = verb
    if case .play(var request) = verb {
      request.cause = cause
      verb = .play(request)
    }
    let entry = MusicPlan.Entry(id: id, at: instant, verb: verb, purpose: purpose, cause: payer)
    payingForMusic(cause) { engine in
      engine.takeBack(engine.music.insert(entry, reachable: engine.turn.reachableFrame))
      engine.realiseMusic()
    }
    return id
  }

  /// Calls off a verb that was planned; what is called off is told with `reason`.
  mutating func cancelMusic(_ id: PlanID, _ reason: CancelReason, by cause: Cause) throws(VerbRefusal) {
    try checkMusicPacing(by: cause, isUrgent: false)
    if let entry = music.entries.first(where: { $0.id == id }), entry.purpose == .chapter, let chapter {
      throw VerbRefusal(
        .heldByChapter, "plan \(id.rawValue) is part of chapter \(chapter.key)",
        remedy: "\(method: "rhythm.stop") ends both")
    }
    guard !cancelMusic(reason, by: cause, where: { $0.id == id }).isEmpty else {
      throw VerbRefusal(
        .notRunning, "no plan \(id.rawValue) waits for its instant",
        remedy: "it may have happened, or be about to; \(method: "music.status") lists those that wait")
    }
  }

  /// Calls off what was planned for after `instant` and `isMeant` picks; answers that.
  @discardableResult
  mutating func cancelMusic(
    after instant: Instant = .distantPast, _ reason: CancelReason, by cause: Cause = .daemon,
    where isMeant: (MusicPlan.Entry) -> Bool
  ) -> [MusicPlan.Entry] {
    let cancelled = music.cancel(reachable: turn.reachableFrame) { $0.at > instant && isMeant($0) }
    payingForMusic(cause) { engine in
      engine.takeBack(cancelled.takenBack)
      engine.realiseMusic()
    }
    for entry in cancelled.entries {
      shares.give(1, for: entry.cause)
      tellCancelled(entry, reason, at: present)
      cues.partEnded(of: entry.purpose.cue)
    }
    return cancelled.entries
  }

  /// A track that was to begin cannot: its verb does not happen, and what played goes on.
  /// Answers whose verb that was.
  @discardableResult
  public mutating func trackUnavailable(_ voice: VoiceID, at frame: Int64) -> Cause? {
    let cause = music.realised.first { $0.voice == voice }?.entry?.cause
    guard let takenBack = music.fail(voice, reachable: turn.reachableFrame) else {
      voiceFinished(voice, at: frame, .stopped)
      return cause
    }
    redoMusic(takenBack)
    return cause
  }

  /// Has the mixer take back what was carried out, and carries it out anew.
  mutating func redoMusic(_ takenBack: MusicPlan.TakenBack) {
    notingMusic { engine in
      engine.takeBack(takenBack)
      engine.realiseMusic()
    }
  }

  /// Carries out what has come due.
  mutating func realiseDueMusic() { notingMusic { $0.realiseMusic() } }

  /// Stops the music at `instant`, and calls off all that clients planned for later.
  mutating func stopMusicForGood(_ fade: Fade, at instant: Instant, by cause: Cause) throws(VerbRefusal) -> PlanID {
    let id = try plan(.stop(fade), at: instant, by: cause)
    cancelMusic(after: instant, .stopped, by: cause) { $0.purpose != .switch && $0.purpose != .chapter }
    return id
  }

  /// Plans a stop that calls nothing off: tracks that begin soon behind it have to find other streams.
  mutating func stopMusic(_ fade: Fade, at instant: Instant, by cause: Cause) throws(VerbRefusal) -> PlanID {
    try checkStreams(at: instant, isStart: false)
    return try plan(.stop(fade), at: instant, by: cause)
  }

  /// The music as it is heard now.
  var heardMusic: MusicPlayer { music.heard(by: turn.now, at: turn.timeline.frame(at: turn.now)) }

  /// What the music will be at an instant, as far as is asked for, and the frame of that instant as positions in it count.
  mutating func predictedMusic(at instant: Instant) -> (player: MusicPlayer, frame: Int64) {
    music.predicted(at: instant, turn.timeline)
  }

  /// The earliest instant at which a track can be heard from `position` on: a place behind its head has to be found in the
  /// file first.
  func earliestStart(of info: TrackInfo, from position: Int64) -> Instant {
    let needed = position + Self.headReserve.frames(rate: configuration.rate)
    let isAtHand = needed <= info.headFrames || info.headFrames >= info.frames
    return isAtHand ? turn.earliestSound : turn.earliestSound + Self.streamPreparation
  }

  /// Carries out what is due within the horizon. A track for which no stream is free waits for one: those that were taken
  /// back are let go of within a period. It is made ready so far ahead that it is in time all the same, or enters in place.
  mutating func realiseMusic() {
    musicPostponedUntil = nil
    let before = batch.count
    while let entry = music.next(upTo: turn.now + horizon) {
      if entry.verb.startsVoice, music.streams >= Self.mostStreams {
        musicPostponedUntil = turn.now + .milliseconds(2)
        return
      }
      // Nobody is refused for what others have made anew; but all of it is told once, when the mixer has gone on.
      let isFull = musicPacing.isFull(at: turn.reachableFrame, behind: batch.count - before)
      if isFull, entry.purpose != .switch, entry.purpose != .chapter {
        musicPostponedUntil = turn.now + .milliseconds(2)
        return
      }
      let timeline = turn.timeline
      let steps = music.realiseNext(
        planned: timeline.frame(at: entry.at), reachable: turn.reachableFrame, voice: makeVoice(),
        instant: timeline.instant(ofFrame:))
      perform(steps)
      // What starts a voice is told by its start.
      if !entry.verb.startsVoice, !steps.isEmpty, let done = music.realised.last {
        noteChange(of: entry.purpose.cue, plan: entry.id, at: done.at, frame: done.frame, by: entry.cause)
      }
    }
  }

  /// Tells what of the music is heard by now.
  mutating func tellHeardMusic() {
    music.forgetDone(at: turn.timeline.frame(at: turn.now))
    var place: Int64?
    while let heard = music.takeHeard(by: turn.now) {
      for var change in heard.changes {
        // A song that is brought to another place and goes on there at that instant never stood there.
        if isLetGoOn(change, heard) {
          place = change.position
          continue
        }
        if change.kind == .resumed { change.position = place }
        place = nil
        tell(change, at: heard.at, heard.entry?.cause)
      }
      guard let entry = heard.entry else { continue }
      shares.give(1, for: entry.cause)
      if let cancelled = heard.cancelled { tellCancelled(entry, cancelled, at: heard.at) }
      cues.partEnded(of: entry.purpose.cue, .done, heard.cancelled == nil ? words(for: entry.verb) : nil)
      if heard.cancelled != nil { endChapter(without: entry.id, at: heard.at) }
    }
  }

  /// Whether a chapter's song, placed while it is held, is let go on at that very instant, which is told next.
  private func isLetGoOn(_ change: MusicChange, _ heard: MusicPlan.Realised) -> Bool {
    guard change.kind == .paused, change.position != nil, heard.entry?.purpose == .chapter,
      let next = music.realised.first, next.entry?.purpose == .chapter, next.at == heard.at
    else { return false }
    return next.changes.first.map { $0.kind == .resumed && $0.track == change.track } ?? false
  }

  private mutating func takeBack(_ takenBack: MusicPlan.TakenBack?) {
    guard let takenBack else { return }
    // What was not handed out yet is dropped here: a stream that nobody is to hear is not opened.
    let dropped = dropSteps(of: Set(takenBack.voices), from: takenBack.frame)
    music.forget(dropped)
    for voice in takenBack.voices where !dropped.contains(voice) {
      perform([.command(.retract(voice, from: takenBack.frame))])
      // The mixer may have mixed it before this reaches it. A voice that began so is not in the plan any more and is stopped;
      // one that was changed so is put back to what the plan says.
      if takenBack.unbegun.contains(voice) {
        perform([.command(.stop(voice, at: turn.reachableFrame, fade: declick))])
      } else if let course = music.player.course(of: voice) {
        perform([.command(.restore(voice, to: course, from: takenBack.frame))])
      }
    }
  }

  /// Lets a client pay for what the mixer is told by `change`.
  private mutating func payingForMusic(_ cause: Cause, _ change: (inout Engine) -> Void) {
    let before = batch.count
    change(&self)
    musicPacing.charge(max(0, batch.count - before), to: cause, at: turn.reachableFrame)
  }

  /// Counts what the mixer is told by a `change` that no client pays for.
  private mutating func notingMusic(_ change: (inout Engine) -> Void) {
    let before = batch.count
    change(&self)
    musicPacing.note(max(0, batch.count - before), at: turn.reachableFrame)
  }

  /// Refuses what would have the mixer told more of the music than leaves room for others.
  func checkMusicPacing(by cause: Cause, isUrgent: Bool) throws(VerbRefusal) {
    guard !musicPacing.hasRoom(for: cause, at: turn.reachableFrame, isUrgent: isUrgent) else { return }
    throw VerbRefusal(
      .busy,
      "the music is changed faster than it can follow: a change that comes before others makes all of those anew",
      remedy: "wait some milliseconds, or ask in the order of instants")
  }

  private func checkPace(of verb: MusicVerb, at instant: Instant, by cause: Cause) throws(VerbRefusal) {
    var (uses, all): ([ClientID: CommonRoom.Use], Int) = ([:], 0)
    var (ownStarts, userStarts, allStarts) = (0, 0, 0)
    for entry in music.near(instant, within: horizon) where entry.purpose != .switch && entry.purpose != .chapter {
      let other = entry.cause
      all += 1
      uses[other.client, default: CommonRoom.Use(user: other.user, count: 0)].count += 1
      guard entry.verb.startsVoice else { continue }
      allStarts += 1
      if other.user == cause.user { userStarts += 1 }
      if other.client == cause.client { ownStarts += 1 }
    }
    let hasRoom =
      uses[cause.client]?.count ?? 0 < Self.mostMusicVerbsAtOnce
      && Self.musicVerbsAtOnce.has(1, for: cause.client, of: cause.user, among: uses)
    let mayStart =
      !verb.startsVoice
      || ownStarts < Self.mostMusicStartsAtOnce && userStarts < Self.mostMusicStartsOfAUserAtOnce
        && allStarts < Self.mostMusicStartsOfAllAtOnce
    try checkStreams(at: instant, isStart: verb.startsVoice && isNow(instant))
    guard hasRoom, mayStart else {
      throw VerbRefusal(
        .busy,
        "the music is changed faster than it can follow: \(all) changes are planned around that instant",
        remedy:
          "wait some milliseconds, or plan them further apart; \(method: "music.stop") without \(field: "atUs") calls all of them off"
      )
    }
  }

  /// A stop that comes soon waits for nothing that others planned; but of one client no more than make a difference.
  private func checkPaceOfStops(at instant: Instant, by client: ClientID) throws(VerbRefusal) {
    let own = music.near(instant, within: horizon).count { $0.verb.ends && $0.cause.client == client }
    guard own >= Self.mostMusicStopsAtOnce else { return }
    throw VerbRefusal(
      .busy, "\(own) stops of the music are planned by this client around that instant", remedy: "one of them is enough"
    )
  }

  /// Refuses a verb that would make tracks that begin soon wait for streams; `isStart` where it needs one itself.
  private func checkStreams(at instant: Instant, isStart: Bool) throws(VerbRefusal) {
    guard !hasStreams(for: instant, isStart: isStart) else { return }
    throw VerbRefusal(
      .busy,
      "the music is changed faster than it can follow: \(music.streams) tracks are open, called-off ones included",
      remedy: "ask again in some milliseconds, when the mixer has let go of them")
  }

  /// Whether the tracks that begin soon after a verb at `instant` find streams, each another one than it was to have.
  func hasStreams(for instant: Instant, isStart: Bool) -> Bool {
    let anew = music.begun(
      after: instant, upTo: turn.earliestSound + Self.latestReady, reachable: turn.reachableFrame)
    let needed = anew + (isStart ? 1 : 0)
    return needed == 0 || music.streams + needed <= Self.mostStreams
  }

  /// Refuses the song of a chapter where too many tracks would be fading out at its instant; `leaving` where what plays
  /// then is to make room for it.
  mutating func checkRoom(forSongAt instant: Instant, leaving: Bool) throws(VerbRefusal) {
    try checkStreams(at: instant, isStart: isSoon(instant))
    let predicted = predictedMusic(at: instant)
    let leaves = leaving && predicted.player.current != nil
    let fading = predicted.player.fading(at: predicted.frame).count + (leaves ? 1 : 0)
    guard fading < MusicPlayer.mostTails else {
      throw VerbRefusal(
        .busy, "\(fading) tracks fade out at that instant, as many as can", remedy: "ask again when they have faded out"
      )
    }
  }
}
