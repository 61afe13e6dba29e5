// SPDX-License-Identifier: Apache-2.0

import Rhythm

/// What of imported beats can be tapped: in order, inside the music, and none too close to the one before it.
public struct PlayableBeats: Equatable, Sendable {
  /// Ascending, at least `BeatMap.defaultMinimumSpacing` apart, `BeatMap.maximumBeats` at most.
  public private(set) var beats: [Beat] = []
  /// How many lie before the beginning.
  public private(set) var before = 0
  /// How many lie behind the end.
  public private(set) var behind = 0
  /// How many come with another, or too soon after it: of several at once the first lane stays.
  public private(set) var tooClose = 0

  /// The beats moved by `shift` and held against a length, both in microseconds; nil is as long as may be.
  public init(_ beats: [Beat], shift: Int64 = 0, length: Int64? = nil) {
    let ordered = beats.sorted { ($0.at, $0.lane ?? 0) < ($1.at, $1.lane ?? 0) }
    let end = length ?? BeatMap.maximumLength
    for beat in ordered {
      let at = beat.at &+ shift
      if at < 0 {
        before += 1
      } else if at > end || self.beats.count == BeatMap.maximumBeats {
        behind += 1
      } else if let last = self.beats.last, at - last.at < BeatMap.defaultMinimumSpacing {
        tooClose += 1
      } else {
        self.beats.append(Beat(at: at, lane: beat.lane))
      }
    }
  }

  /// What was left out and why, for people; nil where nothing was.
  public var leftOut: String? {
    let parts = [
      tooClose > 0 ? "\(tooClose) within 20 ms of another" : nil, before > 0 ? "\(before) before the beginning" : nil,
      behind > 0 ? "\(behind) behind the end" : nil,
    ].compactMap(\.self)
    if parts.isEmpty { return nil }
    let total = tooClose + before + behind
    return "\(total) of \(total + beats.count) beats left out: " + parts.joined(separator: ", ")
  }
}
