// SPDX-License-Identifier: Apache-2.0

import StarlightClient
import Wire

/// A notification with its payload read.
enum Told {
  case music(MusicChanged)
  case musicBeatAhead(MusicBeatAhead)
  case musicBeat(MusicBeat)
  case musicBeatRecalled(MusicBeatRecalled)
  case musicMarkerAhead(MusicMarkerAhead)
  case musicMarker(MusicMarker)
  case musicMarkerRecalled(MusicMarkerRecalled)
  case sound(SoundFinished)
  case haptics(HapticsChanged)
  case level(HapticsLevel)
  case spawn(RhythmSpawn)
  case beat(RhythmBeat)
  case judgement(RhythmJudgement)
  case assist(RhythmAssist)
  case complete(RhythmComplete)
  case chapter(RhythmChanged)
  case cue(CueFired)
  case parameter(ParameterChanged)
  case settings(Settings)
  case timeline(TimelineCorrected)
  case devices(DevicesChanged)
  case problem(EngineProblem)
  case paused(EnginePaused)
  case resumed(EngineResumed)
  /// Of a kind that this version does not know.
  case other

  /// Reads the payload; what cannot be read is `other`.
  init(_ notification: ReceivedNotification) {
    func payload<Payload: WireNotification>(_ wrap: (Payload) -> Told) -> Told {
      notification.payload(Payload.self).map(wrap) ?? .other
    }
    self =
      switch notification.method {
      case MusicChanged.name: payload(Told.music)
      case MusicBeatAhead.name: payload(Told.musicBeatAhead)
      case MusicBeat.name: payload(Told.musicBeat)
      case MusicBeatRecalled.name: payload(Told.musicBeatRecalled)
      case MusicMarkerAhead.name: payload(Told.musicMarkerAhead)
      case MusicMarker.name: payload(Told.musicMarker)
      case MusicMarkerRecalled.name: payload(Told.musicMarkerRecalled)
      case SoundFinished.name: payload(Told.sound)
      case HapticsChanged.name: payload(Told.haptics)
      case HapticsLevel.name: payload(Told.level)
      case RhythmSpawn.name: payload(Told.spawn)
      case RhythmBeat.name: payload(Told.beat)
      case RhythmJudgement.name: payload(Told.judgement)
      case RhythmAssist.name: payload(Told.assist)
      case RhythmComplete.name: payload(Told.complete)
      case RhythmChanged.name: payload(Told.chapter)
      case CueFired.name: payload(Told.cue)
      case ParameterChanged.name: payload(Told.parameter)
      case SettingsChanged.name: payload { (changed: SettingsChanged) in .settings(changed.settings) }
      case TimelineCorrected.name: payload(Told.timeline)
      case DevicesChanged.name: payload(Told.devices)
      case EngineProblem.name: payload(Told.problem)
      case EnginePaused.name: payload(Told.paused)
      case EngineResumed.name: payload(Told.resumed)
      default: .other
      }
  }
}
