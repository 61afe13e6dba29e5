// SPDX-License-Identifier: Apache-2.0

/// Every method of the socket: what `rpc.discover` describes and the daemon's handlers are held against.
public let allMethods: [any WireMethod.Type] = [
  SessionHello.self, SessionUse.self, RPCDiscover.self, EventsSubscribe.self, EventsUnsubscribe.self,
  ClockNow.self, ClockStep.self,
  PackList.self, PackLoad.self, PackReload.self, PackUnload.self,
  MusicPlay.self, MusicStop.self, MusicPause.self, MusicResume.self, MusicSeek.self, MusicGain.self,
  MusicCancel.self, MusicStatus.self,
  SoundPlay.self, SoundSet.self, SoundStop.self,
  HapticsPlay.self, HapticsTransient.self, HapticsContinuous.self, HapticsStop.self,
  HapticsPause.self, HapticsResume.self, HapticsSeek.self, HapticsSet.self, HapticsGain.self,
  HapticsSendParameters.self, HapticsScheduleCurve.self,
  CueFire.self, CueStop.self, CueList.self,
  ParameterSet.self, ParameterList.self,
  RhythmStart.self, RhythmTap.self, RhythmPause.self, RhythmResume.self, RhythmRestart.self,
  RhythmStop.self, RhythmTakeOver.self, RhythmStatus.self, RhythmBind.self, RhythmUnbind.self,
  SettingsSet.self, SettingsGet.self,
  DevicesList.self, DevicesSet.self, EngineStatus.self, EnginePause.self, EngineResume.self,
  TraceExplain.self, TraceRead.self, EngineStats.self,
]

/// Every notification of the socket.
public let allNotifications: [any WireNotification.Type] = [
  MusicChanged.self, MusicCancelled.self,
  MusicBeatAhead.self, MusicBeat.self, MusicBeatRecalled.self,
  MusicMarkerAhead.self, MusicMarker.self, MusicMarkerRecalled.self,
  SoundFinished.self, HapticsChanged.self, HapticsLevel.self, HapticsUnheard.self, CueFired.self,
  CueCancelled.self, ParameterChanged.self,
  RhythmSpawn.self, RhythmBeat.self, RhythmJudgement.self, RhythmAssist.self, RhythmComplete.self,
  RhythmChanged.self, RhythmTapped.self, RhythmBindingChanged.self,
  SettingsChanged.self, TimelineCorrected.self, DevicesChanged.self, EngineProblem.self,
  EnginePaused.self, EngineResumed.self, PackLoading.self,
]
