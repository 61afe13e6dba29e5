// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Mixing
import Timing

extension MusicPlayer {
  /// One track in a voice.
  ///
  /// While the music is paused it stands, once its gate has come down: its place, its fade and the end it is on its way to.
  /// When it goes on, all of that is as much later as it has stood.
  struct Part {
    var voice: VoiceID
    var track: LoadedKey
    /// Who asked for it.
    var cause: Cause
    var info: TrackInfo
    var loops: Bool
    /// The gain that the pack gives the track, and what was asked for on top.
    var ownGain: Float
    var askedGain: Float
    /// The gains that its stems have or are on their way to.
    var stemGains: [Float]
    /// Whether the music stands while its switch is off and this is what plays.
    var standsWhenOff: Bool
    /// The output frame at which `position` is heard.
    var anchor: Int64
    /// Frames into the track at `anchor`, not looped.
    var position: Int64
    /// Frames of the track a frame of output.
    var rate = 1.0
    /// The output frame at which it is over, faded out or played to its end, if it does not stand before; nil while it plays.
    var over: Int64?
    /// Whether nobody stopped it.
    var endsByItself = false
    /// Whether it gives its voice up in 5 ms: the mixer has so many and no more. From then on nothing else becomes of it.
    private(set) var isCut = false
    /// The output frame at which the mixer was done with it, once that is told.
    var done: Int64?
    /// Its gain over time, as the mixer was told.
    var level: Ramp
    /// What is heard of that: nothing while it stands.
    var gate = Ramp(steady: 1)
    /// How many frames it stood through in pauses that are over.
    var stood: Int64 = 0

    /// Linear.
    var gain: Float { ownGain * askedGain }

    /// The output frame from which it stands; nil where the music is not paused.
    var standsFrom: Int64? { gate.to == 0 ? gate.end : nil }

    /// How far it has come by an output frame: to where it stands, at most.
    func reached(by frame: Int64) -> Int64 { min(frame, standsFrom ?? .max) }

    /// Whether it is paused and its gate has come down.
    func stands(at frame: Int64) -> Bool { standsFrom.map { $0 <= frame } ?? false }

    /// The output frame at which it has been played to its end, if it goes on; never where it repeats.
    var end: Int64 { min(lastFrame, done ?? .max) }

    /// That, as far as the track goes.
    private var lastFrame: Int64 { loops ? .max : anchor + outputFrames(max(0, info.frames - position)) }

    /// How many frames of output so many of the track take, rounded up.
    func outputFrames(_ frames: Int64) -> Int64 { rate == 1 ? frames : Int64((Double(frames) / rate).rounded(.up)) }

    /// How many frames of the track go by in so many of output.
    func trackFrames(_ frames: Int64) -> Int64 { rate == 1 ? frames : Int64(Double(frames) * rate) }

    /// Whether it is there at an output frame, at whatever gain, also where it stands.
    func sounds(at frame: Int64) -> Bool {
      frame < done ?? .max && reached(by: frame) < min(over ?? .max, lastFrame)
    }

    /// Whether the mixer still has to be told what becomes of it: it sounds, or stands at its very end, and does not make room.
    func isLeft(at frame: Int64) -> Bool {
      !isCut
        && (sounds(at: frame) || stands(at: frame) && frame < done ?? .max && reached(by: frame) < over ?? .max)
    }

    /// The gain of its fade at an output frame, and what of it is heard.
    func faded(at frame: Int64) -> Float { level.value(at: reached(by: frame)) }
    func heard(at frame: Int64) -> Float { faded(at: frame) * gate.value(at: frame) }

    /// Whether anything of it is heard.
    func isHeard(at frame: Int64) -> Bool { sounds(at: frame) && !stands(at: frame) && heard(at: frame) > 0 }

    /// Frames into the track at an output frame, looped or clamped.
    func position(at frame: Int64) -> Int64 {
      let unwrapped = position + trackFrames(max(0, reached(by: frame) - anchor))
      return loops ? info.loop.wrap(unwrapped) : min(unwrapped, info.frames)
    }

    /// Goes over from the gain in flight to another.
    mutating func fade(to gain: Float, at frame: Int64, _ fade: Fade) {
      level = Ramp(from: faded(at: frame), to: gain, start: reached(by: frame), fade: fade)
    }

    /// Fades out from where it is, and so stays where it stands. Silent already, it is over at once.
    mutating func fadeOut(at frame: Int64, _ fade: Fade) {
      over = reached(by: frame) + (faded(at: frame) == 0 ? 0 : Int64(fade.frames))
      self.fade(to: 0, at: frame, fade)
    }

    /// Fades out from what is heard of it, also where it was about to stand; where it stands it is over at once.
    mutating func stop(at frame: Int64, _ fade: Fade) {
      let heard = heard(at: frame)
      over = frame + (heard == 0 ? 0 : Int64(fade.frames))
      gate = Ramp(steady: 1)
      level = Ramp(from: heard, to: 0, start: frame, fade: fade)
    }

    /// Makes room for another.
    mutating func cut(at frame: Int64, _ fade: Fade) {
      stop(at: frame, fade)
      isCut = true
    }

    /// A fade out, or the rest of that by which a pause turns it down, where that is sooner over: none where it stands.
    func turnedDown(_ fade: Fade, at frame: Int64) -> Fade {
      guard let stands = standsFrom, stands < frame + Int64(fade.frames) else { return fade }
      return stands <= frame ? .none : Fade(frames: Int32(stands - frame))
    }

    /// Lets it stand from when it has been turned down on.
    mutating func pause(at frame: Int64, _ fade: Fade) {
      guard standsFrom == nil else { return }
      gate = Ramp(from: gate.value(at: frame), to: 0, start: frame, fade: fade)
    }

    /// Lets it go on where it stands; resumed before it stood, it never did.
    mutating func resume(at frame: Int64, _ fade: Fade) {
      guard let stands = standsFrom else { return }
      if frame > stands {
        position += trackFrames(max(0, stands - anchor))
        anchor = frame
        stood += frame - stands
        level.move(by: frame - stands)
        over = over.map { $0 + frame - stands }
      }
      gate = Ramp(from: gate.value(at: frame), to: 1, start: frame, fade: fade)
    }

    /// What its voice is to be, as the mixer counts.
    var course: VoiceCourse {
      VoiceCourse(
        level: level, gate: gate, gain: gain, isLeaving: over != nil && !endsByItself, stood: stood,
        stems: StemGains(stemGains))
    }
  }
}
