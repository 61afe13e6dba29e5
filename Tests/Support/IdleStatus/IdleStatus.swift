// SPDX-License-Identifier: Apache-2.0

import Wire

extension EngineStatus.Result {
  /// What a daemon says of itself that has just begun: nothing plays, and all is as it is by default.
  package static func idle(
    nowUs: Int64 = 0, clock: ClockKind = .live, device: String = "none", kind: EngineStatus.Audio.Kind = .null,
    clients: Int = 1
  ) -> EngineStatus.Result {
    EngineStatus.Result(
      nowUs: nowUs, clock: clock, uptimeUs: 0, version: "test",
      audio: EngineStatus.Audio(
        device: device, kind: kind, message: "", rate: 48_000, periodFrames: 256, bufferFrames: 1_024,
        scheduling: .other, leadUs: 0, framesRendered: 0, xruns: 0, lateStarts: 0, activeVoices: 0, peak: 0),
      haptics: [],
      music: MusicStatus.Result(
        state: .stopped, track: nil, positionUs: nil, atUs: 0, durationUs: nil, bpm: nil, fading: [],
        timeline: Timeline(frame: 0, instantUs: 0, framesPerSecond: 48_000, errorUs: 0)),
      rhythm: RhythmStatus.Result(
        chapter: nil, running: false,
        score: Score(
          hits: 0, misses: 0, ghosts: 0, remaining: 0, assisted: false, medianErrorUs: nil, meanErrorUs: nil,
          spreadUs: nil),
        positionUs: nil),
      settings: Settings(), clients: clients,
      resources: EngineStatus.Resources(residentBytes: 0, peakResidentBytes: 0, cpuUs: 0), problems: [])
  }
}
