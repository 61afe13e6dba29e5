// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Something that begins in a track.
struct HeardOnset: Equatable {
  /// Microseconds.
  var at: Int64
  /// How much louder it is than what was there before, linear.
  var strength: Double
}

/// The beats of music whose tempo is steady, found by what begins in it. aubiotrack alone takes fast tempi for half of them,
/// and leaves beats out until it has settled.
enum SteadyBeats {
  /// The tempi that are thought of, in beats a minute.
  private static let tempi = 55.0...230.0
  /// People tap along nearest to this, and rarely at its half or double.
  private static let usualTempo = 125.0
  /// How long a part of the track the tempo is taken from, in microseconds.
  private static let part: Int64 = 30_000_000
  /// How far from a beat an onset may be that is of it.
  private static func reach(_ period: Double) -> Double { min(30_000, period / 8) }

  /// The beats in microseconds, ascending, from the first that is heard to the last; nil where no tempo is steady. `proposed` are
  /// the tempo that another program hears: its half and its double are as likely.
  static func find(_ onsets: [HeardOnset], proposed: Double? = nil) -> [Int64]? {
    let heard = Array(busiest(onsets))
    guard heard.count >= 8 else { return nil }
    let loud = heard.map(\.strength).sorted()[heard.count * 9 / 10]
    var best: (score: Double, period: Double, phase: Double) = (0, 0, 0)
    var tempo = tempi.lowerBound
    while loud > 0, tempo <= tempi.upperBound {
      let period = 60e6 / tempo
      let phase = phase(of: heard, period)
      let isProposed =
        proposed.map { other in
          [0.5, 1, 2].contains { (octave: Double) -> Bool in abs(tempo / other / octave - 1) < 0.04 }
        } ?? false
      let score =
        score(heard, period, phase, loud, least: isProposed ? 0.05 : 0.25) * likelihood(tempo) * (isProposed ? 2 : 1)
      if score > best.score { best = (score, period, phase) }
      // Over the whole part beats of neighbouring tempi are 15 ms apart.
      tempo *= 1 + 15_000 / Double(part)
    }
    guard best.score > 0 else { return nil }
    return follow(onsets, period: best.period, from: best.phase, near: heard[heard.count / 2].at)
  }

  /// The onsets of the part that has most of them.
  private static func busiest(_ onsets: [HeardOnset]) -> ArraySlice<HeardOnset> {
    var (best, end) = (onsets[..<0], 0)
    for first in onsets.indices {
      while end < onsets.count, onsets[end].at - onsets[first].at <= part { end += 1 }
      if end - first > best.count { best = onsets[first..<end] }
    }
    return best
  }

  private static func likelihood(_ tempo: Double) -> Double {
    let distance = log(tempo / usualTempo) / 0.45
    return exp(-distance * distance / 2)
  }

  /// Where in each period onsets gather.
  private static func phase(of onsets: [HeardOnset], _ period: Double) -> Double {
    var (x, y) = (0.0, 0.0)
    for onset in onsets {
      let angle = 2 * Double.pi * Double(onset.at) / period
      x += onset.strength * cos(angle)
      y += onset.strength * sin(angle)
    }
    return atan2(y, x) / (2 * .pi) * period
  }

  /// How well beats fit: how much of what is heard is on them, times how loud it is on each.
  private static func score(
    _ onsets: [HeardOnset], _ period: Double, _ phase: Double, _ loud: Double, least: Double
  ) -> Double {
    var (on, all, beats, filled) = (0.0, 0.0, 0.0, 0)
    var (last, strongest) = (-Double.infinity, 0.0)
    var first: Double?
    for onset in onsets {
      all += onset.strength
      let number = ((Double(onset.at) - phase) / period).rounded()
      guard abs(Double(onset.at) - phase - number * period) <= reach(period) else { continue }
      on += onset.strength
      if first == nil { first = number }
      if number > last {
        beats += min(strongest, loud)
        (last, strongest) = (number, 0)
        filled += 1
      }
      strongest = max(strongest, onset.strength)
    }
    beats += min(strongest, loud)
    guard let first, last > first else { return 0 }
    let count = last - first + 1
    // So much is near a beat by chance.
    let chance = 2 * reach(period) / period
    let (fit, coverage) = ((on / all - chance) / (1 - chance), Double(filled) / count)
    guard fit > least, coverage > 0.5 else { return 0 }
    return fit * coverage * beats / count / loud
  }

  /// The beats of all the track, led by what is heard near each.
  private static func follow(
    _ onsets: [HeardOnset], period: Double, from phase: Double, near middle: Int64
  ) -> [Int64] {
    let start = phase + ((Double(middle) - phase) / period).rounded() * period
    let ahead = walk(onsets, from: start, by: period)
    let back = walk(onsets.reversed().map { HeardOnset(at: -$0.at, strength: $0.strength) }, from: -start, by: period)
    return back.dropFirst().reversed().map { -$0 } + ahead
  }

  /// Beats from one on, up to the last that is heard. Onsets ascend.
  private static func walk(_ onsets: [HeardOnset], from start: Double, by usual: Double) -> [Int64] {
    var (beat, period, next) = (start, usual, 0)
    var beats: [Int64] = []
    var heard = 0
    while let end = onsets.last?.at, beat <= Double(end) + reach(period) {
      while next < onsets.count, Double(onsets[next].at) < beat - reach(period) { next += 1 }
      let near = onsets[next...].prefix { Double($0.at) <= beat + reach(period) }
      if let onset = near.max(by: { $0.strength < $1.strength }) {
        beats.append(onset.at)
        heard = beats.count
        let off = Double(onset.at) - beat
        beat += off * 0.3
        period = min(max(period + off * 0.05, usual * 0.97), usual * 1.03)
      } else {
        beats.append(Int64(beat.rounded()))
      }
      beat += period
    }
    return Array(beats.prefix(max(1, heard)))
  }

  /// Twice as many: one half way between each two, or what begins near there.
  static func doubled(_ beats: [Int64], _ onsets: [HeardOnset]) -> [Int64] {
    let between = zip(beats, beats.dropFirst()).map { $0 + ($1 - $0) / 2 }
    return (beats + DetectedBeats.snapped(between, to: onsets.map(\.at))).sorted()
  }

  /// Every other: those at which more begins.
  static func halved(_ beats: [Int64], _ onsets: [HeardOnset]) -> [Int64] {
    let near = BeatDistances(beats.map { .init(at: $0) }, onsets: onsets.map(\.at)).all
    let strengths = Dictionary(onsets.map { ($0.at, $0.strength) }) { max($0, $1) }
    func strength(_ parity: Int) -> Double {
      near.indices.filter { $0 % 2 == parity }.reduce(0) { sum, index in
        sum + (near[index].onsetUs.flatMap { abs($0) <= 30_000 ? strengths[beats[index] + $0] : nil } ?? 0)
      }
    }
    let parity = strength(1) > strength(0) ? 1 : 0
    return beats.indices.filter { $0 % 2 == parity }.map { beats[$0] }
  }
}
