// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import StarlightClient

/// A connection to a daemon that is at this.
func session(
  _ continuity: Session.Continuity = .first, nowUs: Int64 = 0, clock: ClockKind = .live, playing: String? = nil,
  state: String = "playing", music: Bool = true, sound: Bool = true, haptics: Bool = true, pausedUs: Int64? = nil
) throws -> Event {
  let timeline = #"{"frame":0,"instantUs":0,"framesPerSecond":48000,"errorUs":0}"#
  let track = playing.map { #""state":"\#(state)","track":"\#($0)""# } ?? #""state":"stopped""#
  let paused = pausedUs.map { #""paused":{"atUs":\#($0),"clients":1,"sleep":false},"# } ?? ""
  let text = """
    {"nowUs":\(nowUs),"clock":"\(clock.rawValue)","uptimeUs":0,"version":"1","audio":{"device":"none","kind":"null",
     "message":"","rate":48000,"periodFrames":1,"bufferFrames":1,"scheduling":"other","leadUs":0,"framesRendered":0,
     "xruns":0,"lateStarts":0,"activeVoices":0,"peak":0,"deviceLeadUs":0,"resting":false},"haptics":[],
     "music":{\(track),"atUs":0,"pausedBy":[],"fading":[],"planned":[],"plannedCount":0,"timeline":\(timeline)},
     "rhythm":{"running":false,"score":{"hits":0,"misses":0,"ghosts":0,"voided":0,"remaining":0,"assisted":false,"combo":0,"longestCombo":0,"grades":[]},"lanes":[],"grades":[],
     "beatsInSight":[],"verdicts":[]},"settings":{"music":\(music),"sound":\(sound),"haptics":\(haptics),"masterVolume":1,
     "musicVolume":1,"soundVolume":1,"voiceVolume":1,"hapticsVolume":1,"profile":"player",
     "judgingOffsetUs":0,"profiles":[]},"clients":1,\(paused)
     "resources":{"residentBytes":0,"peakResidentBytes":0,"cpuUs":0},"problems":[]}
    """
  return .connected(
    Session(
      hello: SessionHello.Result(
        protocol: 1, server: "starlightd", clock: clock, nowUs: nowUs, bootId: "", instanceId: "", limits: Limits(),
        capabilities: []),
      pack: "freefall", snapshot: try JSONDecoder().decode(EngineStatus.Result.self, from: Data(text.utf8)),
      continuity: continuity))
}

let gone = Event.disconnected(ClientError(.closed, "gone"))
