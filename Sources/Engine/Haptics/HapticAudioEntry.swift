// SPDX-License-Identifier: Apache-2.0

import Haptics
import Mixing
import Timing

/// One sound of a pattern, planned or playing: where in the pattern it is when, and what its voices have been told.
struct HapticAudioEntry {
  /// What the voices are asked to be, each number as the mixer takes it.
  struct Telling: Equatable {
    var gain: Float
    var brightness: Float
    var pan: Float
    var pitch: Float

    init(_ level: HapticAudioLevel, _ course: HapticAudioCourse) {
      gain = course.isMuted ? 0 : Float(level.gain)
      brightness = Float(level.brightness)
      pan = Float(level.pan)
      // A player of another rate is another pitch.
      pitch = Float(level.speed * course.rate)
    }

    /// Without a dull part there is nothing to mix.
    func gain(of part: SoundPart?) -> Float {
      switch part {
      case .whole: gain * brightness
      case .dull: gain * (1 - brightness)
      case nil: gain
      }
    }
  }

  /// One thing to be told to the voices, for the time from `at` to `until`.
  struct Moment {
    var at: Instant
    var until: Instant
    var change: HapticAudioChange
  }

  /// After a bend or a step a sound is told anew this soon, then at `spacing`. It is told no more often, and a step fades for as
  /// long.
  static let leaving = Interval.milliseconds(5)
  /// How far apart a sound that moves is told: at most 200 changes a second with what bends there are.
  static let spacing = Interval.milliseconds(10)
  /// Longer than a frame at any rate. A resume within this of where a sound is rolled back to may have been taken back with the
  /// rest, as frames are coarser than instants; so it is told again, which changes nothing for a voice that goes on.
  private static let longestFrame = Interval.milliseconds(1)

  let player: HapticPlayerID
  /// Whose share its voices are of, as the mixer has it too.
  private(set) var owner: UInt64
  let event: HapticAudioEvent
  /// Whose file it plays, where it plays one.
  let pack: PackGeneration?
  let start: Instant
  /// What it starts with.
  let beginning: Telling
  /// Those that may still be heard.
  private(set) var voices: [(id: VoiceID, part: SoundPart)]
  /// When the second voice was added to the first; nil where they began together or there is one.
  private var splitAt: Instant?
  private(set) var isSplit: Bool
  /// In order; the first is the one in force at any instant that can still be changed.
  private var courses: [HapticAudioCourse]
  /// When it was told to end.
  private(set) var endsAt: Instant?
  /// When it gives its voices to another's, whatever its player does.
  private var givenUpAt = Instant.distantFuture
  /// It was called off before it began; the mixer has yet to say so.
  private(set) var isCancelled = false
  /// All before is told.
  private var walked: Instant
  /// What the voices are or will be at `walked`; nil where that is not known.
  private var told: Telling?
  private var isLeaving = true
  /// The frame after that at which the last of its voices begins: what is taken back from there on leaves them their starts.
  private(set) var begunFrame = Int64.min
  /// The last frame for which the voices have been told something.
  private var toldFrame = Int64.min

  init(_ start: HapticAudioStart, of owner: UInt64, pack: PackGeneration?, voices: [(id: VoiceID, part: SoundPart)]) {
    player = start.player
    self.owner = owner
    self.pack = pack
    event = start.event
    self.start = start.at
    self.voices = voices
    isSplit = voices.count > 1
    let course = HapticAudioCourse(start)
    courses = [course]
    walked = start.at
    beginning = Telling(course.level(of: event, at: start.at), course)
    told = beginning
  }

  private var course: HapticAudioCourse { courses[courses.count - 1] }

  /// Whether it is on its way out.
  var isLeavingForGood: Bool { endsAt != nil || isCancelled }

  /// Whether it has not ended by an instant.
  func goesOn(at instant: Instant) -> Bool { !isCancelled && endsAt.map { $0 > instant } ?? true }

  /// Where in the pattern it is at `instant`.
  func position(at instant: Instant) -> Interval { course.position(at: instant) }
}

/// Time that passes.
extension HapticAudioEntry {
  /// Tells all that becomes of it up to `end` if nothing more is said. Of what lies before `past` it is told at once where
  /// that has steered it.
  mutating func walk(to end: Instant, past: Instant, _ tell: (Moment) -> Void) {
    if !isLeavingForGood { skip(to: min(past, end)) }
    while walked < end, endsAt == nil, !isCancelled { step(to: end, tell) }
  }

  /// When it ends if nothing more is said.
  private var ending: Instant {
    min(event.length.map { course.instant(of: event.time + $0) } ?? .distantFuture, givenUpAt)
  }

  private mutating func skip(to instant: Instant) {
    guard walked < instant else { return }
    (walked, told, isLeaving) = (min(max(walked, ending), instant), nil, true)
  }

  private mutating func step(to end: Instant, _ tell: (Moment) -> Void) {
    let (at, course, ending) = (walked, course, ending)
    if ending <= at {
      tell(Moment(at: at, until: at, change: .stop))
      endsAt = at
      return
    }
    if course.isPaused {
      walked = end
      return
    }
    let edge = course.nextEdge(of: event, after: at) ?? .distantFuture
    var next = min(edge, course.isMoving(event, at: at) ? at + Self.spacing : .distantFuture)
    if isLeaving { next = min(next, at + Self.leaving) }
    next = min(max(next, at + Self.leaving), ending)
    var wanted = Telling(course.level(of: event, at: at), course)
    if next < .distantFuture {
      // What a stretch ends with is what holds just before the next.
      let target = Telling(course.level(of: event, before: next), course)
      (wanted.gain, wanted.brightness) = (target.gain, target.brightness)
    }
    if wanted != told {
      let until = next < .distantFuture ? next : at + Self.leaving
      tell(Moment(at: at, until: until, change: .become(wanted, from: told)))
      told = wanted
    }
    isLeaving = next == edge
    walked = next < .distantFuture ? next : max(end, at + Interval(nanoseconds: 1))
  }
}

/// Changes of its player.
extension HapticAudioEntry {
  /// Takes a change at `instant`, up to which it has been walked. What is before `settled` is past changing.
  mutating func apply(
    _ command: HapticCommand, at instant: Instant, settled: Instant, _ tell: (Moment) -> Void
  ) {
    if endsAt != nil || isCancelled { return }
    switch command {
    case .stop, .stopAll, .seek:
      tell(Moment(at: instant, until: instant, change: .stop))
      endsAt = instant
      return
    case .fadeOut(_, let length, _):
      tell(Moment(at: instant, until: instant + length, change: .fadeOut))
      endsAt = instant
      return
    case .pause, .resume, .set(_, .rate, _), .set(_, .muted, _), .sendParameters, .scheduleCurve: break
    default: return
    }
    let (before, after) = (course, course.changed(by: command, at: instant, fade: Self.leaving))
    if after.isPaused, !before.isPaused {
      // Voices that were still to go on again never do.
      let sleeps = instant < before.wakes
      tell(Moment(at: instant, until: instant, change: sleeps ? .retract : .pause))
    } else if before.isPaused, !after.isPaused {
      tell(Moment(at: after.wakes, until: after.wakes, change: .resume))
      told = nil
    }
    courses.append(after)
    while courses.count > 1, courses[1].from < settled { courses.removeFirst() }
    // A stretch that reaches beyond is broken off where it is.
    if walked > instant { told = nil }
    (walked, isLeaving) = (instant, true)
  }

  /// Takes back all that was told of `instant`, which is `frame`, and later, to be told anew. Answers the voices that have
  /// not begun by then and never shall. What ended it up to `settled` is past, and is not met again.
  mutating func rollBack(
    to instant: Instant, frame: Int64, settled: Instant, _ tell: (Moment) -> Void
  ) -> [VoiceID] {
    if isCancelled { return [] }
    if start >= instant {
      isCancelled = true
      return voices.map(\.id)
    }
    if let endsAt, endsAt < instant || endsAt <= settled { return [] }
    let first = courses[0]
    courses.removeAll { $0.from >= instant }
    if courses.isEmpty { courses = [first] }
    // With it goes what was told for the same frame and lies before the instant.
    let isTakenBack = toldFrame >= frame
    if isTakenBack {
      tell(Moment(at: instant, until: instant, change: .retract))
      toldFrame = frame - 1
    }
    // The end may have come before this reaches the mixer.
    let goesOn = course.wakes >= (isTakenBack ? instant - Self.longestFrame : instant)
    if endsAt != nil || goesOn, !course.isPaused {
      let at = max(instant, course.wakes)
      tell(Moment(at: at, until: at, change: .bringBack))
    } else if endsAt != nil || isTakenBack, course.isPaused {
      tell(Moment(at: instant, until: instant, change: .pause))
    }
    endsAt = nil
    (walked, told, isLeaving) = (instant, nil, true)
    guard let splitAt, splitAt >= instant, let dull = voices.first(where: { $0.part == .dull }) else { return [] }
    (self.splitAt, isSplit) = (nil, false)
    // The last one goes when the mixer is done with it, and the sound with it.
    if voices.count > 1 { voices.removeAll { $0.id == dull.id } }
    return [dull.id]
  }
}

/// Its voices.
extension HapticAudioEntry {
  /// Notes whose they are from now on.
  mutating func pass(to owner: UInt64) { self.owner = owner }

  /// Notes that it gives them up at an instant, which is to be told.
  mutating func giveUp(at instant: Instant) { givenUpAt = min(givenUpAt, instant) }

  /// Notes the frame at which voices of it begin.
  mutating func begin(at frame: Int64) { begunFrame = frame + 1 }

  /// Adds the voice by which it is made duller, from `instant` on, which is `frame`.
  mutating func split(_ voice: VoiceID, at instant: Instant, frame: Int64) {
    begin(at: frame)
    voices.append((voice, .dull))
    (splitAt, isSplit) = (instant, true)
  }

  /// The mixer is done with one of its voices; it may have stolen that one and let the other play.
  mutating func lose(_ voice: VoiceID) { voices.removeAll { $0.id == voice } }

  /// Notes the frame for which the voices were told something.
  mutating func note(_ frame: Int64) { toldFrame = max(toldFrame, frame) }
}
