// SPDX-License-Identifier: Apache-2.0

extension BeatMap {
  /// A map of beats that follow a tempo: beat n at `offset` + n * `every` * 60 / `bpm` seconds, each rounded to the
  /// nearest microsecond on its own, so that nothing drifts; lanes are taken in turn.
  ///
  /// `bpm` counts to the millionth, `offset` is in microseconds; the grid ends after `count` beats or at `length`.
  public static func grid(
    bpm: Double, offset: Int64, every: Int = 1, count: Int? = nil, lanes: [String] = [], length: Int64,
    minimumSpacing: Int64 = defaultMinimumSpacing
  ) throws(BeatMapError) -> BeatMap {
    guard bpm >= 1, bpm <= 1000 else { throw .tempoOutOfRange(bpm: bpm) }
    guard (0...maximumLength).contains(length) else { throw .lengthOutOfRange(length: length) }
    guard (0...length).contains(offset), (1...1_000).contains(every) else { throw .gridOutOfRange }
    let millionths = Int64((bpm * 1e6).rounded())
    let scaled = Int64(every) * 60_000_000 * 1_000_000
    var beats: [Beat] = []
    while beats.count < count ?? .max {
      // Split in whole and rest, so that the product stays inside 64 bits: the rest is below 10^9.
      let n = Int64(beats.count)
      let whole = n * (scaled / millionths)
      let rest = (n * (scaled % millionths) + millionths / 2) / millionths
      let at = offset + whole + rest
      guard at <= length else { break }
      guard beats.count < maximumBeats else { throw .tooManyBeats(count: maximumBeats + 1) }
      beats.append(Beat(at: at, lane: lanes.isEmpty ? nil : beats.count % lanes.count))
    }
    return try BeatMap(beats: beats, lanes: lanes, length: length, minimumSpacing: minimumSpacing)
  }
}
