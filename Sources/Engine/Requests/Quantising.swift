// SPDX-License-Identifier: Apache-2.0

import GamePacks
import JSON
import Mixing
import Outcomes
import Problems
import Suggestions
import Timing
import Wire

/// Waiting for the music: one word for its next beat, its next bar, or a marker of the track whose beats are told.
extension Engine {
  /// When what was asked for `asked` and is possible from `earliest` on waits for: the first of what `word` names from then
  /// on, and how much later that is than the first from `asked` on, as far as what was heard before goes on.
  mutating func quantised(
    _ asked: Instant?, earliest: Instant, to word: Quantise
  ) throws(RPCError) -> (at: Instant, late: Interval) {
    let heard = try landmark(word, from: earliest)
    let at = max(heard, earliest).roundedUpToMicrosecond
    guard let asked, asked < earliest else { return (at, .zero) }
    // Nothing was heard before the clock's zero.
    let first = (try? landmark(word, from: max(asked, .zero))) ?? heard
    // What was measured otherwise by a frame is the same one.
    let isFirst = heard - first <= .frames(2, rate: configuration.rate)
    return (at, isFirst ? .zero : at - max(first, asked).roundedUpToMicrosecond)
  }

  /// When the first of what `word` names at or after `instant` is heard, as the music is planned: of the tracks whose beats
  /// are told from then on, also behind the seam of a loop and behind every verb that waits.
  private mutating func landmark(_ word: Quantise, from instant: Instant) throws(RPCError) -> Instant {
    let timeline = turn.timeline
    var sought = Sought()
    var named: [(track: LoadedKey, landmark: Result<(Int64) -> Int64?, RPCError>)] = []
    let found = music.search(from: instant, timeline) { [configuration] stretch -> Instant? in
      for piece in stretch.foremost {
        let track = piece.part.track
        let known = named.first { $0.track == track }?.landmark
        let landmark = known ?? Self.landmark(word, of: track, rate: configuration.rate)
        if known == nil { named.append((track, landmark)) }
        switch landmark {
        case .success(let landmark):
          if let next = piece.part.next(from: piece.from, rate: configuration.rate, landmark),
            next.frame < piece.until
          {
            let since = stretch.since
            return timeline.instant(ofFrame: timeline.frame(at: since.instant) + next.frame - since.frame)
          }
          sought.last = track
        // A later one may have it.
        case .failure(let error): if sought.unnamed == nil { sought.unnamed = error }
        }
      }
      (sought.held, sought.pauses) = (stretch.player.current?.track, stretch.player.pauses)
      return nil
    }
    if let found { return found }
    throw nothing(for: word, sought)
  }

  /// What a search that found nothing met.
  private struct Sought {
    /// Why the first that has no such landmark has none.
    var unnamed: RPCError?
    /// The last that has, and does not come to it.
    var last: LoadedKey?
    /// What is there in the end, and why it stands.
    var held: LoadedKey?
    var pauses: Set<PauseReason> = []
  }

  /// Why there is nothing to wait for.
  private func nothing(for word: Quantise, _ sought: Sought) -> RPCError {
    if let held = sought.held, !sought.pauses.isEmpty {
      switch Self.landmark(word, of: held, rate: configuration.rate) {
      case .success: return paused(held, sought.pauses)
      case .failure(let unnamed): return unnamed
      }
    }
    guard let last = sought.last else {
      return sought.unnamed
        ?? RPCError(
          .unavailable, "there is nothing to wait for: no track is playing",
          hint: "play one first, or leave \(field: "quantise") out")
    }
    return RPCError(
      .unavailable, "there is no \(word.rawValue) to wait for: \(last) does not come to one any more",
      hint: "leave \(field: "quantise") out")
  }

  /// Why there is nothing to wait for while a track is paused, and what lets it go on.
  private func paused(_ track: LoadedKey, _ reasons: Set<PauseReason>) -> RPCError {
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
  private static func landmark(
    _ word: Quantise, of track: LoadedKey, rate: Int
  ) -> Result<(Int64) -> Int64?, RPCError> {
    let landmarks = landmarks(of: track, rate: rate)
    if word == .beat || word == .bar {
      guard let grid = landmarks.grid else {
        return .failure(
          RPCError(
            .unavailable, "there is no beat to wait for: \(track) has no tempo",
            hint: "play a track with a tempo first, or leave \(field: "quantise") out"))
      }
      return .success { grid.position(of: word == .bar ? grid.bar(from: $0) : grid.beat(from: $0)) }
    }
    guard let marker = landmarks.markers.first(where: { $0.name == word.rawValue }) else {
      let known = ["beat", "bar"] + landmarks.markers.map(\.name)
      let name = excerpt(word.rawValue)
      return .failure(
        RPCError(
          .unknownName, "no marker \(name) in track \(track)\(didYouMean(word.rawValue, among: known))",
          hint:
            "\(field: "quantise") is beat, bar, or a marker of the track that plays; \(method: "pack.list") names them",
          candidates: nearest(to: word.rawValue, among: known)))
    }
    return .success { $0 <= marker.frame ? marker.frame : nil }
  }

  /// The beats and markers of a track, as its pack has them.
  func landmarks(of track: LoadedKey) -> TrackLandmarks {
    Self.landmarks(of: track, rate: configuration.rate)
  }

  static func landmarks(of track: LoadedKey, rate frames: Int) -> TrackLandmarks {
    guard let entry = track.generation.manifest.tracks[track.name] else { return TrackLandmarks(rate: frames) }
    let rate = Double(frames)
    let grid = entry.bpm.map { bpm in
      MusicGrid(
        first: entry.firstBeat.seconds * rate, step: 60 / bpm * rate, beatsPerBar: entry.beatsPerBar, bpm: bpm)
    }
    return TrackLandmarks(grid: grid, markers: markers(of: entry, rate: frames), rate: frames)
  }

  fileprivate static func markers(of entry: PackTrack, rate: Int) -> [(name: String, frame: Int64)] {
    entry.markers.map { (name: $0.key, frame: $0.value.frames(rate: rate)) }
      .sorted { ($0.frame, $0.name) < ($1.frame, $1.name) }
  }
}

extension TrackInfo {
  /// How many markers a loop of so many frames a second holds, where they are too many to be told in each of its turns, and from
  /// what length on they would be; nil where they are not.
  package static func crowd(
    of entry: PackTrack, in loop: LoopRegion, rate: Int
  ) -> (markers: Int, shortest: Interval)? {
    let landmarks = TrackLandmarks(markers: Engine.markers(of: entry, rate: rate), rate: rate)
    guard landmarks.isCrowded(in: loop) else { return nil }
    let count = landmarks.markers.count { loop.start <= $0.frame && $0.frame < loop.end }
    return (count, .frames(Int64(count) * MusicPlayer.Part.shortestLoop(rate: rate), rate: rate))
  }
}
