// SPDX-License-Identifier: Apache-2.0

import Problems

/// The frames of a file in the order they are played, before resampling: to its end, or round its loop for ever.
///
/// Index 0 is the file's first frame; behind the loop's end the index goes on while the file goes round. Frames from
/// a chosen index on are kept in memory, so that reading can go back there without decoding again.
struct EndlessSource: ~Copyable {
  /// The index of the frame that is read next.
  private(set) var position: Int64 = 0
  private var decoder: Decoder
  private let loop: Range<Int64>?
  /// Frames read once, from index `keptStart` on.
  private var kept: [Float] = []
  private var keptStart: Int64 = 0
  private var keepFrom: Int64 = .max

  init(decoder: consuming Decoder, loop: Range<Int64>?) {
    self.decoder = decoder
    self.loop = loop
  }

  private var keptEnd: Int64 { keptStart + Int64(kept.count / 2) }

  /// Reads up to `count` stereo frames; returns how many, fewer at a seam or the end, 0 at the end only.
  mutating func read(into output: UnsafeMutablePointer<Float>, frames count: Int) throws(Problem) -> Int {
    let got: Int
    if position < keptEnd, position >= keptStart {
      got = min(count, Int(keptEnd - position))
      let offset = 2 * Int(position - keptStart)
      kept.withUnsafeBufferPointer { kept in
        guard let base = kept.baseAddress else { return }
        output.update(from: base + offset, count: 2 * got)
      }
    } else {
      dropKept(before: keepFrom)
      got = try decode(into: output, frames: count)
      keep(output, frames: got)
    }
    position += Int64(got)
    return got
  }

  /// Makes `index` (0 or above) the next to be read, and keeps nothing.
  mutating func seek(to index: Int64) throws(Problem) {
    var frame = index
    if let loop, index >= loop.upperBound {
      frame = loop.lowerBound + (index - loop.upperBound) % Int64(loop.count)
    }
    try decoder.seek(to: frame)
    position = index
    kept = []
    keptStart = index
    keepFrom = .max
  }

  /// From now on keeps what is read from `index` on.
  mutating func keep(from index: Int64) { keepFrom = index }

  /// Goes back to `index`, which must have been kept and read.
  mutating func rewind(to index: Int64) {
    precondition(index >= keptStart && index <= keptEnd, "only what was kept can be read again")
    dropKept(before: index)
    position = index
  }

  private mutating func decode(
    into output: UnsafeMutablePointer<Float>, frames count: Int
  ) throws(Problem) -> Int {
    var count = count
    if let loop {
      if decoder.position >= loop.upperBound { try decoder.seek(to: loop.lowerBound) }
      count = Int(min(Int64(count), loop.upperBound - decoder.position))
    }
    return try decoder.read(into: output, frames: count)
  }

  private mutating func keep(_ frames: UnsafePointer<Float>, frames count: Int) {
    let skipped = Int(min(Int64(count), max(0, keepFrom - position)))
    guard skipped < count else { return }
    if kept.isEmpty { keptStart = position + Int64(skipped) }
    kept.append(contentsOf: UnsafeBufferPointer(start: frames + 2 * skipped, count: 2 * (count - skipped)))
  }

  private mutating func dropKept(before index: Int64) {
    let count = Int(max(0, min(index, keptEnd) - keptStart))
    kept.removeFirst(2 * count)
    keptStart += Int64(count)
  }
}
