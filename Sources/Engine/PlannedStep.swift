import Mixing
import Timing
import Wire

/// Something to be heard at an instant, not yet turned into frames.
enum PlannedStep {
  case playMusic(MusicPlayer.Request)
  case stopMusic(Fade)
  case pauseMusic(Fade)
  case resumeMusic(Fade)
  case setMusicGain(Float, Fade)
  case startSound(SoundStart)
  case stopSound(VoiceID?, Fade)
}

extension Engine {
  /// Plans `step` for the instant at which it is to be heard, and does it now if that is near.
  mutating func plan(_ step: PlannedStep, at instant: Instant, _ output: OutputState) {
    plans.insert(step, at: instant)
    dispatchPlans(output)
  }

  /// Turns what is due within the horizon into frames.
  mutating func dispatchPlans(_ output: OutputState) {
    while let (instant, step) = plans.pop(upTo: output.now + horizon(output)) {
      let planned = output.timeline.frame(at: instant)
      carryOut(step, at: max(planned, output.reachableFrame), lateBy: max(0, output.reachableFrame - planned), output)
    }
  }

  private mutating func carryOut(_ step: PlannedStep, at frame: Int64, lateBy: Int64, _ output: OutputState) {
    switch step {
    case .playMusic(var request):
      // Late music enters in place.
      request.position = request.entered(lateBy: lateBy)
      startMusic(request, at: frame, output)
    case .stopMusic(let fade):
      let track = music.current?.track
      let stopped = music.stop(at: frame, fade: fade, declick: declick)
      perform(stopped.steps)
      tellMusic(.stopped, track, fade: stopped.fade, at: frame, output)
    case .pauseMusic(let fade):
      let track = music.current?.track
      perform(music.pause(at: frame, fade: fade, declick: declick))
      tellMusic(.paused, track, fade: fade, at: frame, output)
    case .resumeMusic(let fade):
      perform(music.resume(at: frame, fade: fade))
      tellMusic(.resumed, music.current?.track, fade: fade, at: frame, output)
    case .setMusicGain(let gain, let fade):
      perform(music.setGain(gain, at: frame, fade: fade))
    case .startSound(var start):
      start.at = frame
      perform([.startSound(start)] + ducking(under: start.sound, at: frame))
    case .stopSound(let voice?, let fade):
      perform([.command(.stop(voice, at: frame, fade: fade))])
    case .stopSound(nil, let fade):
      perform(sounds.voices.map { .command(.stop($0, at: frame, fade: fade)) })
    }
  }
}
