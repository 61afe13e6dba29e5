// SPDX-License-Identifier: Apache-2.0

import GamePacks
import JSON
import Mixing
import Problems
import Suggestions
import Timing
import Wire

/// Waiting for the music: one word for its next beat, its next bar, or a marker of the track whose beats are told.
extension Engine {
  /// The first of what `word` names at or after `instant`, as it is heard: of the tracks whose beats are told from then on,
  /// also behind the seam of a loop.
  mutating func quantised(_ instant: Instant, to word: Quantise) throws(RPCError) -> Instant {
    let (player, frame) = predictedMusic(at: instant)
    var unnamed: RPCError?
    var last: AssetKey?
    for piece in player.leading(from: frame) {
      do throws(RPCError) {
        let next = piece.part.next(from: piece.from, try landmark(word, of: piece.part.track))
        if let next, next.frame < piece.until {
          let heard = turn.timeline.instant(ofFrame: turn.timeline.frame(at: instant) + next.frame - frame)
          return max(heard, instant).roundedUpToMicrosecond
        }
        last = piece.part.track
      } catch {
        // Another that leads later may have it.
        if unnamed == nil { unnamed = error }
      }
    }
    if let current = player.current, !player.pauses.isEmpty {
      _ = try landmark(word, of: current.track)
      throw paused(current.track, player.pauses)
    }
    if let unnamed { throw unnamed }
    guard let last else {
      throw RPCError(
        .unavailable, "there is nothing to wait for: no track is playing",
        hint: "play one first, or leave \(field: "quantise") out")
    }
    throw RPCError(
      .unavailable, "there is no \(word.rawValue) to wait for: \(last) does not come to one any more",
      hint: "leave \(field: "quantise") out")
  }

  /// Why there is nothing to wait for while a track is paused, and what lets it go on.
  private func paused(_ track: AssetKey, _ reasons: Set<PauseReason>) -> RPCError {
    let goesOn: Wording =
      switch PauseReason.allCases.first(where: reasons.contains) {
      case .switch: "switch music on with \(method: "settings.set")"
      case .engine: "let all go on with \(method: "engine.resume")"
      case .chapter: "let its chapter go on with \(method: "rhythm.resume")"
      case .client, nil: "let it go on with \(method: "music.resume")"
      }
    return RPCError(
      .unavailable, "there is nothing to wait for: \(track) is paused",
      hint: "\(goesOn), or leave \(field: "quantise") out")
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
