// SPDX-License-Identifier: Apache-2.0

/// A stretch of a recording found again, frame for frame, in what was captured.
struct Stretch: Equatable {
  var recorded: Range<Int>
  /// Where the captured one begins.
  var captured: Int
}

/// Finds `recording` in `captured` in stretches that are equal to the bit. What lies between them is not the same.
func align(_ recording: Sound, _ range: Range<Int>, in captured: Sound) -> [Stretch] {
  let recorded = recording.frames
  let heard = captured.frames
  var stretches: [Stretch] = []
  var next = range.lowerBound
  var from = 0
  while next + patternLength <= range.upperBound {
    // Silence is found everywhere: begin with sound.
    if recorded[next] == 0 || recorded[next + patternLength - 1] == 0 {
      next += 1
      continue
    }
    guard let place = find(recorded[next..<(next + patternLength)], in: heard, from: from) else {
      next += patternLength
      continue
    }
    var start = next
    var begin = place
    // What precedes may be equal too, down to the end of the last stretch.
    let floor = stretches.last?.recorded.upperBound ?? range.lowerBound
    while start > floor, begin > from, recorded[start - 1] == heard[begin - 1] {
      start -= 1
      begin -= 1
    }
    var length = next - start
    while start + length < range.upperBound, begin + length < heard.count,
      recorded[start + length] == heard[begin + length]
    {
      length += 1
    }
    stretches.append(Stretch(recorded: start..<(start + length), captured: begin))
    next = start + length
    from = begin + length
  }
  return stretches
}

/// So many frames of noise are found in one place only.
private let patternLength = 32

private func find(_ pattern: ArraySlice<UInt64>, in heard: [UInt64], from: Int) -> Int? {
  guard let first = pattern.first else { return nil }
  var index = from
  while index + pattern.count <= heard.count {
    if heard[index] == first && heard[index..<(index + pattern.count)] == pattern { return index }
    index += 1
  }
  return nil
}

/// The stretches of nothing but silence, at least `least` frames long, within a range.
func silences(in sound: Sound, _ range: Range<Int>, least: Int) -> [Range<Int>] {
  var found: [Range<Int>] = []
  var start: Int?
  for index in range {
    if sound.frames[index] == 0 {
      if start == nil { start = index }
    } else if let begin = start {
      if index - begin >= least { found.append(begin..<index) }
      start = nil
    }
  }
  if let begin = start, range.upperBound - begin >= least { found.append(begin..<range.upperBound) }
  return found
}

extension [Stretch] {
  /// Where a recorded frame was captured.
  func captured(_ frame: Int) -> Int? {
    first { $0.recorded.contains(frame) }.map { $0.captured + frame - $0.recorded.lowerBound }
  }

  /// What of `range` is in no stretch and in none of `gaps`.
  func missing(in range: Range<Int>, outside gaps: [Range<Int>]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for frame in range
    where !gaps.contains(where: { $0.contains(frame) }) && !contains(where: { $0.recorded.contains(frame) }) {
      if let last = found.last, last.upperBound == frame {
        found[found.count - 1] = last.lowerBound..<(frame + 1)
      } else {
        found.append(frame..<(frame + 1))
      }
    }
    return found
  }
}
