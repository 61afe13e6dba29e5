// SPDX-License-Identifier: Apache-2.0

import AudioOutput
import Testing
import Timing

@testable import Host

/// What may still be heard, by which a sound card is let go or kept.
@Suite struct IdleDemandTests {
  private let nothing = IdlePolicy.Demand(isBusy: false, next: nil)

  @Test func aPlannedSoundIsWantedAtItsInstantUntilTheMixerHasIt() throws {
    let rig = try HostRig()
    #expect(rig.host.demand == nothing)
    let atUs = rig.host.now.microseconds + 3_000_000
    _ = rig.ask("sound.play", #"{"sound":"sfx_click","atUs":\#(atUs)}"#)
    #expect(rig.host.demand == .init(isBusy: false, next: Instant(microseconds: atUs)))
    rig.step(microseconds: 2_800_000)
    #expect(rig.host.demand.next == Instant(microseconds: atUs))
    // The mixer knows of it, and says itself that it is not calm.
    rig.step(microseconds: 150_000)
    #expect(rig.host.demand == nothing)
    #expect(rig.host.controller.mixer.pointee.calmFrames < 4_800)
  }

  @Test func plannedMusicIsWantedToo() throws {
    let rig = try HostRig()
    let atUs = rig.host.now.microseconds + 5_000_000
    _ = rig.ask("music.play", #"{"track":"main","atUs":\#(atUs)}"#)
    #expect(rig.host.demand == .init(isBusy: false, next: Instant(microseconds: atUs)))
  }

  @Test func whileTheEngineStandsNothingIsWanted() throws {
    let rig = try HostRig()
    let atUs = rig.host.now.microseconds + 3_000_000
    _ = rig.ask("sound.play", #"{"sound":"sfx_click","atUs":\#(atUs)}"#)
    _ = rig.ask("engine.pause")
    rig.step(microseconds: 1_000_000)
    #expect(rig.host.demand == nothing)
    _ = rig.ask("engine.resume")
    #expect(rig.host.demand.next.map { $0 > Instant(microseconds: atUs) + .milliseconds(900) } == true)
  }

  @Test func aPatternWithSoundsMayWantThemAtAnyMomentAndOneWithoutDoesNot() throws {
    let rig = try HostRig()
    let felt = #"{"Event":{"Time":2,"EventType":"HapticTransient"}}"#
    let heard = #"{"Event":{"Time":2,"EventType":"AudioContinuous","EventDuration":0.5}}"#
    _ = rig.ask("haptics.play", #"{"ahap":{"Version":1,"Pattern":[\#(felt)]}}"#)
    #expect(rig.host.demand == nothing)
    _ = rig.ask("haptics.play", #"{"ahap":{"Version":1,"Pattern":[\#(felt),\#(heard)]}}"#)
    #expect(rig.host.demand.isBusy)
    rig.step(microseconds: 4_000_000)
    #expect(rig.host.demand == nothing)
  }
}
