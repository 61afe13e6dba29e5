// SPDX-License-Identifier: Apache-2.0

/// The clock of PipeWire's graph: how many frames it handles at a time.
struct PipeWireSettings: Equatable {
  /// Frames a second.
  var rate = 48_000
  /// Frames a cycle while nobody asks for fewer.
  var quantum = 1_024
  /// The fewest that are given to who asks.
  var minimum = 32
  /// Where not 0, the frames of every cycle, whoever asks for what.
  var forced = 0
}

extension PipeWireSettings {
  /// Reads what `pw-metadata -n settings` prints; nil when that names no quantum.
  init?(metadata text: String) {
    var found: [Substring: Int] = [:]
    for line in text.split(separator: "\n") {
      // update: id:0 key:'clock.quantum' value:'1024' type:''
      let parts = line.split(separator: "'", omittingEmptySubsequences: false)
      guard parts.count >= 4, parts[0].hasSuffix("key:"), parts[2].hasSuffix("value:"), let value = Int(parts[3])
      else { continue }
      found[parts[1]] = value
    }
    guard let quantum = found["clock.quantum"], quantum > 0 else { return nil }
    self.quantum = quantum
    if let rate = found["clock.rate"], rate > 0 { self.rate = rate }
    if let forcedRate = found["clock.force-rate"], forcedRate > 0 { rate = forcedRate }
    minimum = found["clock.min-quantum"] ?? minimum
    forced = found["clock.force-quantum"] ?? 0
  }

  /// So many frames as people are told them: "1024 frames (21.3 ms)".
  func told(_ frames: Int) -> String { "\(frames) frames (\(fixed(Double(frames) / Double(rate) * 1e3, 1)) ms)" }
}
