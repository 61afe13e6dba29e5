// SPDX-License-Identifier: Apache-2.0

import Wire

extension Event {
  /// Something the daemon told, as a value of its own type.
  ///
  /// What each means, and its `tUs`, says the type that it carries.
  public enum Notification: Sendable {
    /// `music.changed`: a track begins, changes or ends at `tUs`.
    case musicChanged(MusicChanged)
    /// `music.cancelled`: a planned verb of music does not happen.
    case musicCancelled(MusicCancelled)
    /// `music.beatAhead`: sent 250 ms before a beat is heard, or as soon as it is known.
    case musicBeatAhead(MusicBeatAhead)
    /// `music.beat`: sent at the instant at which a beat is heard.
    case musicBeat(MusicBeat)
    /// `music.beatRecalled`: a beat that was told ahead will not be heard then.
    case musicBeatRecalled(MusicBeatRecalled)
    /// `music.markerAhead`: sent 250 ms before a marker is heard, or as soon as it is known.
    case musicMarkerAhead(MusicMarkerAhead)
    /// `music.marker`: sent at the instant at which a marker is heard.
    case musicMarker(MusicMarker)
    /// `music.markerRecalled`: a marker that was told ahead will not be heard then.
    case musicMarkerRecalled(MusicMarkerRecalled)
    /// `sound.finished`: a sound ended, or never began.
    case soundFinished(SoundFinished)
    /// `haptics.changed`: a haptic player began or ended.
    case hapticsChanged(HapticsChanged)
    /// `haptics.level`: what is felt, at most 50 times a second, for drawing.
    case hapticsLevel(HapticsLevel)
    /// `haptics.unheard`: sounds of a pattern found no voice; at most each 100 ms a player.
    case hapticsUnheard(HapticsUnheard)
    /// `cue.fired`: a cue's zero is at `tUs`, also of a chapter's feedback.
    case cueFired(CueFired)
    /// `cue.cancelled`: a fired cue does not come, or ends before its time.
    case cueCancelled(CueCancelled)
    /// `parameter.changed`: a parameter begins to move at `tUs`.
    case parameterChanged(ParameterChanged)
    /// `rhythm.spawn`: a beat comes into sight at `tUs`, to be heard at its `beatUs`.
    case rhythmSpawn(RhythmSpawn)
    /// `rhythm.beat`: sent at the instant at which a chapter's beat is heard.
    case rhythmBeat(RhythmBeat)
    /// `rhythm.judgement`: a beat was hit, missed or void, or a tap claimed none.
    case rhythmJudgement(RhythmJudgement)
    /// `rhythm.assist`: from `tUs` on the hit windows of later beats are wider.
    case rhythmAssist(RhythmAssist)
    /// `rhythm.complete`: the chapter ended, by itself or stopped.
    case rhythmComplete(RhythmComplete)
    /// `rhythm.changed`: the chapter began, is held, goes on, or is another client's.
    case rhythmChanged(RhythmChanged)
    /// `rhythm.tapped`: a bound control was pressed: the verdict, as of `rhythm.tap`.
    case rhythmTapped(RhythmTapped)
    /// `rhythm.bindingChanged`: devices of a binding came or went.
    case rhythmBindingChanged(RhythmBindingChanged)
    /// `settings.changed`: anybody changed a switch or a volume.
    case settingsChanged(SettingsChanged)
    /// `timeline.corrected`: frames were lost, or the clock was corrected by over 1 ms.
    case timelineCorrected(TimelineCorrected)
    /// `devices.changed`: the audio device or a pad came, went or changed.
    case devicesChanged(DevicesChanged)
    /// `engine.problem`: something went wrong while running; told once.
    case engineProblem(EngineProblem)
    /// `engine.paused`: from `tUs` on nothing is heard or felt.
    case enginePaused(EnginePaused)
    /// `engine.resumed`: all goes on in place from `tUs` on, later by its `movedUs`.
    case engineResumed(EngineResumed)
    /// `pack.loading`: a pack is being read, counts from now on, was refused or taken out.
    case packLoading(PackLoading)
  }
}

extension Event.Notification {
  /// How one kind is told apart and read.
  struct Kind: Sendable {
    let name: String
    let topic: Topic
    let read: @Sendable (ArraySlice<UInt8>) throws -> Event.Notification

    init<Payload: WireNotification>(_ make: @escaping @Sendable (Payload) -> Event.Notification) {
      (name, topic) = (Payload.name, Payload.topic)
      read = { make(try decodeJSON(Payload.self, from: $0)) }
    }
  }

  /// Every kind by its name on the wire. What a newer daemon tells besides is passed over.
  static let kinds: [String: Kind] = {
    let kinds = [
      Kind(musicChanged), Kind(musicCancelled), Kind(musicBeatAhead), Kind(musicBeat), Kind(musicBeatRecalled),
      Kind(musicMarkerAhead), Kind(musicMarker), Kind(musicMarkerRecalled), Kind(soundFinished),
      Kind(hapticsChanged), Kind(hapticsLevel), Kind(hapticsUnheard), Kind(cueFired), Kind(cueCancelled),
      Kind(parameterChanged), Kind(rhythmSpawn), Kind(rhythmBeat), Kind(rhythmJudgement), Kind(rhythmAssist),
      Kind(rhythmComplete), Kind(rhythmChanged), Kind(rhythmTapped), Kind(rhythmBindingChanged),
      Kind(settingsChanged), Kind(timelineCorrected), Kind(devicesChanged), Kind(engineProblem),
      Kind(enginePaused), Kind(engineResumed), Kind(packLoading),
    ]
    return Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
  }()

  /// Reads what came; nil where it is of a kind that this version does not know.
  package init?(_ received: ReceivedNotification) {
    guard let kind = Self.kinds[received.method], let read = try? kind.read(received.params) else { return nil }
    self = read
  }
}
