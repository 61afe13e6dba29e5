// SPDX-License-Identifier: Apache-2.0

import Mixing
import Timing

/// A stretch of the music as it is planned: nothing is asked of it from `frame` up to `until`.
struct MusicStretch {
  /// The player in it.
  var player: MusicPlayer
  /// Output frames, from which and up to which.
  var frame: Int64
  var until: Int64
  /// The instant from which its frames count, and the frame of that.
  var since: (instant: Instant, frame: Int64)

  /// The foremost tracks in it, one behind the other.
  var foremost: [(part: MusicPlayer.Part, from: Int64, until: Int64)] {
    player.foremost(from: frame, upTo: until).map { ($0.part, $0.from, min($0.until, until)) }
  }
}

extension MusicPlan {
  /// Goes through the music from an instant on as all that is asked for by now has it, stretch by stretch, until `visit`
  /// answers something: with nothing, then, it has gone through every verb that waits.
  mutating func search<Found>(
    from instant: Instant, _ measured: AudioTimeline, _ visit: (MusicStretch) -> Found?
  ) -> Found? {
    var timeline = measured
    var since = (instant: instant, frame: timeline.frame(at: instant))
    var frame = since.frame
    // What is carried out ahead is known as it will be.
    let carriedOut = realised.drop { $0.at <= instant }
    for next in carriedOut where next.frame > frame {
      var before = next.before
      before.settle(at: frame)
      let stretch = MusicStretch(player: before, frame: frame, until: next.frame, since: since)
      if let found = visit(stretch) { return found }
      frame = next.frame
    }
    var place = carriedOut.isEmpty ? passed(by: instant) : 0
    var player = player
    if carriedOut.isEmpty {
      (player, frame, timeline) = foreseen(behind: place, at: instant, timeline)
      since.frame = frame
    } else {
      player.settle(at: frame)
    }
    while place < waiting.count {
      let entry = waiting[place]
      let at = max(timeline.frame(at: entry.at), frame)
      if at > frame {
        let stretch = MusicStretch(player: player, frame: frame, until: at, since: since)
        if let found = visit(stretch) { return found }
      }
      player.foresee(entry, at: at, declick: declick)
      frame = at
      // What begins with a verb is heard so long behind its instant, however the clock was measured.
      since = (entry.at, at)
      place += 1
    }
    return visit(MusicStretch(player: player, frame: frame, until: .max, since: since))
  }
}
