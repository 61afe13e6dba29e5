// SPDX-License-Identifier: Apache-2.0

/// Tells each beat twice, in order of instants: one spawn lead ahead, and when it is heard.
///
/// Apart from the session, because announcements are handed out ahead of time to be sent on time, while judging must
/// never run ahead.
public struct BeatAnnouncer: Sendable {
  /// Something to tell.
  public enum Announcement: Equatable, Sendable {
    /// The beat comes into sight.
    case spawn(BeatMoment)
    /// The beat is heard.
    case beat(BeatMoment)
  }

  /// Those that are told, with their places in the map.
  private let beats: [(index: Int, beat: Beat)]
  private let spawnLead: Int64
  private var nextSpawn = 0
  private var nextBeat = 0

  /// Announces the beats that take part in `course`.
  public init(_ course: Course) {
    beats = course.beats.enumerated().filter { course.takesPart[$0.offset] }.map { ($0.offset, $0.element) }
    spawnLead = course.rules.spawnLead
  }

  /// Tells what comes at `moment` or later again, where it was told: it will come at another instant.
  public mutating func rewind(to moment: Int64) {
    nextSpawn = min(nextSpawn, beats.firstIndex { $0.beat.at - spawnLead >= moment } ?? beats.count)
    nextBeat = min(nextBeat, beats.firstIndex { $0.beat.at >= moment } ?? beats.count)
  }

  /// The moment of the next announcement, in microseconds; nil when all beats were told.
  public var nextDeadline: Int64? { next?.at }

  /// Everything to be told up to and including the moment `position`, in microseconds; nothing of beats that were
  /// heard before `oldest`: after a stall a burst of them would say nothing that is of use.
  public mutating func announce(upTo position: Int64, oldest: Int64 = .min) -> [Announcement] {
    var announcements: [Announcement] = []
    while let moment = next, moment.at <= position {
      let index = moment.isSpawn ? nextSpawn : nextBeat
      if moment.isSpawn { nextSpawn += 1 } else { nextBeat += 1 }
      let (place, beat) = beats[index]
      if beat.at < oldest { continue }
      let told = BeatMoment(index: place, beat: beat, at: moment.at)
      announcements.append(moment.isSpawn ? .spawn(told) : .beat(told))
    }
    return announcements
  }

  /// Spawns go before beats of the same instant.
  private var next: (at: Int64, isSpawn: Bool)? {
    let beat = nextBeat < beats.count ? beats[nextBeat].beat.at : nil
    guard nextSpawn < beats.count else { return beat.map { ($0, false) } }
    let spawn = beats[nextSpawn].beat.at - spawnLead
    if let beat, beat < spawn { return (beat, false) }
    return (spawn, true)
  }
}

/// A beat's spawn or the beat itself.
public struct BeatMoment: Equatable, Sendable {
  /// Index of the beat in its map.
  public var index: Int
  /// The beat: when it is heard, and its lane.
  public var beat: Beat
  /// The instant at which this is to be told: before the song's zero where a lead is longer than a beat is late.
  public var at: Int64
}
