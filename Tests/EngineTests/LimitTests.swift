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
