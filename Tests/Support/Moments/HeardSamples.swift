// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What ought to be heard from a moment's first frame on, and where it cannot be told: in the 5 ms after a cut.
package struct HeardSamples {
  package private(set) var samples: [Float]
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
  }

  /// Nothing of what was added so far is heard there.
  package mutating func silence(_ frames: Range<Int>) {
    for index in frames.clamped(to: samples.indices) { samples[index] = 0 }
  }

  /// All that was added so far stands meanwhile, and goes on in place.
  package mutating func stand(from: Int, to: Int) {
    guard from < to, from <= samples.count else { return }
    samples.insert(contentsOf: [Float](repeating: 0, count: to - from), at: from)
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
    let end = until.map { $0 + fadeOut } ?? Int.max
    if let until, fadeOut == 0 { cuts.append(until..<until + 240) }
    for place in max(0, start + late)..<max(0, start + late, min(samples.count, end)) {
      let index = place - start
      guard loops || index < marker.count else { break }
      var gain = 1.0
      if index - late < fadeIn { gain = sin(.pi / 2 * Double(index - late) / Double(fadeIn)) }
      if let until, place >= until, fadeOut > 0 { gain *= cos(.pi / 2 * Double(place - until) / Double(fadeOut)) }
      samples[place] += marker[index % marker.count] * Float(gain)
      guard let stemsUntil, place < stemsUntil + stemsOut else { continue }
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
          let isHeard = index < heard.count && abs(heard[index] - samples[index]) <= 3e-4
          return !isHeard && !cuts.contains { $0.contains(index) }
        }
      }
    }
  }
}

package func frame(_ seconds: Double) -> Int { Int((seconds * 48_000).rounded()) }
