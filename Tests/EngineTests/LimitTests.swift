// SPDX-License-Identifier: Apache-2.0

import Mixing
import Testing
import Wire

@testable import Engine

@Suite struct LimitTests {
  @Test func helloTellsTheBoundsThatTheEngineHoldsTo() {
    let limits = Limits()
    #expect(limits.plansOfAClient == Shares.ofAClient)
    #expect(limits.laterPlansOfAClient == Shares.plans.laterOfAClient)
    #expect(limits.plansOfAUser == Shares.ofAUser)
    #expect(limits.plansOfAll == Shares.ofAll)
    #expect(limits.plansReserved == Shares.plans.ofTheDaemon)
    #expect(limits.urgentPlansOfAClient == Shares.plans.urgentOfAClient)
    #expect(limits.soundsOfAClient == Engine.mostSoundsOfAClient)
    #expect(limits.hapticPlayers == HapticBoard.mostPlayers)
    #expect(limits.ownHapticPlayersOfAClient == HapticBoard.ownOfAClient)
    #expect(limits.clients == HapticBoard.mostOwners)
    #expect(limits.hapticPlayersOfAClient == HapticBoard.mostPlayersOfAClient)
    #expect(limits.hapticPlayersOfAUser == HapticBoard.mostPlayersOfAUser)
    #expect(limits.hapticPlayersReserved == HapticBoard.mostPlayers - HapticBoard.mostPlayersOfClients)
    #expect(limits.hapticChangesOfAClient == HapticChanges.bounds.ofAClient)
    #expect(limits.hapticChangesOfAUser == HapticChanges.bounds.ofAUser)
    #expect(limits.hapticChangesOfAll == HapticChanges.bounds.ofAll)
    #expect(limits.urgentHapticChangesOfAClient == HapticChanges.bounds.urgentOfAClient)
    #expect(limits.earlierGenerations == GenerationShares.most)
    #expect(limits.earlierGenerationsOfAClient == GenerationShares.ofAClient)
    #expect(limits.earlierGenerationsOfAUser == GenerationShares.ofAUser)
  }

  @Test func helloTellsWhatNoOtherClientCanTake() {
    let limits = Limits()
    #expect(limits.soundStepsOfAClient == SoundPacing.ofAClient)
    #expect(limits.soundStopsOfAClient == SoundPacing.stopsOfAClient)
    #expect(limits.soundStepsShared == SoundPacing.shared)
    #expect(limits.voices == MixerConfiguration().effectVoices)
    #expect(limits.voicePlacesOfAClient == MixerConfiguration().slotsOfAnOwner)
    #expect(limits.musicChangesOfAClient == Engine.musicVerbsAtOnce.ofAClient)
    #expect(limits.musicChangesShared == Engine.musicVerbsAtOnce.shared)
    #expect(limits.clients == MixerConfiguration().owners)
    #expect(limits.clientsOfAUser == CommonRoom.clientsOfAUser)
  }

  /// Plans are given back as sounds begin, so it is no share of plans that refuses; another client is not concerned.
  @Test func ofSoundsThatPlayAClientHas1024() throws {
    var fixture = try EngineFixture()
    func play(by client: UInt64) throws -> Int64? {
      try fixture.engine.playSound(
        SoundPlay.Params(sound: "word", loop: true), by: Cause(client: ClientID(rawValue: client), user: 1_000)
      ).id
    }
    var voices: [Int64?] = []
    for _ in 0..<1_024 {
      voices.append(try play(by: 1))
      _ = fixture.run(to: fixture.output.now.microseconds + 10_000)
    }
    let refused = #expect(throws: RPCError.self) { try play(by: 1) }
    #expect(refused?.data.kind == "busy" && refused?.message.contains("1024 sounds of this client") == true)
    #expect(try play(by: 2) != nil)
    fixture.engine.voiceFinished(VoiceID(rawValue: UInt64(try #require(voices[500]))), at: 0, .stopped)
    #expect(try play(by: 1) != nil)
  }

  /// What the mixer takes is more than all that it may be told at once.
  @Test func whatEachClientHasToItselfFitsBesideAllElse() {
    let (limits, mixer) = (Limits(), MixerConfiguration())
    let sounds =
      limits.clients * (SoundPacing.ofAClient + SoundPacing.stopsOfAClient) + SoundPacing.shared
      + SoundPacing.ofTheDaemon
    // What nobody asks leave for, of each sound once: to take it back before it begins, or to end what is heard.
    let undone = limits.clients * SoundPacing.ofAClient + SoundPacing.shared + SoundPacing.ofTheDaemon
    let unasked = undone + mixer.effectVoices
    let music = MusicPacing.shared + MusicPacing.mostOfAClient
    // A start leaves an eighth free, and what steers sounds takes a quarter.
    let (kept, steering) = (mixer.commandCapacity / 8, mixer.commandCapacity / 4)
    #expect(sounds + unasked + music + 2 * SwitchPacing.most + steering + kept <= mixer.commandCapacity)
    // Voices: all owners' own places, and two thirds of the rest for a user that replaces all that sounds.
    let shared = mixer.effectVoices + mixer.effectReserve - mixer.owners * mixer.slotsOfAnOwner
    #expect(mixer.slotsOfAnOwner + shared * 2 / 3 >= 2 * mixer.effectVoices)
  }
}
