// SPDX-License-Identifier: Apache-2.0

import Outcomes
import Timing
import Wire

/// Music as the protocol has it, by brute force: a list of what was asked, and for every question a fold of it all.
///
/// Written from the documents, with nothing of the engine's: a track is a `Course` of its own from its first frame to its
/// last, which says where it is and how loud it is at every frame.
package struct MusicModel {
  package struct Track {
    package var name: String
    package var frames: Int64
    package var loop: Range<Int64>
    package var gain: Double
    package var pack: String
    /// Whether it stands while the switch is off.
    package var stands = false

    /// What it is told as.
    package var key: String { pack + ":" + name }
    /// Its stems, by their names.
    package var stems: Set<String> = []

    package init(name: String, frames: Int64, loop: Range<Int64>, gain: Double, pack: String, stems: Set<String> = []) {
      (self.name, self.frames, self.loop, self.gain, self.pack) = (name, frames, loop, gain, pack)
      self.stems = stems
    }

    package func place(_ position: Int64, _ loops: Bool) -> Int64 {
      guard loops else { return min(position, frames) }
      return position < loop.upperBound
        ? position : loop.lowerBound + (position - loop.lowerBound) % Int64(loop.count)
    }
  }

  package struct Length: Equatable {
    package var frames: Int64
    package var isEqualPower: Bool

    package static let none = Length(frames: 0, isEqualPower: false)

    package init(frames: Int64, isEqualPower: Bool) { (self.frames, self.isEqualPower) = (frames, isEqualPower) }
  }

  package enum Action {
    case play(
      Track, position: Int64, late: Int64, loops: Bool, gain: Double, continues: Bool, Length,
      out: Length? = nil, fadesInAlone: Bool)
    case seek(Int64, late: Int64, Length)
    case stop(Length)
    case pause(MusicStatus.PausedBy, Length)
    case resume(MusicStatus.PausedBy, Length)
    case gain(Double, Length)
    /// Of a stem: its gain is not told of.
    case stem(String)

    package var name: MusicVerbName {
      switch self {
      case .play: .play
      case .seek: .seek
      case .stop: .stop
      case .pause: .pause
      case .resume: .resume
      case .gain, .stem: .gain
      }
    }

    package var begins: Bool { name == .play || name == .seek }
  }

  package enum Purpose: Equatable {
    case client
    case cue(Int64)
    case chapter, daemon
  }

  package struct Verb {
    package var at: Instant
    package var order: Int
    package var action: Action
    package var purpose: Purpose
    /// Where the reply told it.
    package var plan: Int64?
  }

  /// What is to be told of the music.
  package struct Told: Equatable {
    package var at: Instant
    package var change: MusicChanged.Change
    package var track: String
    package var from: String?
    package var fade: Int64?
    package var fadeOut: Int64?
    package var position: Int64?

    package init(
      at: Instant, change: MusicChanged.Change, track: String, from: String? = nil, fade: Int64? = nil,
      fadeOut: Int64? = nil, position: Int64? = nil
    ) {
      (self.at, self.change, self.track, self.from) = (at, change, track, from)
      (self.fade, self.fadeOut, self.position) = (fade, fadeOut, position)
    }
  }

  package let timeline: AudioTimeline
  package private(set) var verbs: [Verb] = []
  private var asked = 0

  package init(timeline: AudioTimeline) { self.timeline = timeline }

  package mutating func ask(_ action: Action, at instant: Instant, _ purpose: Purpose, plan: Int64? = nil) {
    asked += 1
    verbs.append(Verb(at: instant, order: asked, action: action, purpose: purpose, plan: plan))
  }

  package mutating func remove(_ order: Int) { verbs.removeAll { $0.order == order } }

  /// The fold of all that is asked for up to an instant, and of the time up to then.
  package func fold(upTo instant: Instant = Instant(microseconds: 1 << 50)) -> MusicFold {
    var fold = MusicFold()
    let inOrder = verbs.filter { $0.at <= instant }.sorted { ($0.at, $0.order) < ($1.at, $1.order) }
    for verb in inOrder {
      let frame = timeline.frame(at: verb.at)
      fold.pass(to: frame, timeline)
      fold.apply(verb, at: frame)
    }
    fold.pass(to: timeline.frame(at: instant), timeline)
    return fold
  }
}
