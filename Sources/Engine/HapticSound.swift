import Haptics
import Mixing
import Timing

/// A part of a sound whose brightness is led: what is dull stays, what is bright is turned up and down.
public enum SoundPart: Hashable, Sendable {
  /// All of it, for a sound as bright as it was made.
  case whole
  /// What is left at brightness 0.
  case dull
  /// What brightness adds; with `dull` it is the whole.
  case bright
}

/// One sound of a pattern, planned or playing: where in the pattern it is when, and what its voices have been told.
struct HapticSound {
  /// How its place in the pattern follows from the time, from an instant on.
  struct Course {
    var from: Instant
    var position: Interval
    var rate: Double
    var isPaused = false
    var isMuted: Bool

    func position(at instant: Instant) -> Interval {
      isPaused ? position : position + Interval.nanoseconds(Double((instant - from).nanoseconds) * rate)
    }

    /// When it is at `place`; never while it is paused.
    func instant(of place: Interval) -> Instant {
      isPaused ? .distantFuture : from + Interval.nanoseconds(Double((place - position).nanoseconds) / rate)
    }

    /// The course that a change of the player at `instant` leads to.
    func changed(by command: HapticCommand, at instant: Instant) -> Course {
      var course = self
      (course.from, course.position) = (instant, position(at: instant))
      switch command {
      case .pause: course.isPaused = true
      case .resume: course.isPaused = false
      case .set(_, .rate(let rate), _): course.rate = rate
      case .set(_, .muted(let muted), _): course.isMuted = muted
      default: break
      }
      return course
    }
  }

  /// What the voices are asked to be, each number as the mixer takes it.
  struct Telling: Equatable {
    var gain: Float
    var brightness: Float
    var pan: Float
    var pitch: Float

    init(_ level: HapticAudioLevel, _ course: Course) {
      gain = course.isMuted ? 0 : Float(level.gain)
      brightness = Float(level.brightness)
      pan = Float(level.pan)
      // A player of another rate is another pitch.
      pitch = Float(level.speed * course.rate)
    }

    func gain(of part: SoundPart) -> Float { part == .bright ? gain * brightness : gain }
  }

  /// One thing to be told to the voices, for the time from `at` to `until`.
  struct Moment {
    var at: Instant
    var until: Instant
    /// The frame to tell it at where that is not the frame of `at`.
    var frame: Int64?
    var change: HapticAudioChange
  }

  /// A bend or step is left behind in this; then what moves is told at the spacing.
  static let leaving = Interval.milliseconds(5)
  /// How far apart a sound that moves is told: at most 200 changes a second with what bends there are.
  static let spacing = Interval.milliseconds(10)

  let player: HapticPlayerID
  let event: HapticAudioEvent
  let start: Instant
  /// Those that may still be heard.
  private(set) var voices: [(id: VoiceID, part: SoundPart)]
  private(set) var courses: [Course]
  /// When it was told to end.
  private(set) var endsAt: Instant?
  /// It was called off before it began; the mixer has yet to say so.
  private(set) var isCancelled = false
  /// All before is told.
  private var walked: Instant
  /// What the voices are or will be at `walked`; nil where that is not known.
  private var told: Telling?
  private var isLeaving = true
  /// Frames at which the voices have been told something, as far as those may lie ahead.
  private var toldFrames: [Int64] = []
  private var endFrame: Int64?
  /// Of those the ones that were told before a change was known: what was told there must be told anew.
  private var outdated: [(frame: Int64, at: Instant, isEnd: Bool)] = []

  init(_ start: HapticAudioStart, voices: [(id: VoiceID, part: SoundPart)]) {
    player = start.player
    event = start.event
    self.start = start.at
    self.voices = voices
    let course = Course(from: start.at, position: start.event.time, rate: start.rate, isMuted: start.isMuted)
    courses = [course]
    walked = start.at
    told = Telling(start.event.level(at: start.event.time), course)
  }

  /// What its voices start with.
  var beginning: Telling { Telling(event.level(at: event.time), courses[0]) }

  private var course: Course { courses[courses.count - 1] }
}

extension HapticSound {
  /// The mixer is done with one of its voices; it may have stolen that one and let the other play.
  mutating func lose(_ voice: VoiceID) { voices.removeAll { $0.id == voice } }

  /// Tells all that becomes of it up to `end` if nothing more is said.
  mutating func walk(to end: Instant, _ tell: (Moment) -> Void) {
    while walked < end, endsAt == nil, !isCancelled { step(to: end, tell) }
  }

  private mutating func step(to end: Instant, _ tell: (Moment) -> Void) {
    let at = walked
    let ending = event.length.map { course.instant(of: event.time + $0) } ?? .distantFuture
    if ending <= at {
      tell(Moment(at: at, until: at, change: .stop))
      endsAt = at
      return
    }
    var stale: (frame: Int64, at: Instant, isEnd: Bool)?
    if let first = outdated.first, first.at <= at {
      stale = outdated.removeFirst()
      (told, isLeaving) = (nil, true)
    }
    let nextStale = outdated.first?.at ?? .distantFuture
    if course.isPaused {
      if let stale, stale.isEnd { tell(Moment(at: at, until: at, frame: stale.frame, change: .holdOn)) }
      walked = max(min(end, nextStale), at)
      return
    }
    let position = course.position(at: at)
    let edge = event.nextEdge(after: position).map(course.instant) ?? .distantFuture
    let isMoving = event.isMoving(at: position)
    var next = min(edge, isMoving ? at + Self.spacing : .distantFuture)
    if isLeaving { next = min(next, at + Self.leaving) }
    next = min(max(next, at + Self.leaving), ending, max(nextStale, at + Interval(nanoseconds: 1)))
    var wanted = Telling(event.level(at: position), course)
    if next < .distantFuture {
      // What a stretch ends with is what holds just before the next.
      let target = Telling(event.level(at: course.position(at: next) - Interval(nanoseconds: 1)), course)
      (wanted.gain, wanted.brightness) = (target.gain, target.brightness)
    }
    let until = next < .distantFuture ? next : at + Self.leaving
    if let stale, stale.isEnd { tell(Moment(at: at, until: until, frame: stale.frame, change: .resume)) }
    if wanted != told {
      tell(Moment(at: at, until: until, frame: stale?.frame, change: .become(wanted, from: told)))
      told = wanted
    }
    isLeaving = next == edge
    walked = next < .distantFuture ? next : max(min(end, nextStale), at + Interval(nanoseconds: 1))
  }

  /// Takes a change of its player at `instant`, up to which it has been walked.
  mutating func apply(_ command: HapticCommand, at instant: Instant, _ tell: (Moment) -> Void) {
    if endsAt != nil || isCancelled { return }
    switch command {
    case .stop, .stopAll, .seek:
      tell(Moment(at: instant, until: instant, change: .stop))
      endsAt = instant
      return
    case .pause: tell(Moment(at: instant, until: instant, change: .pause))
    case .resume:
      tell(Moment(at: instant, until: instant, change: .resume))
      told = nil
    case .set(_, .rate, _), .set(_, .muted, _): break
    default: return
    }
    courses.append(course.changed(by: command, at: instant))
    // A stretch that reaches beyond is broken off where it is.
    if walked > instant { told = nil }
    (walked, isLeaving) = (instant, true)
  }

  /// Forgets all that was told of `instant` and later, to be told anew; false when it would not have begun by then.
  mutating func rollBack(to instant: Instant, frame: Int64, _ timeline: AudioTimeline) -> Bool {
    if start >= instant {
      isCancelled = true
      return false
    }
    let first = courses[0]
    courses.removeAll { $0.from >= instant }
    if courses.isEmpty { courses = [first] }
    if let end = endsAt {
      if end < instant { return true }
      endsAt = nil
    }
    let ahead = toldFrames.filter { $0 >= frame }
    outdated = ahead.map { (frame: $0, at: max(timeline.instant(ofFrame: $0), instant), isEnd: $0 == endFrame) }
    toldFrames.removeAll { $0 >= frame }
    (walked, told, isLeaving, endFrame) = (instant, nil, true, nil)
    return true
  }

  /// Notes the frame at which the voices were told something; those before `reached` have come.
  mutating func note(_ frame: Int64, isEnd: Bool, reached: Int64) {
    toldFrames.removeAll { $0 < reached }
    if !toldFrames.contains(frame) { toldFrames.append(frame) }
    if isEnd { endFrame = frame }
  }
}
