// SPDX-License-Identifier: Apache-2.0

import Mixing
import Timing

extension Engine {
  /// The fade of everything that sounds when the daemon ends.
  public static let shutdownFade = Interval.milliseconds(50)

  /// Fades all sound and ends all haptics, and tells what of all that was planned does not happen any more; the instant by
  /// which it is silent.
  public mutating func shutDown() -> Instant {
    let fade = fade(Self.shutdownFade, .linear)
    cancelSounds { _, _ in true }
    plans = PlanQueue()
    sounds.waitingStops = WaitingStops()
    haptics.stops = PlanQueue()
    haptics.waitingStops = WaitingStops()
    for (_, setting) in parameters.cancel(where: { _, _ in true }) { shares.give(1, for: setting.cause) }
    let current = heardMusic.current?.track.key
    for entry in music.entries where entry.at > turn.now { tellCancelled(entry, .shutdown, at: present) }
    music.clear()
    for cue in cues.fired { tellCancelled(cue.id, cue.key, .shutdown, tag: cue.tag, by: cue.cause) }
    cues = CueBoard()
    while let next = paced.takeAny() { perform(.notify(next.make(clock), next.cause)) }
    if let track = current {
      tell(MusicChange(kind: .stopped, track: track, fade: fade), at: turn.earliestSound, .daemon)
    }
    chapter = nil
    haptics.audio = HapticAudioBoard()
    perform([.command(.stopAll(nil, at: turn.reachableFrame, fade: fade))])
    command(.stopAll(at: turn.now))
    return turn.earliestSound + Self.shutdownFade
  }
}
