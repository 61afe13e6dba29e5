// SPDX-License-Identifier: Apache-2.0

import Mixing
import Timing

/// The switch for sound: what begins while it is off is skipped by the state at its own instant, loops end, and what was
/// played once plays out.
///
/// The switch acts at the first instant that the mixer can still be told of. Sounds that begin later are kept from the mixer,
/// or taken back from it, until their own instant comes or the switch is on again.
extension Engine {
  /// The first instant at which a switch that is set now acts on what is heard; what begins by then stands.
  private var switchedSoundAt: Instant { turn.earliestSound.roundedUpToMicrosecond }

  /// Decides all that lies before a change of the switch.
  mutating func settleSwitchedSounds() {
    dispatchPlans()
    skipUnheard(upTo: switchedSoundAt)
  }

  /// Does what the switch, which has changed, does.
  mutating func switchSounds() {
    if switches.sound { letHeldSoundsCome() } else { holdSounds() }
    replanHapticAudio(from: switchedSoundAt)
    if !switches.sound { endLoopsOfPatterns(at: switchedSoundAt) }
  }

  private mutating func holdSounds() {
    let at = switchedSoundAt
    for step in sounds.held.takeBack(after: at) {
      shares.takeUrgently(1, for: step.planned.cause)
      guard case .start(let start) = step.planned.action else { continue }
      sounds.noteTakenBack(start.id)
      perform([.command(.retract(start.id, from: 0))])
    }
    let fade = Fade(frames: Int32(Self.leavingFade.frames(rate: configuration.rate)), curve: .linear)
    let frame = max(turn.timeline.frame(at: at), turn.reachableFrame)
    for voice in sounds.voices where sounds[voice].map({ $0.loops && $0.at <= at }) ?? false {
      // A fade of its own that is shorter goes on.
      if sounds.ends(voice, at: frame, noLaterThanBy: fade) { continue }
      sounds.noteSwitchedOff(voice)
      stop(voice, at: frame, fade)
    }
  }

  private mutating func letHeldSoundsCome() {
    plans.putBack(sounds.held.release().map { ($0.at, $0.planned) })
    dispatchPlans()
  }

  /// Skips the sounds whose instant has come by `instant` while the switch is off.
  mutating func skipUnheard(upTo instant: Instant) {
    guard let next = sounds.held.next, next <= instant else { return }
    var skipped: [(at: Instant, voice: VoiceID)] = []
    for step in sounds.held.waiting where step.at <= instant {
      if case .start(let start) = step.planned.action { skipped.append((step.at, start.id)) }
    }
    let voices = Set(skipped.map(\.voice))
    endUnbegunSounds(.skipped) { voices.contains($0) }
  }
}
