// SPDX-License-Identifier: Apache-2.0

import Mixing
import Timing

extension Engine {
  /// The fade of everything that sounds when the daemon ends.
  public static let shutdownFade = Interval.milliseconds(50)

  /// Fades all sound and ends all haptics; the instant by which it is silent.
  public mutating func shutDown() -> Instant {
    let fade = Fade(frames: Int32(Self.shutdownFade.frames(rate: configuration.rate)), curve: .linear)
    plans.removeAll { _ in true }
    haptics.stops.removeAll { _ in true }
    if let track = heardMusic.current?.track {
      tell(MusicChange(kind: .stopped, track: track, fade: fade), at: turn.earliestSound, .daemon)
    }
    music.clear()
    cues = CueBoard()
    chapter = nil
    haptics.audio.sounds = []
    perform([.command(.stopAll(nil, at: turn.reachableFrame, fade: fade))])
    command(.stopAll(at: turn.now))
    return turn.earliestSound + Self.shutdownFade
  }
}
