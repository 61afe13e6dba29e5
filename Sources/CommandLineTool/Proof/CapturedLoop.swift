// SPDX-License-Identifier: Apache-2.0

import AudioInput
import ClosedLoop
import Timing

/// What was captured, as instants.
struct CapturedLoop {
  /// A chirp that was found.
  struct Onset: Equatable {
    var us: Int64
    var frame: Int
    var likeness: Double
  }

  private let sound: CapturedSound
  private let channel: Int
  private let clock: CaptureClock
  private var searches: [Int: OnsetSearch] = [:]

  /// How long before it was told, and behind that, a chirp is looked for: a wireless headset's way and more.
  static let early = Interval.milliseconds(60)
  static let late = Interval.milliseconds(500)

  init(_ sound: CapturedSound, channel: Int) {
    self.sound = sound
    self.channel = channel
    var clock = CaptureClock(rate: sound.rate, biasFloor: sound.biasFloor)
    for reading in sound.readings {
      if let frame = reading.lossBefore { clock.lost(before: frame) }
      clock.read(frame: reading.frame, at: reading.instant)
    }
    self.clock = clock
  }

  var losses: Int { clock.losses }

  /// The bound of the clock's error by the end.
  var errorUs: Int64 {
    sound.readings.last.flatMap { clock.errorBound(at: $0.frame - Int64(sound.rate)) }.map(\.microseconds) ?? 0
  }

  /// Where chirp `code`, told to be heard at `toldUs`, was captured; at most `early` before that and `late` behind it.
  mutating func onset(
    ofCode code: Int, toldUs: Int64, early: Interval = CapturedLoop.early, late: Interval = CapturedLoop.late
  ) -> Onset? {
    let told = Instant(microseconds: toldUs)
    guard let low = clock.frame(at: told - early), let high = clock.frame(at: told + late) else { return nil }
    let search = searches[code] ?? OnsetSearch(CodedChirp(code: code, rate: sound.rate))
    searches[code] = search
    guard let found = search.find(in: sound.channels[channel], among: clamped(low)..<clamped(high)),
      let instant = clock.instant(of: Int64(found.frame))
    else { return nil }
    return Onset(us: instant.microseconds, frame: found.frame, likeness: found.likeness)
  }

  /// What is less like its chirp is something else: it is much less so than the others of the run.
  static func leastLikeness(_ onsets: [Onset]) -> Double {
    let sorted = onsets.map(\.likeness).sorted()
    return sorted.isEmpty ? 0 : 0.7 * sorted[sorted.count / 2]
  }

  /// A touch is looked for from so long before its sound, in microseconds, to so long after: no other sound's is as near.
  static let touchNear = -60_000...200_000

  /// When something first moved on `channel` near a sound's onset; nil where nothing did.
  func touch(near onset: Onset, channel: Int) -> Int64? {
    func frame(_ microseconds: Int) -> Int { max(0, onset.frame + microseconds * sound.rate / 1_000_000) }
    let rest = frame(Self.touchNear.lowerBound - 100_000)..<frame(Self.touchNear.lowerBound)
    let frames = rest.upperBound..<frame(Self.touchNear.upperBound)
    return TouchSearch().find(in: sound.channels[channel], among: frames, atRest: rest)
      .flatMap { clock.instant(of: Int64($0)) }?.microseconds
  }

  private func clamped(_ frame: Int64) -> Int { Int(max(0, min(frame, Int64(sound.channels[channel].count)))) }
}
