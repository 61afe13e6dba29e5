// SPDX-License-Identifier: Apache-2.0

/// A beat of the music at its instant.
public struct Beat: Equatable, Sendable {
  public let atUs: Int64
  public let bpm: Double

  /// A beat that is heard at `atUs`, in music of this pace; a pace that is none counts as one beat a minute.
  public init(atUs: Int64, bpm: Double) {
    self.atUs = atUs
    self.bpm = bpm >= 1 && bpm.isFinite ? bpm : 1
  }

  /// From this beat to the next.
  var lengthUs: Int64 { max(Units.microseconds(Units.secondsPerMinute / bpm), 1) }
}

/// Which beat was the last at any instant: as told while the music is heard, by the track's pace while it is switched off.
public struct BeatClock: Equatable, Sendable {
  /// The last beat that was heard.
  private var past: Beat?
  /// Told ahead, by their instants.
  private var coming: [Beat] = []
  /// Where the track was asked for that plays now, and its pace.
  private var track: Beat?
  /// Whether beats go on by the track's pace, because none are told.
  private var isAlone = false
  private let mostAhead: Int

  /// A clock that was told nothing.
  public init(rules: BreathingRules) { mostAhead = rules.mostBeatsAhead }

  /// A beat is, or will be, heard at its instant. While the music is off none can be.
  public mutating func tell(_ beat: Beat) {
    guard !isAlone, !coming.contains(where: { $0.atUs == beat.atUs }) else { return }
    coming.insert(beat, at: coming.firstIndex { $0.atUs > beat.atUs } ?? coming.endIndex)
    while coming.count > mostAhead { past = coming.removeFirst() }
  }

  /// A beat that was told ahead will not be heard.
  public mutating func recall(atUs us: Int64) { coming.removeAll { $0.atUs == us } }

  /// Another track is asked for: while the music is off its beats count from here.
  mutating func trackBegins(bpm: Double, atUs us: Int64) {
    track = Beat(atUs: us, bpm: bpm)
    if isAlone { past = track }
  }

  /// The music's switch: off, beats go on from the last one by its pace; on again, they are told.
  mutating func musicSwitched(isOn: Bool, atUs us: Int64) {
    if isOn {
      past = beat(atUs: us)
      isAlone = false
    } else {
      settle(atUs: us)
      coming = []
      isAlone = true
      // A beat of the track before says nothing of this one's pace.
      if let track, (past?.atUs ?? .min) < track.atUs { past = track }
    }
  }

  /// Takes into the past what has been heard by `us`, so that nothing piles up.
  mutating func settle(atUs us: Int64) {
    while let first = coming.first, first.atUs <= us {
      past = first
      coming.removeFirst()
    }
  }

  /// The last beat at or before `us`; nil before the first.
  public func beat(atUs us: Int64) -> Beat? {
    guard let last = coming.last(where: { $0.atUs <= us }) ?? past, last.atUs <= us else { return nil }
    guard isAlone else { return last }
    let beats = (us - last.atUs) / last.lengthUs
    return Beat(atUs: last.atUs + beats * last.lengthUs, bpm: last.bpm)
  }
}
