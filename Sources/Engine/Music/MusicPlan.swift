// SPDX-License-Identifier: Apache-2.0

import Mixing
import Outcomes
import Timing

/// All that the music was asked for and that is not heard yet, and the player that it is told to.
///
/// The state of the music is the fold of its verbs in the order of their instants, those of one instant in the order of
/// asking. Verbs wait for their instant until shortly before; then they are carried out, which is to say told to the
/// player and the mixer. A copy of the player is kept from before each that is not heard yet: so what comes before
/// verbs that are carried out already can still be put in front of them, and what is heard now is known.
struct MusicPlan {
  /// One verb that waits or is carried out.
  struct Entry {
    var id: PlanID
    /// The instant at which it is to be heard.
    var at: Instant
    var verb: MusicVerb
    var purpose: Purpose
    var cause: Cause
    /// Whether the track that it begins was found not to be there.
    var isUnavailable = false
  }

  /// What a verb is part of, and so what calls it off.
  enum Purpose: Equatable {
    /// A request of its own.
    case request
    /// A cue that was fired.
    case cue(PlanID)
    /// A chapter, which goes together with its music.
    case chapter
    /// A switch or the engine itself.
    case `switch`

    /// The cue that it is part of.
    var cue: PlanID? { if case .cue(let id) = self { id } else { nil } }
  }

  /// A verb that the mixer has been told of, or what the mixer told: a track's own end, a stream that ran dry.
  struct Realised {
    /// The verb; nil where it is something that the mixer reported.
    var entry: Entry?
    var at: Instant
    var frame: Int64
    /// The player before it.
    var before: MusicPlayer
    var changes: [MusicChange]
    var cancelled: CancelReason?
    /// The voice that it began.
    var voice: VoiceID?
  }

  /// The shortest fade without a click.
  let declick: Fade
  /// By instant and order of asking.
  private(set) var waiting = Line<Entry>() { didSet { revision &+= 1 } }
  /// In the order in which they are heard; none of them is heard yet.
  private(set) var realised = Line<Realised>() { didSet { revision &+= 1 } }
  /// Another whenever what is to be heard may be another.
  private(set) var revision: UInt64 = 0
  /// What all that is carried out comes to.
  private(set) var player = MusicPlayer()
  /// What those that wait come to.
  private(set) var forecast = MusicForecast()
  /// Voices that were to begin and were taken back: the mixer has not let go of them yet, nor of the streams they read.
  private(set) var abandoned: Set<VoiceID> = []
  /// The instant of the last that was told: what is told comes in the order of instants.
  private var toldUpTo = Instant.distantPast

  /// Nothing asked for yet.
  init(declick: Fade) { self.declick = declick }

  /// What waits or is carried out but not heard, by instant.
  var entries: [Entry] { realised.compactMap(\.entry) + waiting }

  /// The player now, and as it was before each verb that is not heard yet.
  var players: [MusicPlayer] { realised.map(\.before) + [player] }

  /// How many streams are open for it.
  var streams: Int { abandoned.count + player.streams }

  /// How many tracks that are to begin up to `limit` have to begin anew for a verb at `instant`, each by another stream.
  func begun(after instant: Instant, upTo limit: Instant, reachable: Int64) -> Int {
    realised.count { $0.voice != nil && $0.at > instant && $0.at <= limit && $0.frame >= reachable }
  }

  /// How many verbs are kept.
  var count: Int { realised.count + waiting.count }

  /// The player as it is heard now, which is at `frame`.
  func heard(by now: Instant, at frame: Int64) -> MusicPlayer {
    var player = realised.first { $0.at > now }?.before ?? player
    player.settle(at: frame)
    return player
  }

  /// What clients and chapters asked for and is not heard by `now`: the first `most` by instant, and how many there are.
  func planned(after now: Instant, most: Int) -> (first: [Entry], count: Int) {
    // What a switch asks for is carried out at once and never waits.
    let carriedOut = realised.compactMap(\.entry).filter { $0.at > now && $0.purpose != .switch }
    let passed = waiting.partitioned { $0.at <= now }
    let first = (carriedOut.prefix(most) + waiting[passed...].prefix(max(0, most - carriedOut.count)))
    return (Array(first), carriedOut.count + waiting.count - passed)
  }

  /// What the player will be at an instant, behind all that was asked for up to then, and the frame of that instant as
  /// its positions are counted by.
  mutating func predicted(
    at instant: Instant, _ timeline: AudioTimeline
  ) -> (player: MusicPlayer, frame: Int64) {
    if let later = realised.first(where: { $0.at > instant }) {
      var predicted = later.before
      let frame = timeline.frame(at: instant)
      predicted.settle(at: frame)
      return (predicted, frame)
    }
    let (player, frame, _) = foreseen(behind: passed(by: instant), at: instant, timeline)
    return (player, frame)
  }

  /// How many of those that wait come by an instant.
  func passed(by instant: Instant) -> Int { waiting.partitioned { $0.at <= instant } }

  /// The player behind the first `count` of those that wait and the time up to an instant.
  mutating func foreseen(
    behind count: Int, at instant: Instant, _ timeline: AudioTimeline
  ) -> (player: MusicPlayer, frame: Int64, timeline: AudioTimeline) {
    forecast.player(behind: count, of: waiting, from: player, at: instant, timeline, declick: declick)
  }

  /// What waits or is carried out within `distance` of an instant.
  func near(_ instant: Instant, within distance: Interval) -> [Entry] {
    let first = waiting.partitioned { $0.at < instant - distance }
    let end = waiting.partitioned { $0.at <= instant + distance }
    let carriedOut = realised.compactMap(\.entry).filter { abs(($0.at - instant).nanoseconds) <= distance.nanoseconds }
    return carriedOut + waiting[first..<max(first, end)]
  }

  /// Adds a verb behind all of its instant. Those that come after it and have been carried out from `reachable` on are
  /// taken back; the answer is what the mixer has to take back for it.
  mutating func insert(_ entry: Entry, reachable: Int64) -> TakenBack? {
    let takenBack = takeBack(from: realised.firstIndex { $0.at > entry.at && $0.frame >= reachable })
    let place = waiting.partitioned { $0.at <= entry.at }
    waiting.insert(entry, at: place)
    forecast.changed(from: place)
    return takenBack
  }

  /// Calls off what `isMeant` picks, but for what has passed the frame that can still be reached.
  mutating func cancel(
    reachable: Int64, where isMeant: (Entry) -> Bool
  ) -> (entries: [Entry], takenBack: TakenBack?) {
    let takenBack = takeBack(from: realised.firstIndex { $0.frame >= reachable && $0.entry.map(isMeant) ?? false })
    let cancelled = waiting.filter(isMeant)
    if !cancelled.isEmpty {
      if let first = waiting.firstIndex(where: isMeant) { forecast.changed(from: first) }
      waiting.removeAll(where: isMeant)
    }
    return (Array(cancelled), takenBack)
  }

  /// The track that a voice was to begin is not there: its verb is carried out anew, and comes to nothing. False where the
  /// voice is that of no verb that can still be reached.
  mutating func fail(_ voice: VoiceID, reachable: Int64) -> TakenBack? {
    guard let place = realised.firstIndex(where: { $0.voice == voice && $0.frame >= reachable }) else { return nil }
    realised[place].entry?.isUnavailable = true
    return takeBack(from: place)
  }

  /// Voices that were never handed to the mixer hold no streams.
  mutating func forget(_ dropped: Set<VoiceID>) { abandoned.subtract(dropped) }

  /// Voices whose changes from a frame on the mixer has to forget.
  struct TakenBack {
    var voices: [VoiceID]
    /// Those of them that were to begin then or later, and are not to.
    var unbegun: Set<VoiceID>
    var frame: Int64
  }

  /// Lets the verbs from `place` on wait again. Commands are taken back by frames, so those of the same frame go along.
  private mutating func takeBack(from place: Int?) -> TakenBack? {
    guard let place else { return nil }
    let frame = realised[place].frame
    let first = realised.firstIndex { $0.frame >= frame && $0.entry != nil } ?? place
    let voices = Set(player.voices + realised[first...].flatMap(\.before.voices))
    player = realised[first].before
    let unbegun = Set(realised[first...].compactMap(\.voice))
    abandoned.formUnion(unbegun)
    forecast.forget()
    waiting.insert(contentsOf: realised[first...].compactMap(\.entry), at: 0)
    // What the mixer told has happened.
    let facts = realised[first...].filter { $0.entry == nil }
    realised.removeSubrange(first...)
    for var fact in facts {
      fact.before = player
      realised.append(fact)
    }
    return TakenBack(voices: voices.sorted { $0.rawValue < $1.rawValue }, unbegun: unbegun, frame: frame)
  }

  /// The next verb to be carried out, if its instant is not after `limit`.
  func next(upTo limit: Instant) -> Entry? { waiting.first.flatMap { $0.at <= limit ? $0 : nil } }

  /// Carries the next verb out at the frame `planned`, or `reachable` where that is later, and answers what the mixer is to
  /// do.
  mutating func realiseNext(
    planned: Int64, reachable: Int64, voice: VoiceID, instant: (Int64) -> Instant
  ) -> [AudioStep] {
    let entry = waiting.removeFirst()
    var verb = entry.verb
    let frame = max(planned, reachable, realised.last?.frame ?? .min)
    let late = frame - planned
    let before = player
    // Late music enters in place.
    switch verb {
    case .play(var request) where late > 0:
      request.late += late
      verb = .play(request)
    case .seek(let position, let lateBy, let crossfade) where late > 0:
      verb = .seek(position: position, lateBy: lateBy + late, crossfade: crossfade)
    default: break
    }
    let outcome =
      if let obstacle = player.obstacle(to: entry, at: frame) {
        MusicOutcome(cancelled: obstacle)
      } else {
        player.apply(verb, voice: voice, at: frame, declick: declick)
      }
    forecast.passedOne()
    // It was carried out at a later frame than the predictions behind it reckoned with.
    if late > 0 { forecast.forget() }
    let began = outcome.steps.contains { if case .start = $0 { true } else { false } }
    let at = max(late > 0 ? instant(frame) : entry.at, realised.last?.at ?? .distantPast)
    realised.append(
      Realised(
        entry: entry, at: at, frame: frame, before: before, changes: outcome.changes, cancelled: outcome.cancelled,
        voice: began ? voice : nil))
    return outcome.steps
  }

  /// The mixer was done with a voice at `frame`, heard at `instant`: played to its end, or for want of a voice. A track that was to
  /// come back in it begins anew: the answer is what the mixer has to take back for that.
  mutating func finished(
    _ voice: VoiceID, at frame: Int64, _ ending: SoundEnd, heardAt instant: Instant, reachable: Int64
  ) -> TakenBack? {
    let last = realised.firstIndex { $0.frame > frame } ?? realised.count
    var place = last
    // Its own end may come before verbs of that frame.
    for earlier in (realised.firstIndex { $0.frame >= frame } ?? last)..<last
    where place == last && before(earlier, at: frame).endedByItself(voice) {
      place = earlier
    }
    abandoned.remove(voice)
    let track = before(place, at: frame).unended(voice)
    player.finished(voice, at: frame)
    if track != nil, ending != .ended { forecast.forget() }
    for later in realised.indices.dropFirst(place) { realised[later].before.finished(voice, at: frame) }
    if let track {
      let kind: MusicHappening = ending == .ended ? .ended : .stopped
      note(MusicChange(kind: kind, track: track.key), at: place, frame, heardAt: instant)
      return nil
    }
    guard let returned = realised.indices.dropFirst(place).first(where: { returns(voice, by: $0) }) else { return nil }
    if realised[returned].frame >= reachable { return takeBack(from: returned) }
    // Told to play, and silent: too late to begin.
    if let track = after(returned).current?.track {
      let (at, from) = (realised[returned].at, realised[returned].frame)
      note(MusicChange(kind: .stopped, track: track.key), at: returned + 1, from, heardAt: at)
    }
    return nil
  }

  /// Whether a voice that faded out is by that verb the one that plays again.
  private func returns(_ voice: VoiceID, by place: Int) -> Bool {
    realised[place].before.current?.voice != voice && after(place).current?.voice == voice
  }

  /// The player behind a place among what is carried out.
  private func after(_ place: Int) -> MusicPlayer {
    place + 1 < realised.count ? realised[place + 1].before : player
  }

  /// Notes what happened to a voice's stream.
  mutating func note(_ change: MusicChange, at frame: Int64, heardAt instant: Instant) {
    note(change, at: realised.firstIndex { $0.frame > frame } ?? realised.count, frame, heardAt: instant)
  }

  private mutating func note(_ change: MusicChange, at place: Int, _ frame: Int64, heardAt instant: Instant) {
    let next = place < realised.count ? realised[place].at : instant
    let previous = place > 0 ? realised[place - 1].at : toldUpTo
    let before = place < realised.count ? realised[place].before : player
    realised.insert(
      Realised(at: max(min(instant, next), previous), frame: frame, before: before, changes: [change]), at: place)
  }

  /// The player before a place among what is carried out, as it is at `frame`.
  private func before(_ place: Int, at frame: Int64) -> MusicPlayer {
    var before = place < realised.count ? realised[place].before : player
    before.settle(at: frame)
    return before
  }

  /// Forgets the voices that were done with by `frame`, which is now.
  mutating func forgetDone(at frame: Int64) { player.forgetDone(at: frame) }

  /// Takes the next that is heard by `now`.
  mutating func takeHeard(by now: Instant) -> Realised? {
    guard let first = realised.first, first.at <= now else { return nil }
    toldUpTo = first.at
    return realised.removeFirst()
  }

  /// Thinks all that waits through anew when it is asked for next: for tests.
  mutating func forgetForecast() { forecast.forget() }

  /// Forgets everything.
  mutating func clear() {
    let next = revision &+ 1
    self = MusicPlan(declick: declick)
    revision = next
  }
}
