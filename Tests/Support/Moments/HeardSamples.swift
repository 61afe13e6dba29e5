// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What ought to be heard from a moment's first frame on, within what bounds where it comes or goes in a ramp, and where it cannot be
/// told.
package struct HeardSamples {
  package private(set) var samples: [Float]
  /// How much less and how much more each may be: what is in a ramp is between nothing and all of itself.
  private var (less, more): ([Float], [Float])
  /// Where tracks were cut: what takes over there, and is added behind them, comes in a ramp, too.
  private var cutsOfTracks: Set<Int> = []
  /// Where all that sounds is in a ramp.
  private var fades: [Range<Int>] = []
  package private(set) var cuts: [Range<Int>] = []
  private let probes: ProbePack
  private let table: MomentTable

  package init(_ table: MomentTable, _ probes: ProbePack, seconds: Double) {
    self.init(table, probes, frames: frame(seconds))
  }

  package init(_ table: MomentTable, _ probes: ProbePack, frames: Int) {
    self.table = table
    self.probes = probes
    samples = [Float](repeating: 0, count: frames)
    (less, more) = (samples, samples)
  }

  /// Nothing of what was added so far is heard there, but in the ramp of so many frames in which it goes; so long it comes again.
  package mutating func silence(_ frames: Range<Int>, ramp: Int) {
    for index in frames.clamped(to: samples.indices) {
      (less[index], more[index]) = (0, 0)
      if index < frames.lowerBound + ramp { loosen(index, by: samples[index]) }
      samples[index] = 0
    }
    self.ramp(frames.upperBound..<frames.upperBound + ramp)
  }

  /// All that was added so far comes or goes there.
  package mutating func ramp(_ frames: Range<Int>) {
    for index in frames.clamped(to: samples.indices) {
      (less[index], more[index]) = (0, 0)
      loosen(index, by: -samples[index])
    }
  }

  /// What is heard there may be as much more, or any part of it.
  private mutating func loosen(_ index: Int, by sample: Float) {
    less[index] += min(sample, 0)
    more[index] += max(sample, 0)
  }

  /// All that is heard comes or goes there, whenever it is added.
  package mutating func fade(_ frames: Range<Int>) { fades.append(frames) }

  /// All that was added so far stands meanwhile, and goes on in place.
  package mutating func stand(from: Int, to: Int) {
    guard from < to, from <= samples.count else { return }
    let nothing = [Float](repeating: 0, count: to - from)
    samples.insert(contentsOf: nothing, at: from)
    less.insert(contentsOf: nothing, at: from)
    more.insert(contentsOf: nothing, at: from)
    cuts = cuts.map { cut in
      if cut.lowerBound >= from { return cut.lowerBound + to - from..<cut.upperBound + to - from }
      return cut.lowerBound..<(cut.upperBound > from ? cut.upperBound + to - from : cut.upperBound)
    }
  }

  /// What is heard there cannot be told.
  package mutating func ignore(_ frames: Range<Int>) { cuts.append(frames) }

  package mutating func add(_ heard: [MomentTable.Heard]) {
    for part in heard {
      if let sound = part.sound { add(sound: sound, at: frame(part.at)) }
      if let track = part.track {
        add(
          track: track, at: frame(part.at), fadeIn: frame(part.fadeIn ?? 0), until: part.until.map(frame),
          fadeOut: frame(part.fadeOut ?? 0))
        if let dulled = part.dulled { dull(dulled) }
      }
    }
  }

  package mutating func add(sound: String, at start: Int) {
    for (index, sample) in probes.marker(sound).enumerated() where samples.indices.contains(start + index) {
      samples[start + index] += sample
    }
  }

  /// Fades are of equal power. One that is over at once is a cut. What joins in late is at its place, and begins to fade in then.
  /// `stems` are at the table's gains where none are given, and fade in a straight line where they fade alone.
  package mutating func add(
    track: String, at start: Int, joiningLateBy late: Int = 0, fadeIn: Int = 0, until: Int? = nil, fadeOut: Int = 0,
    stems: [String: Double]? = nil, stemsUntil: Int? = nil, stemsOut: Int = 0
  ) {
    let facts = table.tracks[track]
    var (marker, parts) = (probes.marker(track), [(samples: [Float], gain: Double)]())
    for (name, stem) in facts?.stems ?? [:] {
      parts.append((probes.marker(stem.file), stems?[name] ?? stem.gain))
    }
    parts.removeAll { $0.gain == 0 }
    if stemsUntil == nil {
      for part in parts { marker = zip(marker, part.samples).map { $0 + $1 * Float(part.gain) } }
      parts = []
    }
    let loops = facts?.loops == true
    // A cut is a ramp of 5 ms.
    let cut = fadeOut == 0 ? until ?? .max : .max
    let end = until.map { $0 + max(fadeOut, 240) } ?? Int.max
    let takesOver = cutsOfTracks.contains(start) ? start + 240 : 0
    if cut < .max { cutsOfTracks.insert(cut) }
    for place in max(0, start + late)..<max(0, start + late, min(samples.count, end)) {
      let index = place - start
      guard loops || index < marker.count else { break }
      var gain = 1.0
      if index - late < fadeIn { gain = sin(.pi / 2 * Double(index - late) / Double(fadeIn)) }
      if let until, place >= until, fadeOut > 0 { gain *= cos(.pi / 2 * Double(place - until) / Double(fadeOut)) }
      if place < cut {
        samples[place] += marker[index % marker.count] * Float(gain)
      } else {
        loosen(place, by: marker[index % marker.count] * Float(gain))
      }
      if place < takesOver { loosen(place, by: -marker[index % marker.count] * Float(gain)) }
      guard place < cut, let stemsUntil, place < stemsUntil + stemsOut else { continue }
      let left = 1 - max(0, Double(place - stemsUntil) / Double(stemsOut))
      for part in parts { samples[place] += part.samples[index % marker.count] * Float(gain * part.gain * left) }
    }
  }

  /// What is between open and dulled cannot be told, nor, for 50 ms, what still rings on.
  private mutating func dull(_ dulled: MomentTable.Dulled) {
    let (from, until) = (frame(dulled.from), frame(dulled.until))
    let over = frame(dulled.over)
    cuts += [from..<from + over + frame(0.05), until..<until + over + frame(0.05)]
    // As the textbooks have it: the bilinear transform of a Butterworth filter.
    let w = 2 * .pi * dulled.hertz / 48_000
    let alpha = sin(w) / sqrt(2)
    let (b, a1, a2) = ((1 - cos(w)) / 2 / (1 + alpha), -2 * cos(w) / (1 + alpha), (1 - alpha) / (1 + alpha))
    var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
    for index in from..<until {
      let x = Double(samples[index])
      let y = b * (x + 2 * x1 + x2) - a1 * y1 - a2 * y2
      (x1, x2, y1, y2) = (x, x1, y, y1)
      samples[index] = Float(y * dulled.gain)
    }
  }

  /// The first frame at which something else was heard.
  package func firstDifference(from heard: ArraySlice<Float>) -> Int? {
    heard.withUnsafeBufferPointer { heard in
      samples.withUnsafeBufferPointer { samples in
        samples.indices.first { index in
          var (low, high) = (samples[index] + less[index], samples[index] + more[index])
          if fades.contains(where: { $0.contains(index) }) { (low, high) = (min(low, 0), max(high, 0)) }
          let isHeard = index < heard.count && heard[index] >= low - 3e-4 && heard[index] <= high + 3e-4
          return !isHeard && !cuts.contains { $0.contains(index) }
        }
      }
    }
  }
}

package func frame(_ seconds: Double) -> Int { Int((seconds * 48_000).rounded()) }
