// SPDX-License-Identifier: Apache-2.0

import Timing
import Wire

/// The beats and markers of the music, as clients are told: when they come into sight, when they are heard, and when they
/// will not be after all.
extension Engine {
  /// How far ahead beats are told: 250 ms are promised, and control may be late.
  static let beatSight = Interval.milliseconds(300)

  /// How long what comes into sight may wait to be told with others: less than the sight goes beyond what is promised.
  static let beatPatience = Interval.milliseconds(25)

  /// Whether anybody listens to beats; nothing is looked for while nobody does.
  public var tellsBeats: Bool {
    get { beats.isWanted }
    set { beats.isWanted = newValue }
  }

  /// Tells what came into sight and what will not be after all, and hands out what is due. To be called after whatever may have
  /// changed the music.
  public mutating func followBeats() {
    lookForBeats()
    handOutBeats()
  }

  /// Tells what came into sight since the last time, and recalls what was told and will not be: before what of the music is
  /// heard is forgotten.
  mutating func lookForBeats() {
    guard beats.mustLook(at: turn.now, revision: music.revision, turn.timeline) else { return beats.pass(to: turn.now) }
    let sight = turn.now + Self.beatSight
    // So much farther that the next one beyond says when to look again.
    let end = sight + Self.beatSight
    let rate = configuration.rate
    let moments = music.moments(
      from: turn.timeline.frame(at: beats.start(at: turn.now)), to: turn.timeline.frame(at: end), turn.timeline
    ) { Self.landmarks(of: $0, rate: rate) }.map {
      (moment: $0, at: turn.timeline.instant(ofFrame: $0.frame).roundedUpToMicrosecond)
    }
    let next =
      moments.first { $0.at > sight }.map { max($0.at - Self.beatSight, turn.now + Self.beatPatience) }
      ?? nextLook(behind: end)
    let news = beats.follow(moments, now: turn.now, sight: sight, revision: music.revision, next: next)
    for told in news { tell(told) }
  }

  /// Hands out what is to be sent at an instant within the lead by which that is done.
  mutating func handOutBeats() {
    while let told = beats.handOut(upTo: turn.now + configuration.announceLead) {
      if told.at + BeatBoard.oldest < turn.now { continue }
      let (track, useless) = (told.moment.track.description, told.at + BeatBoard.oldest)
      switch told.moment.kind {
      case .beat(let beat):
        let heard = MusicBeat(
          track: track, beat: beat.beat, bar: beat.bar, beatInBar: beat.beatInBar, count: beat.count, bpm: beat.bpm)
        notify(heard, at: told.at, sendAt: told.at, uselessAfter: useless, group: told.group)
      case .marker(let name):
        notify(
          MusicMarker(track: track, marker: name), at: told.at, sendAt: told.at, uselessAfter: useless,
          group: told.group)
      }
    }
    beats.forgetPassed(by: turn.now)
  }

  /// When beats are to be looked for or handed out next.
  var beatsDeadline: Instant? {
    earliest(beats.look, beats.nextHandOut.map { $0 - configuration.announceLead })
  }

  /// When to look again where nothing is heard between the sight and `end`: silence brings beats only by a verb.
  private func nextLook(behind end: Instant) -> Instant? {
    let isStill = music.realised.isEmpty && music.player.foremost(at: turn.timeline.frame(at: end)) == nil
    if !isStill { return end - Self.beatSight }
    return music.waiting.first.map { max($0.at, end) - Self.beatSight }
  }

  private mutating func tell(_ news: BeatBoard.News) {
    switch news {
    case .ahead(let told):
      let (track, at) = (told.moment.track.description, told.at.microseconds)
      switch told.moment.kind {
      case .beat(let beat):
        let ahead = MusicBeatAhead(
          track: track, beat: beat.beat, bar: beat.bar, beatInBar: beat.beatInBar, count: beat.count, bpm: beat.bpm,
          beatUs: at)
        notify(ahead, at: present)
      case .marker(let name): notify(MusicMarkerAhead(track: track, marker: name, markerUs: at), at: present)
      }
    case .recalled(let told):
      let (track, at) = (told.moment.track.description, told.at.microseconds)
      switch told.moment.kind {
      case .beat(let beat):
        notify(
          MusicBeatRecalled(track: track, beat: beat.beat, count: beat.count, beatUs: at), at: present,
          recalls: told.group)
      case .marker(let name):
        notify(MusicMarkerRecalled(track: track, marker: name, markerUs: at), at: present, recalls: told.group)
      }
    }
  }

  /// Where in its bars the music is now; nothing where no track with a tempo is there. The next beat is looked for as far as
  /// the next 32 verbs.
  func musicalPosition(of player: MusicPlayer) -> MusicStatus.Position? {
    let frame = turn.timeline.frame(at: turn.now)
    let foremost = player.foremost(at: frame)?.part
    guard let part = foremost ?? player.current, let grid = landmarks(of: part.track).grid,
      let place = foremost == nil ? player.position(at: frame) : part.position(at: frame)
    else { return nil }
    let exact = (Double(place) - grid.first) / grid.step
    // What is heard at its nearest frame has begun there.
    let next = grid.beat(from: place)
    let number = grid.position(of: next) == place ? next : Int(exact.rounded(.down))
    let heard = foremost == nil ? min(player.standsFrom ?? .max, frame) : frame
    let beat = MusicMoment.Beat(
      number, count: part.count(of: number, passes: part.passes(by: heard), grid), grid, rate: part.rate)
    return MusicStatus.Position(
      track: part.track.description, beat: beat.beat, bar: beat.bar, beatInBar: beat.beatInBar, count: beat.count,
      phase: min(max(0, exact - Double(number)), 1.0.nextDown), bpm: beat.bpm,
      nextBeatUs: nextBeat(behind: frame)?.microseconds)
  }

  /// The first beat that is heard behind an output frame.
  private func nextBeat(behind frame: Int64) -> Instant? {
    func isBeat(_ moment: MusicMoment) -> Bool { if case .beat = moment.kind { true } else { false } }
    // The slowest beat there can be is a minute, and as much again until the first.
    var span = configuration.rate
    while span <= 128 * configuration.rate {
      let moments = music.moments(
        from: frame + 1, to: frame + Int64(span), turn.timeline, mostVerbs: 32,
        isEnough: { $0.contains(where: isBeat) }, landmarks(of:))
      if let beat = moments.first(where: isBeat) {
        return turn.timeline.instant(ofFrame: beat.frame).roundedUpToMicrosecond
      }
      span *= 4
    }
    return nil
  }
}

extension BeatBoard.Told {
  /// By which it is recalled while it waits for its instant.
  fileprivate var group: String { "beat \(number)" }
}
