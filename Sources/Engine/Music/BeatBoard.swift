// SPDX-License-Identifier: Apache-2.0

import Timing

/// Which beats and markers of the music were told ahead: each is told once, and comes or is recalled.
struct BeatBoard {
  /// One that was told ahead.
  struct Told: Equatable {
    /// By which it is recalled from those who are to send it.
    var number: Int
    var moment: MusicMoment
    /// As it was told.
    var at: Instant
    /// Whether it was handed to those who send it at its instant.
    var isHandedOut = false
  }

  /// What clients have to be told of.
  enum News: Equatable {
    case ahead(Told)
    case recalled(Told)
  }

  /// Whether anybody listens. Nobody does: then nothing more is told ahead, and what was told is let come.
  var isWanted = false { didSet { if isWanted != oldValue { look = isWanted ? .distantPast : nil } } }
  /// When to look for more, whatever happens until then; nil where only what happens can bring any.
  private(set) var look: Instant?
  /// By instant. Beats that were heard are kept for `memory`: a new look at the music finds them again and must not tell them
  /// twice.
  private(set) var told: [Told] = []
  /// Up to which instant all that was heard is known.
  private var known = Instant.distantPast
  private var revision: UInt64 = 0
  private var lastNumber = 0

  /// How far the instant of a frame may be measured from the one that was told for it.
  static let tolerance = Interval.milliseconds(1)
  /// By how much the instants of one beat can differ because they were rounded, to a microsecond as told and to a frame as heard:
  /// a frame is 22.7 µs at 44.1 kHz.
  fileprivate static let rounding = Interval.microseconds(25)
  /// What was heard longer ago is not told any more.
  static let oldest = Interval.milliseconds(100)
  /// For how long what came is kept.
  private static let memory = Interval.milliseconds(200)

  /// Whether to look: it is time, the music is another, or it is heard at other instants than it was.
  func mustLook(at now: Instant, revision: UInt64, _ timeline: AudioTimeline) -> Bool {
    guard isWanted || !told.isEmpty else { return false }
    if revision != self.revision || look.map({ $0 <= now }) ?? false { return true }
    return told.contains { $0.at > now && !$0.isMeasured(timeline) }
  }

  /// From which instant on to look.
  func start(at now: Instant) -> Instant { max(known, now - Self.oldest) - Self.tolerance - Self.tolerance }

  /// Takes in what will be heard up to `sight`, in order of instants, as far as it goes by now; answers what is to be told of it, what is recalled
  /// first. `next` is when to look again.
  mutating func follow(
    _ moments: [(moment: MusicMoment, at: Instant)], now: Instant, sight: Instant, revision: UInt64, next: Instant?
  ) -> [News] {
    var isKnown = [Bool](repeating: false, count: moments.count)
    var kept: [Told] = []
    var recalled: [Told] = []
    for var one in told {
      // Two tracks may begin within a frame: each beat is the nearest of those that it can be.
      let place = Self.near(one.at, in: moments)
        .filter { !isKnown[$0] && one.isSame(as: moments[$0].moment, at: moments[$0].at) }
        .min { one.distance(to: moments[$0].moment) < one.distance(to: moments[$1].moment) }
      if let place {
        one.moment = moments[place].moment
        isKnown[place] = true
      }
      if place != nil || one.at <= now {
        if one.at + Self.memory > now { kept.append(one) }
      } else {
        recalled.append(one)
      }
    }
    var ahead: [Told] = []
    for (place, fresh) in moments.enumerated() where isWanted && !isKnown[place] {
      guard fresh.at > known, fresh.at > now - Self.oldest, fresh.at <= sight else { continue }
      lastNumber += 1
      ahead.append(Told(number: lastNumber, moment: fresh.moment, at: fresh.at))
    }
    told = kept
    for one in ahead { told.insert(one, at: told.lastIndex { $0.at <= one.at }.map { $0 + 1 } ?? 0) }
    (known, self.revision, look) = (max(known, now), revision, isWanted ? next : nil)
    return recalled.map(News.recalled) + ahead.map(News.ahead)
  }

  /// The places of what is heard so near an instant that it may be what was told for that.
  private static func near(_ instant: Instant, in moments: [(moment: MusicMoment, at: Instant)]) -> Range<Int> {
    let first = moments.partitioned { $0.at < instant - tolerance }
    let end = moments[first...].firstIndex { $0.at > instant + tolerance } ?? moments.count
    return first..<end
  }

  /// Time passes, and all that is heard by now was foreseen: what plays is not asked for the past any more, which it forgets.
  mutating func pass(to now: Instant) { if isWanted { known = max(known, now) } }

  /// Takes the next that has to be handed out for an instant up to `limit`.
  mutating func handOut(upTo limit: Instant) -> Told? {
    guard let place = told.firstIndex(where: { !$0.isHandedOut }), told[place].at <= limit else { return nil }
    told[place].isHandedOut = true
    return told[place]
  }

  /// The instant of the next that is to be handed out.
  var nextHandOut: Instant? { told.first { !$0.isHandedOut }?.at }

  /// Forgets what was told and has come by `now`.
  mutating func forgetPassed(by now: Instant) {
    if !told.isEmpty, !isWanted { told.removeAll { $0.isHandedOut && $0.at <= now } }
  }
}

extension BeatBoard.Told {
  /// Whether it is still heard when it was told.
  fileprivate func isMeasured(_ timeline: AudioTimeline) -> Bool {
    isWithin(BeatBoard.tolerance, of: timeline.instant(ofFrame: moment.frame))
  }

  /// Whether it is that moment: heard at the same instant, or at the same frame, whose instant is measured anew.
  fileprivate func isSame(as other: MusicMoment, at instant: Instant) -> Bool {
    guard moment.track == other.track, moment.kind == other.kind else { return false }
    let isSameFrame = abs(moment.frame - other.frame) <= 1
    return isWithin(isSameFrame ? BeatBoard.tolerance : BeatBoard.rounding, of: instant)
  }

  /// How many frames it is from a moment.
  fileprivate func distance(to other: MusicMoment) -> Int64 { abs(moment.frame - other.frame) }

  private func isWithin(_ distance: Interval, of instant: Instant) -> Bool {
    abs((instant - at).nanoseconds) <= distance.nanoseconds
  }
}
