// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

@testable import Engine

@Suite struct LimitTests {
  @Test func helloTellsTheBoundsThatTheEngineHoldsTo() {
    let limits = Limits()
    #expect(limits.plansOfAClient == Shares.ofAClient)
    #expect(limits.plansOfAUser == Shares.ofAUser)
    #expect(limits.plansOfAll == Shares.ofAll)
    #expect(limits.soundsOfAClient == Engine.mostSoundsOfAClient)
    #expect(limits.hapticPlayers == HapticBoard.mostPlayers)
    #expect(limits.hapticPlayersOfAClient == HapticBoard.mostPlayersOfAClient)
    #expect(limits.hapticPlayersOfAUser == HapticBoard.mostPlayersOfAUser)
    #expect(limits.hapticPlayersReserved == HapticBoard.mostPlayers - HapticBoard.mostPlayersOfClients)
  }
}
