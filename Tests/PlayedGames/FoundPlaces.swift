// SPDX-License-Identifier: Apache-2.0

/// Finds where in a recording something is whose frame is not known to the last one: where it is most like what is heard. Noise is
/// like itself at one frame alone, whatever else is heard there.
struct FoundPlaces {
  /// Where something lies, as frames later than told, and how many of its first were not heard: on a busy machine what is asked
  /// for at once may be mixed too late, begins a little later then, or joins in at its place.
  struct Place {
    var later = 0
    var missing = 0
  }

  private let heard: [Float]
  private let pace: Pace
  /// As much as tells noise from other noise.
  private static let window = 240

  /// In what was `heard` at this pace.
  init(_ heard: [Float], _ pace: Pace) { (self.heard, self.pace) = (heard, pace) }

  /// Where it lies that was told for `frame`. Where that is, is believed before what is farther away and not much more like it,
  /// as its like that comes just behind.
  func find(_ marker: [Float], near frame: Int, fadeIn: Int) -> Place {
    guard pace.isLive else { return Place() }
    // A sound whole, for a part of it may be lost; a track where it is loud.
    let last = min(marker.count, pace.lateFrames + fadeIn / 2 + 6_000)
    let tail = max(0, last - 6_000)..<last
    let near = best(marker, tail, frame, -pace.unsureFrames...pace.unsureFrames)
    let far = best(marker, tail, frame, pace.unsureFrames...pace.unsureFrames + pace.lateFrames)
    // It is not there, as where it waits for a switch.
    guard max(near.likeness, far.likeness) > 0.25 else { return Place() }
    guard near.likeness >= far.likeness / 2 else { return Place(later: far.shift) }
    guard fadeIn == 0 else { return Place(later: near.shift) }
    // What joined in late comes up in 5 ms.
    let start = frame + near.shift
    let isThere = { (from: Int) in
      self.likeness(marker, from..<min(from + Self.window, marker.count), start) > 0.9
    }
    let missing = stride(from: 0, through: pace.lateFrames, by: 60).first(where: isThere) ?? 0
    return Place(later: near.shift, missing: missing == 0 ? 0 : missing + Self.window)
  }

  /// The best of some shifts, by how much of these frames of it is heard there.
  private func best(
    _ marker: [Float], _ frames: Range<Int>, _ frame: Int, _ shifts: ClosedRange<Int>
  ) -> (shift: Int, likeness: Float) {
    var best = (shift: 0, likeness: -Float.infinity)
    for shift in shifts {
      let likeness = likeness(marker, frames, frame + shift)
      if likeness > best.likeness { best = (shift, likeness) }
    }
    return best
  }

  /// How much of these frames is heard where it begins at `start`: 1 for all, about 0 for other noise.
  private func likeness(_ marker: [Float], _ frames: Range<Int>, _ start: Int) -> Float {
    heard.withUnsafeBufferPointer { heard in
      marker.withUnsafeBufferPointer { marker in
        var (index, end) = (max(frames.lowerBound, -start), min(frames.upperBound, heard.count - start))
        if index > end { end = index }
        var (same, all): (Float, Float) = (0, 0)
        while index < end {
          same += marker[index] * heard[start + index]
          all += marker[index] * marker[index]
          index += 1
        }
        return all > 0 ? same / all : 0
      }
    }
  }
}
