// SPDX-License-Identifier: Apache-2.0

import Wire

extension Event {
  /// Something the daemon told, as a value of its own type.
  ///
  /// What each means, and its `tUs`, says the type that it carries.
  public enum Notification: Sendable {
    /// `music.changed`.
    case musicChanged(MusicChanged)
    /// `music.cancelled`.
    case musicCancelled(MusicCancelled)
    /// `music.beatAhead`.
    case musicBeatAhead(MusicBeatAhead)
    /// `music.beat`.
    case musicBeat(MusicBeat)
    /// `music.beatRecalled`.
    case musicBeatRecalled(MusicBeatRecalled)
    /// `music.markerAhead`.
    case musicMarkerAhead(MusicMarkerAhead)
    /// `music.marker`.
    case musicMarker(MusicMarker)
    /// `music.markerRecalled`.
    case musicMarkerRecalled(MusicMarkerRecalled)
    /// `sound.finished`.
    case soundFinished(SoundFinished)
    /// `haptics.changed`.
    case hapticsChanged(HapticsChanged)
    /// `haptics.level`.
    case hapticsLevel(HapticsLevel)
    /// `haptics.unheard`.
    case hapticsUnheard(HapticsUnheard)
    /// `cue.fired`.
    case cueFired(CueFired)
    /// `cue.cancelled`.
    case cueCancelled(CueCancelled)
    /// `parameter.changed`.
    case parameterChanged(ParameterChanged)
    /// `rhythm.spawn`.
    case rhythmSpawn(RhythmSpawn)
    /// `rhythm.beat`.
    case rhythmBeat(RhythmBeat)
    /// `rhythm.judgement`.
    case rhythmJudgement(RhythmJudgement)
    /// `rhythm.assist`.
    case rhythmAssist(RhythmAssist)
    /// `rhythm.complete`.
    case rhythmComplete(RhythmComplete)
    /// `rhythm.changed`.
    case rhythmChanged(RhythmChanged)
    /// `rhythm.tapped`.
    case rhythmTapped(RhythmTapped)
    /// `rhythm.bindingChanged`.
    case rhythmBindingChanged(RhythmBindingChanged)
    /// `settings.changed`.
    case settingsChanged(SettingsChanged)
    /// `timeline.corrected`.
    case timelineCorrected(TimelineCorrected)
    /// `devices.changed`.
    case devicesChanged(DevicesChanged)
    /// `engine.problem`.
    case engineProblem(EngineProblem)
    /// `engine.paused`.
    case enginePaused(EnginePaused)
    /// `engine.resumed`.
    case engineResumed(EngineResumed)
    /// `pack.loading`.
    case packLoading(PackLoading)
  }
}

extension Event.Notification {
  /// How one kind is told apart and read.
  struct Kind: Sendable {
    let topic: Topic
    let read: @Sendable (ArraySlice<UInt8>) throws -> Event.Notification

    init<Payload: WireNotification>(_ make: @escaping @Sendable (Payload) -> Event.Notification) {
      topic = Payload.topic
      read = { make(try decodeJSON(Payload.self, from: $0)) }
    }
  }

  /// Every kind by its name on the wire. What a newer daemon tells besides is passed over.
  static let kinds: [String: Kind] = [
    MusicChanged.name: Kind(Event.Notification.musicChanged),
    MusicCancelled.name: Kind(Event.Notification.musicCancelled),
    MusicBeatAhead.name: Kind(Event.Notification.musicBeatAhead),
    MusicBeat.name: Kind(Event.Notification.musicBeat),
    MusicBeatRecalled.name: Kind(Event.Notification.musicBeatRecalled),
    MusicMarkerAhead.name: Kind(Event.Notification.musicMarkerAhead),
    MusicMarker.name: Kind(Event.Notification.musicMarker),
    MusicMarkerRecalled.name: Kind(Event.Notification.musicMarkerRecalled),
    SoundFinished.name: Kind(Event.Notification.soundFinished),
    HapticsChanged.name: Kind(Event.Notification.hapticsChanged),
    HapticsLevel.name: Kind(Event.Notification.hapticsLevel),
    HapticsUnheard.name: Kind(Event.Notification.hapticsUnheard),
    CueFired.name: Kind(Event.Notification.cueFired),
    CueCancelled.name: Kind(Event.Notification.cueCancelled),
    ParameterChanged.name: Kind(Event.Notification.parameterChanged),
    RhythmSpawn.name: Kind(Event.Notification.rhythmSpawn),
    RhythmBeat.name: Kind(Event.Notification.rhythmBeat),
    RhythmJudgement.name: Kind(Event.Notification.rhythmJudgement),
    RhythmAssist.name: Kind(Event.Notification.rhythmAssist),
    RhythmComplete.name: Kind(Event.Notification.rhythmComplete),
    RhythmChanged.name: Kind(Event.Notification.rhythmChanged),
    RhythmTapped.name: Kind(Event.Notification.rhythmTapped),
    RhythmBindingChanged.name: Kind(Event.Notification.rhythmBindingChanged),
    SettingsChanged.name: Kind(Event.Notification.settingsChanged),
    TimelineCorrected.name: Kind(Event.Notification.timelineCorrected),
    DevicesChanged.name: Kind(Event.Notification.devicesChanged),
    EngineProblem.name: Kind(Event.Notification.engineProblem),
    EnginePaused.name: Kind(Event.Notification.enginePaused),
    EngineResumed.name: Kind(Event.Notification.engineResumed),
    PackLoading.name: Kind(Event.Notification.packLoading),
  ]

  /// Reads what came; nil where it is of a kind that this version does not know.
  package init?(_ received: ReceivedNotification) {
    guard let kind = Self.kinds[received.method], let read = try? kind.read(received.params) else { return nil }
    self = read
  }
}
