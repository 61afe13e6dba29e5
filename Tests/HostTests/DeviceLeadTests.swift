// SPDX-License-Identifier: Apache-2.0

import Engine
import Outcomes
import Testing
import Timing
import Wire

@testable import Host

/// A sound device that is heard later than it tells, as a headset by radio is: what is told is what is heard.
@Suite struct DeviceLeadTests {
  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {"main": {"file": "main.wav"}},
     "sounds": {"sfx_click": {"file": "sfx_click.wav"}},
     "chapters": {"one": {"track": "main", "title": "One", "length": 2.5, "spawnLead": 0.5,
                          "beats": [{"at": 1}, {"at": 1.5}]}}}
    """

  private func rig() throws -> HostRig {
    let rig = try HostRig(manifest: Self.manifest, files: ["main", "sfx_click"])
    rig.host.topics = [.rhythm, .timeline, .devices]
    return rig
  }

  private func audio(_ rig: HostRig) -> SteppedAudio {
    guard case .stepped(let audio) = rig.host.driver else { fatalError("a live host") }
    return audio
  }

  @Test func aSoundIsHandedOverSoMuchEarlierThanItIsHeard() throws {
    let rig = try rig()
    let set = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":200000}"#)
    #expect(try HostRig.result(set, DevicesSet.Result.self).audio?.deviceLeadUs == 200_000)
    rig.step(microseconds: 10_000)
    // 10 ms later all that is heard up to 210 ms is with the device.
    #expect(audio(rig).frame == 10_080)
    let played = try HostRig.result(rig.ask("sound.play", #"{"sound":"sfx_click"}"#), SoundPlay.Result.self)
    // Now is 1.01 s; the mixer is a look-ahead of 48 frames further.
    #expect(played.scheduledUs == 1_211_000)
    let planned = try HostRig.result(
      rig.ask("sound.play", #"{"sound":"sfx_click","atUs":2000000}"#), SoundPlay.Result.self)
    #expect(planned.scheduledUs == 2_000_000 && planned.lateUs == 0)
    // Heard at 2 s: frame 48,000, with the device from 1.8 s on.
    rig.step(microseconds: 788_000)
    #expect(rig.host.status().audio.activeVoices == 0 && audio(rig).frame < 48_000)
    rig.step(microseconds: 12_000)
    #expect(rig.host.status().audio.activeVoices == 1 && rig.host.status().audio.lateStarts == 0)
  }

  @Test func aHeadsetOfTwoHundredMillisecondsIsPlayable() throws {
    for lead in [0, 200_000] as [Int64] {
      let rig = try rig()
      _ = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":\#(lead)}"#)
      rig.step(microseconds: 10_000)
      _ = rig.host.takeNotifications()
      let asked = rig.host.now.microseconds
      let started = try HostRig.result(rig.ask("rhythm.start", #"{"chapter":"one"}"#), RhythmStart.Result.self)
      #expect(started.deviceLeadUs == lead && started.startUs >= asked + lead)
      #expect(rig.host.status().rhythm.deviceLeadUs == lead)
      rig.step(microseconds: started.startUs + 990_000 - asked)
      // The beat at 1 s is heard at that instant: its frame went to the device a lead ago.
      let beat = started.startUs + 1_000_000
      #expect(audio(rig).frame >= audio(rig).timeline.frame(at: Instant(microseconds: beat - 10_000 + lead)))
      rig.step(microseconds: 20_000)
      let told = rig.host.takeNotifications().map { String(decoding: $0.line(seq: 1), as: UTF8.self) }
      let spawns = told.filter { $0.contains("rhythm.spawn") }
      #expect(
        spawns.first?.contains("\"beatUs\":\(beat)") == true
          && spawns.first?.contains("\"tUs\":\(beat - 500_000)") == true)
      #expect(told.filter { $0.contains("rhythm.beat\"") }.map { $0.contains("\"tUs\":\(beat)") } == [true])
      // Whoever taps with what is heard hits it in the middle.
      let tapped = try HostRig.result(rig.ask("rhythm.tap", #"{"atUs":\#(beat)}"#), RhythmTap.Result.self)
      #expect(tapped.verdict == .hit && tapped.errorUs == 0)
    }
  }

  @Test func whatWasToldHoldsWhereTheLeadIsSetMeanwhile() throws {
    let rig = try rig()
    rig.step(microseconds: 10_000)
    let planned = try HostRig.result(
      rig.ask("sound.play", #"{"sound":"sfx_click","atUs":1500000}"#), SoundPlay.Result.self)
    _ = rig.host.takeNotifications()
    _ = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":83000}"#)
    // 480 frames were with the device; the next that it is given is heard 83 ms from now, and 3,984 are passed over.
    let told = rig.host.takeNotifications().map { String(decoding: $0.line(seq: 1), as: UTF8.self) }
    #expect(
      told.contains { $0.contains("timeline.corrected") && $0.contains("\"frame\":480,\"lostFrames\":3984") }, "\(told)"
    )
    #expect(told.contains { $0.contains("devices.changed") })
    let again = try HostRig.result(
      rig.ask("sound.play", #"{"sound":"sfx_click","atUs":1500000}"#), SoundPlay.Result.self)
    #expect(again.scheduledUs == planned.scheduledUs)
    // A shorter lead passes nothing over: the device waits.
    rig.step(microseconds: 10_000)
    _ = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":7000}"#)
    let frame = audio(rig).frame
    rig.step(microseconds: 70_000)
    #expect(audio(rig).frame == frame)
    rig.step(microseconds: 10_000)
    #expect(audio(rig).frame == audio(rig).timeline.frame(at: rig.host.now + .microseconds(7_000)))
    rig.step(microseconds: 500_000)
    #expect(rig.host.status().audio.lateStarts == 0)
  }

  /// What a device is early by may be more than it takes to be reached.
  @Test func whatIsAskedForNowIsNeverHeardBeforeNow() throws {
    struct Scheduled: Decodable {
      var scheduledUs: Int64
      var lateUs: Int64
    }
    let rig = try HostRig(manifest: Self.manifest, files: ["main", "sfx_click"])
    _ = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":-22151}"#)
    rig.step(microseconds: 98_347)
    #expect(rig.host.status().audio.leadUs >= 0)
    let asked = [
      ("music.play", #"{"track":"main"}"#), ("music.pause", "{}"), ("music.resume", "{}"),
      ("sound.play", #"{"sound":"sfx_click"}"#), ("music.stop", "{}"),
    ]
    for (method, params) in asked {
      let now = rig.host.now.microseconds
      let answer: Scheduled = try rig.result(method, params)
      #expect(answer.scheduledUs >= now && answer.lateUs == 0, "\(method): \(answer), now \(now)")
      rig.step(microseconds: 30_001)
    }
  }

  /// Those that are told the mixer 100 ms ahead, and those that were to be told later, alike.
  @Test func whatALongerLeadPassesOverIsLostInItsPlace() throws {
    let rig = try HostRig(manifest: Self.manifest, files: ["main", "sfx_click"], records: true)
    rig.host.topics = [.sound, .timeline]
    // 50 ms each: the first three end among the frames that are passed over, the fourth behind them, and the last is behind them.
    let offsets: [Int64] = [95_000, 105_000, 180_000, 280_000, 400_000]
    let planned = try offsets.map { offset in
      try HostRig.result(
        rig.ask("sound.play", #"{"sound":"sfx_click","atUs":\#(1_000_000 + offset)}"#), SoundPlay.Result.self)
    }
    rig.step(microseconds: 1_000)
    _ = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":300000}"#)
    rig.step(microseconds: 1_000_000)
    let ends = try rig.told(SoundFinished.self).map { "\($0.payload.id) \($0.payload.reason) \($0.tUs)" }
    #expect(ends.sorted() == zip(planned, offsets).map { "\($0.id ?? 0) ended \(1_050_000 + $1)" }.sorted())
    #expect(rig.host.status().audio.lateStarts == 0)
    for (sound, stage) in zip(planned, [.lost, .lost, .lost, .lost, .heard] as [LifeStage]) {
      let life: TraceExplain.Result = try rig.result("trace.explain", #"{"kind":"sound","id":\#(sound.id ?? 0)}"#)
      let last = try #require(life.stages.last)
      #expect(last.stage == stage && last.fromUs == sound.scheduledUs && last.lateUs == 0, "\(life)")
    }
    let heard = try rig.heard()
    // 14,400 frames from the 48th on; of the fourth what comes behind them fades in over 240.
    #expect(heard[..<14_448].allSatisfy { $0 == 0 })
    #expect(heard[14_448..<14_688].allSatisfy { (0...0.25).contains($0) } && heard[14_567] > 0.1)
    #expect(heard[14_688..<15_840].allSatisfy { $0 == 0.25 } && heard[15_840..<19_200].allSatisfy { $0 == 0 })
    #expect(heard[19_200..<21_600].allSatisfy { $0 == 0.25 })
  }

  @Test func aLeadIsFrozenWhileAChapterRuns() throws {
    let rig = try rig()
    _ = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":7000}"#)
    _ = rig.ask("rhythm.start", #"{"chapter":"one"}"#)
    let refused = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":83000}"#)
    #expect(refused.contains("alreadyRunning") && refused.contains("stays as it is"))
    #expect(rig.host.status().audio.deviceLeadUs == 7_000)
    _ = rig.ask("rhythm.stop")
    #expect(rig.ask("devices.set", #"{"device":"none","deviceLeadUs":83000}"#).contains(#""deviceLeadUs":83000"#))
  }

  /// A headset that takes the place of a loudspeaker in the middle of a chapter is heard as late as it is: the chapter goes by it.
  @Test func aDeviceThatTakesAnothersPlaceInAChapterIsPlayedByItsOwnLead() throws {
    let rig = try rig()
    _ = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":7000}"#)
    rig.step(microseconds: 10_000)
    let started = try HostRig.result(rig.ask("rhythm.start", #"{"chapter":"one"}"#), RhythmStart.Result.self)
    #expect(started.deviceLeadUs == 7_000)
    rig.step(microseconds: started.startUs + 500_000 - rig.host.now.microseconds)
    _ = rig.host.takeNotifications()
    _ = audio(rig).setLead(.microseconds(200_000))
    #expect(try HostRig.result(rig.ask("rhythm.status"), RhythmStatus.Result.self).deviceLeadUs == 200_000)
    let beat = started.startUs + 1_000_000
    rig.step(microseconds: beat - 10_000 - rig.host.now.microseconds)
    // The beat's frame went to the device 200 ms before the instant that was told of it.
    #expect(audio(rig).frame == audio(rig).timeline.frame(at: rig.host.now + .microseconds(200_000)))
    rig.step(microseconds: 20_000)
    let told = rig.host.takeNotifications().map { String(decoding: $0.line(seq: 1), as: UTF8.self) }
    #expect(told.filter { $0.contains("rhythm.beat\"") }.map { $0.contains("\"tUs\":\(beat)") } == [true])
    let tapped = try HostRig.result(rig.ask("rhythm.tap", #"{"atUs":\#(beat)}"#), RhythmTap.Result.self)
    #expect(tapped.verdict == .hit && tapped.errorUs == 0)
    // By the clock alone nothing is heard later than it is handed over.
    _ = audio(rig).setLead(.zero)
    #expect(try HostRig.result(rig.ask("rhythm.status"), RhythmStatus.Result.self).deviceLeadUs == 0)
  }

  @Test func whoIsToldOfADeviceIsToldItsLead() throws {
    let rig = try rig()
    _ = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":83000}"#)
    let told = rig.host.takeNotifications().map { String(decoding: $0.line(seq: 1), as: UTF8.self) }
    #expect(told.contains { $0.contains("devices.changed") && $0.contains(#""deviceLeadUs":83000"#) }, "\(told)")
  }

  /// On a headset a hit is felt when it is tapped, and heard as soon as it can be.
  @Test func touchThatAnswersAPlayerDoesNotWaitForAHeadset() throws {
    let rig = try HostRig(
      manifest: Self.manifest.replacing(
        #""chapters""#,
        with: #""cues": {"hit": {"steps": [{"sound": "sfx_click"}, "#
          + #"{"transient": {"intensity": 1, "sharpness": 1}}]}}, "chapters""#
      ).replacing(#""spawnLead""#, with: #""feedback": {"hit": "hit"}, "spawnLead""#), files: ["main", "sfx_click"])
    rig.host.topics = [.cue]
    _ = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":200000}"#)
    rig.step(microseconds: 10_000)
    let started = try HostRig.result(rig.ask("rhythm.start", #"{"chapter":"one"}"#), RhythmStart.Result.self)
    let beat = started.startUs + 1_000_000
    rig.step(microseconds: beat - rig.host.now.microseconds)
    _ = rig.ask("rhythm.tap", #"{"atUs":\#(beat)}"#)
    rig.step(microseconds: 300_000)
    let told = rig.host.takeNotifications().map { String(decoding: $0.line(seq: 1), as: UTF8.self) }
    let fired = try #require(told.first { $0.contains("cue.fired") })
    #expect(fired.contains(#""hapticAtUs":\#(beat)"#), "\(fired)")
    #expect(fired.contains(#""soundAtUs":\#(beat + 201_000)"#), "\(fired)")
  }

  @Test func whatIsInForceIsTold() throws {
    let rig = try rig()
    _ = rig.ask("devices.set", #"{"device":"none","deviceLeadUs":83000}"#)
    _ = rig.ask("settings.set", #"{"profile":"tv","judgingOffsetUs":-12000}"#)
    #expect(
      rig.host.calibration
        == Calibration(device: "none", deviceLeadUs: 83_000, profile: "tv", judgingOffsetUs: -12_000))
    #expect(rig.ask("devices.list").contains(#""deviceLeadUs":83000"#))
  }

  @Test func aDaemonThatPlaysOnNoDeviceSaysSoToWhoSetsItsLead() {
    let refusal = Engine.unknownSoundDevice("none", playing: "none")
    #expect(refusal.message == "no sound device plays, and where nothing is heard there is no lead to set")
    #expect(refusal.data.candidates == nil)
    #expect(Engine.unknownSoundDevice("hw:1", playing: "hw:0").data.candidates == ["hw:0"])
  }

  @Test func anotherDeviceAndBothAtOnceAreRefused() throws {
    let rig = try rig()
    #expect(rig.ask("devices.set", #"{"device":"hw:7","deviceLeadUs":1}"#).contains("no sound device hw:7 plays"))
    for params in [#"{"device":"none"}"#, #"{"device":"none","gain":1,"deviceLeadUs":1}"#] {
      #expect(rig.ask("devices.set", params).contains("either a gain or a deviceLeadUs"))
    }
    #expect(rig.ask("devices.set", #"{"device":"none","deviceLeadUs":1000001}"#).contains("is outside"))
  }
}
