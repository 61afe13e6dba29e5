// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Timing

/// The player's switches and volumes. Volumes are effective at once, ramped; so is the switch of the music. Those of sound and
/// haptics decide what begins.
extension Engine {
  /// Sets all of them.
  mutating func change(switches changed: Switches) {
    let before = switches
    settleSwitchedSounds()
    switches = changed
    applySwitches()
    if changed.haptics != before.haptics { switchHaptics() }
    if changed.sound != before.sound { switchSounds() }
  }

  /// Brings buses, music and haptics in line with the switches. With the music off its bus is silent, whatever plays; what of
  /// it stands meanwhile and what runs on the player knows by the packs of its tracks. During a chapter all runs on, because
  /// the beats do.
  mutating func applySwitches() {
    setBuses()
    let wanted = !switches.music && chapter == nil
    if wanted != isMusicSwitchedOff {
      isMusicSwitchedOff = wanted
      let verb = wanted ? MusicVerb.pause(.switch, switchRamp) : .resume(.switch, switchRamp)
      // The engine's own is never refused.
      _ = try? plan(verb, at: switchInstant(), for: .switch, by: .daemon)
    }
    command(.volume(switches.hapticsVolume))
  }

  /// When the music comes to stand by its switch, or goes on: as soon as can be, and behind what was switched last. Tracks that
  /// begin within moments would have to begin anew behind it; where no streams are left for that it comes behind them, so that
  /// none is late. The bus does not wait.
  private mutating func switchInstant() -> Instant {
    let soonest = turn.earliestSound
    let isCrowded = !hasStreams(for: soonest, isStart: false)
    let instant = isCrowded ? soonest + Self.latestReady : soonest
    musicSwitchedAt = max(instant.roundedUpToMicrosecond, musicSwitchedAt)
    return musicSwitchedAt
  }

  /// Sets the buses where that waits.
  mutating func setBusesThatWait() { if buses.waitsUntil != nil { setBuses() } }

  /// Sets the buses from the first frame on that is reached; of a flood the last waits for the next frame.
  private mutating func setBuses() {
    let frame = turn.reachableFrame
    guard buses.mayTell(for: frame, now: turn.now) else { return }
    func gain(_ volume: Double) -> Float { Float(taper(switches.masterVolume * volume)) }
    let gains = [
      (Bus.music, switches.music ? gain(switches.musicVolume) : 0), (.sound, gain(switches.soundVolume)),
      (.voice, gain(switches.voiceVolume)), (.haptic, gain(switches.soundVolume)),
    ]
    perform(gains.map { bus, gain in .command(.busGain(bus, to: gain, at: frame, fade: switchRamp)) })
  }

  /// As short as can be where the engine stands: what is heard comes up from silence then, and is to come up as it was set.
  private var switchRamp: Fade { clock.lasting == nil ? fade(.milliseconds(20), .linear) : declick }

  /// The gain of a slider: its cube, a common stand-in for loudness over 60 dB of useful way.
  private func taper(_ volume: Double) -> Double { volume * volume * volume }
}
