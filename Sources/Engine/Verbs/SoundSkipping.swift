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
    // What waits for the mixer to go on was to be heard.
    if switches.sound { letHeldSoundsCome() } else { skipUnheard(upTo: switchedSoundAt) }
  }

  /// Does what the switch, which has changed, does.
  mutating func switchSounds() {
    if switches.sound { letHeldSoundsCome() } else { holdSounds() }
    replanHapticAudio(from: switchedSoundAt)
    if !switches.sound { endLoopsOfPatterns(at: switchedSoundAt) }
  }

  private mutating func holdSounds() {
    switching.waitsUntil = nil
    let at = switchedSoundAt
    var unbegun: [VoiceID] = []
    for step in sounds.held.takeBack(after: at) {
      shares.takeAnyway(1, for: step.planned.cause)
      guard case .start(let start) = step.planned.action else { continue }
      sounds.noteTakenBack(start.id)
      unbegun.append(start.id)
    }
    switching.charge(unbegun.count, for: turn.reachableFrame)
    // In this order the mixer takes them back by one look.
    for voice in unbegun.sorted(by: { $0.rawValue < $1.rawValue }) {
      perform([.command(.retract(voice, from: 0))])
    }
    let frame = max(turn.timeline.frame(at: at), turn.reachableFrame)
    for voice in sounds.voices where sounds[voice].map({ $0.loops && $0.at <= at }) ?? false {
      endSwitchedOff(voice, at: frame, at)
    }
  }

  /// Of a switch that is turned faster than the mixer goes on, what is not due yet waits for that.
  private mutating func letHeldSoundsCome() {
    if sounds.held.waiting.isEmpty, switching.waitsUntil == nil { return }
    let steps = sounds.held.release(
      switching.room(for: turn.reachableFrame), besides: SwitchPacing.most, dueBy: switchedSoundAt + SwitchPacing.soon)
    switching.charge(steps.count, for: turn.reachableFrame)
    switching.waitsUntil = sounds.held.waiting.isEmpty ? nil : turn.now + SwitchPacing.patience
    if steps.isEmpty { return }
    plans.putBack(steps.map { ($0.at, $0.planned) })
    dispatchPlans()
  }

  /// Lets more of what waits for the mixer come.
  mutating func letWaitingSoundsCome() { if switches.sound, switching.waitsUntil != nil { letHeldSoundsCome() } }

  /// The mixer has begun the voice of a sound at `frame`: also one that was to be taken back, or was to end before that, where
  /// it was told too late.
  public mutating func soundBegan(_ voice: VoiceID, at frame: Int64) {
    sounds.noteBegun(voice)
    if sounds.held.holds(voice) {
      let steps = sounds.held.drop { held, _ in held == voice }
      for step in steps where step.isStart { shares.give(1, for: step.planned.cause) }
      plans.putBack(steps.filter { !$0.isStart }.map { ($0.at, $0.planned) })
      if !switches.sound, sounds[voice]?.loops ?? false {
        endSwitchedOff(voice, at: turn.reachableFrame, turn.earliestSound)
      }
      dispatchPlans()
    } else if sounds[voice]?.isCalledOff ?? !haptics.audio.has(voice) {
      // It was called off, or told as skipped.
      perform([.command(.stop(voice, at: turn.reachableFrame, fade: declick))])
    } else if let end = sounds[voice]?.fadesOut, end.lowerBound <= frame {
      let fade = Fade(frames: Int32(clamping: end.upperBound - end.lowerBound), curve: .linear)
      perform([.command(.end(voice, at: turn.reachableFrame, fade: fade))])
    }
  }

  /// A loop ends by the switch; a fade of its own that is shorter goes on.
  private mutating func endSwitchedOff(_ voice: VoiceID, at frame: Int64, _ instant: Instant) {
    let fade = fade(Self.leavingFade, .linear)
    if sounds.ends(voice, at: frame, noLaterThanBy: fade) { return }
    sounds.noteSwitchedOff(voice)
    stop(voice, at: frame, instant, fade)
  }

  /// Skips the sounds whose instant has come by `instant` while the switch is off.
  mutating func skipUnheard(upTo instant: Instant) {
    guard !switches.sound, let next = sounds.held.next, next <= instant else { return }
    var skipped: [(at: Instant, voice: VoiceID)] = []
    for step in sounds.held.waiting where step.at <= instant {
      if case .start(let start) = step.planned.action { skipped.append((step.at, start.id)) }
    }
    let voices = Set(skipped.map(\.voice))
    endUnbegunSounds(.skipped) { voice, _ in voices.contains(voice) }
  }
}
