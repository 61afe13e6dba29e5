// SPDX-License-Identifier: Apache-2.0

/// What a card of 16 bits and another rate gave back. alsa-lib draws a straight line from each frame to the next and takes its
/// points from there: each captured frame lies between two neighbours of the recording, at the same place of both channels,
/// and from one to the next the place moves on by the ratio of the rates.
struct ResampledSound {
  /// The first captured frame whose place was looked for.
  private let start: Int
  /// Between which frames of the recording each is, from `start` on.
  private(set) var places: [Double] = []
  /// How many of them are on no line where they should be.
  private(set) var strays = 0

  /// The frames of a range, the first of them within 20 ms of the recorded frame `guess`.
  init(_ captured: Sound, _ range: Range<Int>, of recording: Sound, guess: Int, step: Double) {
    start = range.lowerBound
    func place(_ index: Int, after frame: Int) -> Place? {
      guard frame >= 0, frame + 1 < recording.frames.count else { return nil }
      return Place(captured.frames[index], from: recording.frames[frame], to: recording.frames[frame + 1], frame)
    }
    // Beside a peak a frame is as far down its one side as down its other: of both places it has the one due.
    func next(_ index: Int, after last: Place) -> Place? {
      let due = last.frame + step
      let found = (Int(due) - 1...Int(due) + 1).compactMap { place(index, after: $0) }
      return found.filter { $0.follows(last, by: step) }.min { abs($0.frame - due) < abs($1.frame - due) }
    }
    /// Where it begins, if what follows is on the line too.
    func beginning(_ index: Int, at frame: Int) -> Place? {
      guard let first = place(index, after: frame) else { return nil }
      var last = first
      for index in index + 1..<index + 16 {
        guard let found = next(index, after: last) else { return nil }
        last = found
      }
      return first
    }
    var last = (guess - 960..<guess + 960).lazy.compactMap { beginning(range.lowerBound, at: $0) }.first
    guard var place = last else {
      strays = range.count
      return
    }
    for index in range {
      if index > range.lowerBound { last = next(index, after: place) }
      if last == nil { strays += 1 }
      place = last ?? Place(frame: place.frame + step, slack: place.slack)
      places.append(place.frame)
    }
  }

  /// Where a recorded frame was captured.
  func captured(_ frame: Int) -> Int? { places.firstIndex { $0 >= Double(frame) }.map { start + $0 } }

  /// Where between two frames of the recording a captured one is.
  private struct Place {
    let frame: Double
    /// What rounding to 16 bits leaves open.
    let slack: Double

    init(frame: Double, slack: Double) {
      self.frame = frame
      self.slack = slack
    }

    /// Nil where it is on no line from `a`, which is number `frame`, to `b`.
    init?(_ heard: UInt64, from a: UInt64, to b: UInt64, _ frame: Int) {
      let channels = [UInt64(32), 0].map { shift in
        [heard, a, b].map { Double(Int32(bitPattern: UInt32(truncatingIfNeeded: $0 >> shift)) >> 16) }
      }
      guard let wide = channels.max(by: { abs($0[2] - $0[1]) < abs($1[2] - $1[1]) }), wide[1] != wide[2] else {
        return nil
      }
      let length = wide[2] - wide[1]
      let share = (wide[0] - wide[1]) / length
      slack = 2 / abs(length)
      guard share >= -slack, share <= 1 + slack else { return nil }
      guard channels.allSatisfy({ abs($0[0] - ($0[1] + ($0[2] - $0[1]) * share)) <= 2 }) else { return nil }
      self.frame = Double(frame) + share
    }

    /// Whole periods are made of whole periods: what is left over of the ratio is in each step.
    func follows(_ last: Place, by step: Double) -> Bool { abs(frame - last.frame - step) <= 0.02 + slack + last.slack }
  }
}
