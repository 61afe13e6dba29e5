// SPDX-License-Identifier: Apache-2.0

import Engine
import GamePacks
import Problems
import Timing

/// Chapters held against the music that they are played to.
extension PackLoader {
  /// Tells of beats that come when the music of their chapter has ended: they are judged, but nothing is heard.
  func tellBeatsBehindTheTrack(
    of chapter: PackChapter, _ name: String, _ pack: Catalog.Pack, _ problems: inout ManifestPlaces
  ) {
    guard let length = ending(of: chapter, pack), let map = pack.beatMaps[name] else { return }
    let behind = map.beats.firstIndex { .microseconds($0.at) >= length }
    guard let behind else { return }
    let others = map.beats.count - behind - 1
    let problem = Problem(
      .invalidValue,
      "beat \(behind) at \(Interval.microseconds(map.beats[behind].at).seconds) s is behind the end of track "
        + "\(chapter.track), which lasts \(length.seconds) s and does not loop"
        + (others == 0 ? "" : ", and so are the \(others) after it"),
      remedy: "end the beats with the track, or let it loop; until then they come in silence",
      where: .init(asset: .init(.chapter, name)))
    if case .map = chapter.beats {
      problems.add(problem, element: behind, of: "chapters", name, "beats")
    } else {
      problems.add(problem, at: "chapters", name, "beats")
    }
  }

  /// Warns of a chapter that goes on when its music has ended.
  func warnOfSilence(
    in chapter: PackChapter, _ name: String, _ pack: Catalog.Pack, _ warnings: inout ManifestPlaces
  ) {
    guard chapter.isKnown, let length = ending(of: chapter, pack) else { return }
    let own = Interval.microseconds(chapter.rules.length)
    guard own > length else { return }
    warnings.add(
      Problem(
        .invalidValue,
        "is \(own.seconds) s, and track \(chapter.track) lasts \(length.seconds) s and does not loop: the rest is silence",
        remedy: "write \(length.seconds) at most, or let the track loop", where: .init(asset: .init(.chapter, name))),
      at: "chapters", name, "length")
  }

  /// How long a chapter's track lasts; nil where it loops, or could not be read.
  private func ending(of chapter: PackChapter, _ pack: Catalog.Pack) -> Interval? {
    guard let track = pack.tracks[chapter.track], pack.manifest.tracks[chapter.track]?.loop == PackTrack.Loop.none
    else { return nil }
    return Interval.frames(track.frames, rate: rate)
  }
}
