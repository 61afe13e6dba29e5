// SPDX-License-Identifier: Apache-2.0

import Outcomes
import Timing
import Wire

/// What all that was asked for comes to.
package struct MusicFold {
  package var courses: [MusicCourse] = []
  package var current: Int?
  package var leaving: [Int] = []
  package var pauses: Set<MusicStatus.PausedBy> = []
  package var isOff = false
  package var told: [MusicModel.Told] = []
  package var cancelled: [(verb: MusicModel.Verb, reason: CancelReason)] = []
  /// Whether rounding decides how long a fade is, or the mixer which voice it takes away: more than a model can say.
  package var isUncertain = false
  /// What held the music from a frame on, and by when what played then stood.
  package var states = [State(frame: .min / 2, isHeld: false, isOff: false, down: .min / 2, offDown: .min / 2)]
  /// Where something begins, ends or turns.
  package var marks: [Int64] = []

  package struct State {
    package var frame: Int64
    package var isHeld: Bool
    package var isOff: Bool
    package var down: Int64
    /// That of what would have stood by the switch alone.
    package var offDown: Int64
  }

  package static let declick = MusicModel.Length(frames: 240, isEqualPower: false)

  package var standsFrom: Int64? { current.flatMap { courses[$0].standsFrom } }

  package func position(at frame: Int64) -> Int64? { current.map { courses[$0].position(at: frame) } }

  package func fading(at frame: Int64) -> [String] {
    leaving.filter { courses[$0].sounds(at: frame) }.map { courses[$0].track.key }
  }

  /// A track that comes to its end by itself is over.
  package mutating func pass(to frame: Int64, _ timeline: AudioTimeline) {
    guard let place = current else { return }
    let end = courses[place].naturalEnd
    guard end <= frame else { return }
    courses[place].overAge = courses[place].age(at: end)
    marks.append(end)
    told.append(.init(at: timeline.instant(ofFrame: end), change: .ended, track: courses[place].track.key))
    current = nil
    pauses.remove(.client)
    states.append(State(frame: end, isHeld: !pauses.isEmpty, isOff: isOff, down: end, offDown: end))
  }

  /// How many of the `late` frames up to `frame` something moves that was to begin when they did: not while it is held, and
  /// what is held only then moves until it has come down.
  package func moved(
    _ late: Int64, by frame: Int64, from down: (State) -> Int64, _ holds: (State) -> Bool
  ) -> Int64 {
    let first = frame - late
    var moved: Int64 = 0
    var heldFrom: State?
    for (place, state) in states.enumerated() {
      let end = min(frame, place + 1 < states.count ? states[place + 1].frame : frame)
      heldFrom = holds(state) ? heldFrom ?? state : nil
      let begin = max(first, state.frame)
      guard let held = heldFrom else {
        moved += max(0, end - begin)
        continue
      }
      if held.frame > first { moved += max(0, min(end, down(held)) - begin) }
    }
    return moved
  }

  /// Where a track comes in that was to be played or sought so many frames ago: what a client had paused a track that is played
  /// lets go of, so that only the switch may have held it.
  package func entrance(
    _ track: MusicModel.Track, _ position: Int64, _ loops: Bool, late: Int64, at frame: Int64
  ) -> Int64 {
    track.place(position + moved(late, by: frame, from: \.offDown) { $0.isOff && track.stands }, loops)
  }

  package func sought(_ place: Int, _ position: Int64, late: Int64, at frame: Int64) -> Int64 {
    let course = courses[place]
    let moved = moved(late, by: frame, from: \.down) { $0.isHeld }
    return course.track.place(min(position, course.track.frames) + moved, course.loops)
  }

  package mutating func apply(_ verb: MusicModel.Verb, at frame: Int64) {
    marks.append(frame)
    defer {
      var offDown = frame
      if case .pause(.switch, let length) = verb.action { offDown += length.frames }
      states.append(
        State(frame: frame, isHeld: !pauses.isEmpty, isOff: isOff, down: standsFrom ?? frame, offDown: offDown))
    }
    let at = verb.at
    switch verb.action {
    case .play(
      let track, let position, let late, let loops, let gain, let continues, let length, let out, let fadesInAlone):
      play(
        track, entrance(track, position, loops, late: late, at: frame), loops, gain, continues, length, out,
        fadesInAlone, verb, frame)
    case .seek(let position, let late, let length):
      guard let place = current else { return cancelled.append((verb, .notPlaying)) }
      let old = courses[place]
      let length = unhurried(length, frame, waits: false)
      let heard = turnedDown(place, length, frame)
      _ = begin(
        old.track, sought(place, position, late: late, at: frame), old.loops, old.asked, length,
        length, false, frame, waits: false)
      // Where the music is held nothing begins: the track stands at another place.
      told.append(
        .init(
          at: at, change: pauses.isEmpty ? .crossfaded : .paused, track: old.track.key,
          from: pauses.isEmpty ? old.track.key : nil, fade: heard.frames,
          position: self.position(at: frame)))
    case .stop(let length):
      pauses = pauses.filter { $0 != .client && $0 != .switch }
      let length = unhurried(length, frame, waits: false)
      if let place = current {
        // What is told is for how long anything is heard yet, be it of where the track was sought away from.
        let heard = ([place] + leaving.filter { isHeard($0, frame) }).map { turnedDown($0, length, frame).frames }
        told.append(.init(at: at, change: .stopped, track: courses[place].track.key, fade: heard.max()))
        leave(length, frame, waits: false, goesWithPause: true)
      } else {
        // What fades out already is not over later for it, and told where it is sooner.
        var last: Int?
        for place in leaving where courses[place].sounds(at: frame) || courses[place].stands(at: frame) {
          let stands = courses[place].standsFrom != nil
          let over = min(courses[place].over, courses[place].naturalEnd)
          if !stands, over <= frame + length.frames { continue }
          end(place, turnedDown(place, length, frame), frame)
          if !stands { last = place }
        }
        if let last {
          told.append(.init(at: at, change: .stopped, track: courses[last].track.key, fade: length.frames))
        }
      }
    case .pause(let reason, let length):
      if current == nil, reason == .client { return cancelled.append((verb, .notPlaying)) }
      if reason == .switch {
        isOff = true
        let last = current ?? leaving.last { courses[$0].sounds(at: frame) }
        guard let last, courses[last].track.stands else { return }
      }
      let played = pauses.isEmpty
      pauses.insert(reason)
      guard played else { return }
      var goesOn = true
      if let place = current {
        stand(place, length, frame)
        told.append(.init(at: at, change: .paused, track: courses[place].track.key, fade: length.frames))
        // One that comes to its end before it stands takes the client's pause along.
        goesOn = reason != .client || courses[place].naturalEnd == .max
      }
      for place in leaving where courses[place].sounds(at: frame) {
        if goesOn { stand(place, length, frame) } else { end(place, length, frame) }
      }
    case .resume(let reason, let length):
      if current == nil, reason == .client { return cancelled.append((verb, .notPlaying)) }
      if reason == .switch { isOff = false }
      guard pauses.remove(reason) != nil, pauses.isEmpty else { return }
      goOn(length, frame)
      guard let place = current else { return }
      told.append(.init(at: at, change: .resumed, track: courses[place].track.key, fade: length.frames))
    case .gain(let gain, let length):
      guard let place = current else { return cancelled.append((verb, .notPlaying)) }
      courses[place].asked = gain
      courses[place].turn(to: courses[place].gain, at: frame, length)
    case .stem(let stem):
      guard let place = current, courses[place].track.stems.contains(stem) else {
        return cancelled.append((verb, .notPlaying))
      }
    }
  }

  private mutating func play(
    _ track: MusicModel.Track, _ position: Int64, _ loops: Bool, _ gain: Double, _ continues: Bool,
    _ asked: MusicModel.Length, _ askedOut: MusicModel.Length?, _ fadesInAlone: Bool, _ verb: MusicModel.Verb,
    _ frame: Int64
  ) {
    if isOff, track.stands {
      if pauses.isEmpty {
        for place in leaving + [current].compactMap(\.self) where courses[place].sounds(at: frame) {
          stand(place, Self.declick, frame)
        }
      }
      pauses.insert(.switch)
    } else {
      pauses.remove(.switch)
    }
    pauses.remove(.client)
    let waits = !pauses.isEmpty
    if continues, let place = current, courses[place].track.key == track.key {
      let isNew = courses[place].asked != gain
      courses[place].asked = gain
      let isHeard = !waits && (isNew || standsFrom != nil)
      if !waits { goOn(asked, frame) }
      if isNew { courses[place].turn(to: courses[place].gain, at: frame, asked) }
      told.append(
        .init(
          at: verb.at, change: pauses.isEmpty ? .started : .paused, track: track.key,
          fade: isHeard ? asked.frames : 0, position: self.position(at: frame)))
      return
    }
    let before = current.map { courses[$0].track.key }
    let wasSilent = isSilent(at: frame)
    let isOverTails = leaving.contains {
      courses[$0].sounds(at: frame) && (waits || !courses[$0].stands(at: frame))
    }
    // Where the two fades differ only that of what leaves is slowed down.
    let out = unhurried(askedOut ?? asked, frame, waits: waits)
    let length = askedOut == nil ? out : asked
    let back =
      continues
      ? leaving.last {
        courses[$0].track.key == track.key && courses[$0].sounds(at: frame) && !courses[$0].isCut
      } : nil
    let isHeardOut = leaving.contains { $0 != back && isHeard($0, frame) }
    var rise = length.frames
    if let back {
      leaving.removeAll { $0 == back }
      leave(out, frame, waits: waits)
      courses[back].overAge = .max
      courses[back].asked = gain
      courses[back].turn(to: courses[back].gain, at: frame, length)
      current = back
      if !waits { goOn(back, Self.declick, frame) }
    } else {
      rise = begin(track, position, loops, gain, length, out, fadesInAlone, frame, waits: waits)
    }
    // Where the music goes on being held the cross-fade waits; what a client alone had paused is let go of.
    let from = wasSilent && !waits ? nil : before
    if let before, from == nil {
      told.append(.init(at: verb.at, change: .stopped, track: before, fade: isHeardOut ? out.frames : nil))
    }
    told.append(
      .init(
        at: verb.at, change: waits ? .paused : from == nil ? .started : .crossfaded, track: track.key, from: from,
        fade: rise, fadeOut: from == nil && !isOverTails || out.frames == rise ? nil : out.frames,
        position: self.position(at: frame)))
  }

  /// A track begins; the frames that it takes to come up.
  private mutating func begin(
    _ track: MusicModel.Track, _ position: Int64, _ loops: Bool, _ gain: Double, _ length: MusicModel.Length,
    _ out: MusicModel.Length, _ fadesInAlone: Bool, _ frame: Int64, waits: Bool
  ) -> Int64 {
    let isHeld = !pauses.isEmpty
    let beside = leaving.filter { courses[$0].sounds(at: frame) } + [current].compactMap(\.self)
    let isAlone = beside.allSatisfy { !waits && (isHeld || courses[$0].stands(at: frame)) }
    leave(out, frame, waits: waits, goesWithPause: isHeld)
    // Eight sound at once: for a ninth the quietest makes room, of equals the one that began first. One that makes room is no
    // longer counted, and nothing else becomes of it.
    let sounding = leaving.filter { courses[$0].sounds(at: frame) && !courses[$0].isCut }.sorted()
    if sounding.count >= 8,
      let quietest = sounding.min(by: { courses[$0].level(at: frame) < courses[$1].level(at: frame) })
    {
      end(quietest, Self.declick, frame)
      courses[quietest].isCut = true
    }
    let level = track.gain * gain
    // Where no other sounds a track begins as it was made, unless a fade is asked for.
    let asMade = position == 0 || isHeld ? MusicModel.Length.none : Self.declick
    let rise = isAlone && !fadesInAlone ? asMade : length
    courses.append(
      MusicCourse(
        track: track, loops: loops, asked: gain, runs: [.init(start: frame, end: .max, position: position)],
        levels: [.init(start: 0, from: rise.frames == 0 ? level : 0, to: level, length: rise)]))
    current = courses.count - 1
    if isHeld { stand(courses.count - 1, .none, frame) }
    return rise.frames
  }

  /// Whether one of those that leave is heard at a frame.
  private func isHeard(_ place: Int, _ frame: Int64) -> Bool {
    courses[place].sounds(at: frame) && !courses[place].stands(at: frame) && courses[place].heard(at: frame) > 0
  }

  private func isSilent(at frame: Int64) -> Bool { standsFrom.map { $0 <= frame } ?? false }

  /// What a pause turns down is heard no longer for what ends it: what the pause had left of its fade, where that is less.
  private func turnedDown(_ place: Int, _ length: MusicModel.Length, _ frame: Int64) -> MusicModel.Length {
    guard let stands = courses[place].standsFrom, stands < frame + length.frames else { return length }
    return .init(frames: max(0, stands - frame), isEqualPower: false)
  }

  /// All fade out: at once from what is heard of them, or each from where it stands when it goes on. Where nothing goes on
  /// being heard, what a pause was turning down `goesWithPause`.
  private mutating func leave(
    _ length: MusicModel.Length, _ frame: Int64, waits: Bool, goesWithPause: Bool = false
  ) {
    if let place = current { leaving.append(place) }
    current = nil
    for place in leaving where courses[place].sounds(at: frame) || courses[place].stands(at: frame) {
      if waits {
        let age = courses[place].age(at: frame)
        guard age < courses[place].overAge, !courses[place].isCut else { continue }
        courses[place].overAge = age + (courses[place].level(at: frame) == 0 ? 0 : length.frames)
        courses[place].turn(to: 0, at: frame, length)
        if courses[place].over < .max { marks.append(courses[place].over) }
      } else {
        end(place, goesWithPause ? turnedDown(place, length, frame) : length, frame)
      }
    }
  }

  /// It fades out from what is heard of it and moves meanwhile, also where it was about to stand.
  private mutating func end(_ place: Int, _ length: MusicModel.Length, _ frame: Int64) {
    let heard = courses[place].heard(at: frame)
    let age = courses[place].age(at: frame)
    guard age < courses[place].overAge, !courses[place].isCut else { return }
    courses[place].turn(to: 0, at: frame, length, from: heard)
    courses[place].gates.append(.init(start: frame, from: 1, to: 1, length: .none))
    courses[place].overAge = age + (heard == 0 ? 0 : length.frames)
    let last = courses[place].runs.count - 1
    if courses[place].runs[last].end > frame { courses[place].runs[last].end = .max }
    marks.append(frame + length.frames)
  }

  private mutating func stand(_ place: Int, _ length: MusicModel.Length, _ frame: Int64) {
    guard courses[place].standsFrom == nil, !courses[place].isCut else { return }
    let gate = courses[place].gate(at: frame)
    courses[place].gates.append(.init(start: frame, from: gate, to: 0, length: gate == 0 ? .none : length))
    let stands = frame + (gate == 0 ? 0 : length.frames)
    marks.append(stands)
    // What comes to its end before it stands does not stand.
    let last = courses[place].runs.count - 1
    if courses[place].naturalEnd >= stands { courses[place].runs[last].end = stands }
  }

  /// All that stands, or is about to, goes on.
  private mutating func goOn(_ length: MusicModel.Length, _ frame: Int64) {
    for place in leaving + [current].compactMap(\.self) { goOn(place, length, frame) }
  }

  private mutating func goOn(_ place: Int, _ length: MusicModel.Length, _ frame: Int64) {
    guard courses[place].standsFrom != nil else { return }
    courses[place].gates.append(
      .init(start: frame, from: courses[place].gate(at: frame), to: 1, length: length))
    let last = courses[place].runs.count - 1
    if frame < courses[place].runs[last].end {
      courses[place].runs[last].end = .max
    } else {
      let position =
        courses[place].runs[last].position + courses[place].runs[last].end - courses[place].runs[last].start
      courses[place].runs.append(.init(start: frame, end: .max, position: position))
    }
    if courses[place].over < .max { marks.append(courses[place].over) }
  }

  /// Tracks that are alike add up by their gains: where their sum would fall more than 1.2 times as steeply as that of one
  /// track, the fade is as much longer.
  private mutating func unhurried(
    _ length: MusicModel.Length, _ frame: Int64, waits: Bool
  ) -> MusicModel.Length {
    let sounding = leaving.filter { courses[$0].sounds(at: frame) } + [current].compactMap(\.self)
    func inFlight(_ place: Int) -> Double {
      waits ? courses[place].level(at: frame) : courses[place].heard(at: frame)
    }
    let loudest = sounding.map { max(courses[$0].gain, inFlight($0)) }.max() ?? 0
    let sum = sounding.reduce(0) { $0 + inFlight($1) }
    guard loudest > 0, sum / (loudest * 1.2) > 1 else { return length }
    let frames = Double(length.frames) * sum / (loudest * 1.2)
    if abs(frames - frames.rounded()) < 0.05 { isUncertain = true }
    return .init(frames: Int64(frames), isEqualPower: length.isEqualPower)
  }
}
