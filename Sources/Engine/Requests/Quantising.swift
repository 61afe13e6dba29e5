// SPDX-License-Identifier: Apache-2.0

import GamePacks
import JSON
import Suggestions
import Timing
import Wire

/// Waiting for the music: one word for its next beat, its next bar, or a marker of the track that plays.
extension Engine {
  /// The first of what `word` names at or after `instant`, as it is heard: positions of the track that plays then, also
  /// behind the seam of a loop.
  mutating func quantised(_ instant: Instant, to word: Quantise) throws(RPCError) -> Instant {
    let (player, frame) = predictedMusic(at: instant)
    guard let part = player.current, player.pauses.isEmpty else {
      throw RPCError(
        .unavailable, "there is nothing to wait for: no track is playing",
        hint: "play one first, or leave \(field: "quantise") out")
    }
    let landmark = try landmark(word, of: part.track)
    guard let next = part.next(from: frame, landmark) else {
      throw RPCError(
        .unavailable, "there is no \(word.rawValue) to wait for: \(part.track) does not come to one any more",
        hint: "leave \(field: "quantise") out")
    }
    let heard = turn.timeline.instant(ofFrame: turn.timeline.frame(at: instant) + next.frame - frame)
    return max(heard, instant).roundedUpToMicrosecond
  }

  /// Where in a track what a word names is: the first frame at or behind another.
  private func landmark(_ word: Quantise, of track: AssetKey) throws(RPCError) -> (Int64) -> Int64? {
    let landmarks = landmarks(of: track)
    if word == .beat || word == .bar {
      guard let grid = landmarks.grid else {
        throw RPCError(
          .unavailable, "there is no beat to wait for: \(track) has no tempo",
          hint: "play a track with a tempo first, or leave \(field: "quantise") out")
      }
      return { grid.position(of: word == .bar ? grid.bar(from: $0) : grid.beat(from: $0)) }
    }
    guard let marker = landmarks.markers.first(where: { $0.name == word.rawValue }) else {
      let known = ["beat", "bar"] + landmarks.markers.map(\.name)
      let name = excerpt(word.rawValue)
      throw RPCError(
        .unknownName, "no marker \(name) in track \(track)\(didYouMean(word.rawValue, among: known))",
        hint:
          "\(field: "quantise") is beat, bar, or a marker of the track that plays; \(method: "pack.list") names them",
        candidates: nearest(to: word.rawValue, among: known))
    }
    return { $0 <= marker.frame ? marker.frame : nil }
  }

  /// The beats and markers of a track, as its pack has them.
  func landmarks(of track: AssetKey) -> TrackLandmarks {
    guard let entry = catalog.pack(named: track.pack)?.manifest.tracks[track.name] else { return TrackLandmarks() }
    let rate = Double(configuration.rate)
    let grid = entry.bpm.map { bpm in
      MusicGrid(
        first: entry.firstBeat.seconds * rate, step: 60 / bpm * rate, beatsPerBar: entry.beatsPerBar, bpm: bpm)
    }
    let markers = entry.markers.map { (name: $0.key, frame: $0.value.frames(rate: configuration.rate)) }
    return TrackLandmarks(grid: grid, markers: markers.sorted { ($0.frame, $0.name) < ($1.frame, $1.name) })
  }
}
