// SPDX-License-Identifier: Apache-2.0

import Haptics
import Testing
import Wire

@testable import Engine

@Suite struct LimitTests {
  @Test func helloTellsTheBoundsThatTheEngineHoldsTo() {
    let limits = Limits()
    #expect(limits.plansOfAClient == Shares.ofAClient)
    #expect(limits.plansOfAUser == Shares.ofAUser)
    #expect(limits.soundsOfAClient == Engine.mostSoundsOfAClient)
    #expect(limits.hapticPlayers == HapticBoard.mostPlayers)
    #expect(limits.hapticPlayersOfAClient == HapticBoard.mostPlayersOfAClient)
    #expect(limits.hapticPlayersReserved == HapticBoard.mostPlayers - HapticBoard.mostPlayersOfClients)
  }

  @Test(arguments: [String(repeating: "a", count: 129), "a" + String(repeating: "\u{301}", count: 12_000)])
  func aParameterOfAPatternWhoseNameIsTooLongIsNotEchoed(name: String) throws {
    let parameter = #"{"ParameterID": "\#(name)", "ParameterValue": 1}"#
    let text =
      #"{"Pattern": [{"Event": {"Time": 0, "EventType": "HapticTransient", "EventParameters": [\#(parameter)]}}]}"#
    let found = try AHAPDocument.parse(Array(text.utf8), name: "long").1
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.message.utf8.count < 300 }, "\(found)")
  }
}
