// SPDX-License-Identifier: Apache-2.0

import Mixing
import Outcomes
import Timing

/// What the player will be behind the verbs that wait, thought through once: it is kept behind every so many of them, so
/// that a question does not think them all through again. What changes one of them is told, and what follows is forgotten.
struct MusicForecast {
  /// How many verbs lie between two of those that are kept.
  static let stride = 32

  /// The player behind the first `count` verbs, of all that ever waited.
  private struct Kept {
    var count: Int
    var player: MusicPlayer
  }

  private var kept: [Kept] = []
  /// How many verbs have been carried out since the start: those that wait come after them.
  private var passed = 0
  /// Which frame is heard when, as all that is kept was thought through by.
  private var timeline: AudioTimeline?
  /// How many verbs were thought through so far: the cost, for tests.
  private(set) var steps = 0

  /// The player behind the first `count` of `waiting` and the time up to `instant`, and the frame of that instant by the
  /// timeline it was thought through by, which is answered too. `base` is the player before all that wait.
  mutating func player(
    behind count: Int, of waiting: Line<MusicPlan.Entry>, from base: MusicPlayer, at instant: Instant,
    _ measured: AudioTimeline, declick: Fade
  ) -> (player: MusicPlayer, frame: Int64, timeline: AudioTimeline) {
    let timeline = follow(measured, at: waiting.first?.at ?? instant)
    let last = kept.last { $0.count <= passed + count }
    var player = last?.player ?? base
    for index in ((last?.count ?? passed) - passed)..<count {
      let frame = timeline.frame(at: waiting[index].at)
      player.foresee(waiting[index], at: frame, declick: declick)
      steps += 1
      let behind = passed + index + 1
      if behind.isMultiple(of: Self.stride) { kept.append(Kept(count: behind, player: player)) }
    }
    let frame = timeline.frame(at: instant)
    player.settle(at: frame)
    return (player, frame, timeline)
  }

  /// The verb at `index` of those that wait, or what follows it, is another than it was.
  mutating func changed(from index: Int) { kept.removeAll { $0.count > passed + index } }

  /// The first of those that wait was carried out, as foreseen.
  mutating func passedOne() {
    passed += 1
    if kept.first?.count == passed { kept.removeFirst() }
  }

  /// The player before all that wait is not as it was predicted: no prediction from it holds.
  mutating func forget() { kept = [] }

  /// What is kept holds as long as the device's clock runs as measured then, to a frame.
  private mutating func follow(_ measured: AudioTimeline, at instant: Instant) -> AudioTimeline {
    if let timeline, !kept.isEmpty, abs(timeline.frame(at: instant) - measured.frame(at: instant)) <= 1 {
      return timeline
    }
    kept = []
    timeline = measured
    return measured
  }
}

extension MusicPlayer {
  /// Carries a verb out as it will be, for no mixer.
  mutating func foresee(_ entry: MusicPlan.Entry, at frame: Int64, declick: Fade) {
    guard obstacle(to: entry, at: frame) == nil else { return }
    _ = apply(entry.verb, voice: .unheard, at: frame, declick: declick)
    // Live the mixer reports voices that have ended; nobody does here, so those that ended by now are dropped by their times.
    forgetOver(at: frame)
  }

  /// Why a verb is cancelled instead of carried out: its track cannot be loaded, or too many tracks still fade out for another
  /// to begin. Nil where it can be.
  func obstacle(to entry: MusicPlan.Entry, at frame: Int64) -> CancelReason? {
    if entry.isUnavailable { return .unavailable }
    return entry.verb.startsVoice && fading(at: frame).count >= Self.mostTails ? .busy : nil
  }
}

extension VoiceID {
  /// What a predicted track is given for a voice: the mixer never hears of it.
  fileprivate static let unheard = VoiceID(rawValue: 0)
}
