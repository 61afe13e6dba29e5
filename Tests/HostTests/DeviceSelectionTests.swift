// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Host

@Suite struct DeviceSelectionTests {
  @Test(arguments: [("none", "no pad, as asked for"), (nil, "no pad"), ("all", "no pad")] as [(String?, String)])
  func theLogSaysWhetherNoPadWasAskedFor(haptics: String?, said: String) throws {
    var configuration = HostConfiguration()
    configuration.clock = .stepped
    configuration.haptics = haptics
    #expect(try Host(configuration).summary.contains("; haptics: \(said); "))
  }

  @Test func aPadThatIsNotPluggedInIsRefused() throws {
    let rig = try HostRig()
    let ahap = #"{"Version": 1, "Pattern": []}"#
    let unknown = rig.ask("haptics.play", #"{"ahap": \#(ahap), "device": "no such pad"}"#)
    #expect(unknown.contains("no haptic output no such pad"))
    #expect(unknown.contains("unknownName"))
    #expect(rig.ask("haptics.play", #"{"ahap": \#(ahap), "device": " , "}"#).contains("device names no pad"))
    #expect(rig.ask("haptics.play", #"{"ahap": \#(ahap), "device": "all"}"#).contains("scheduledUs"))
    #expect(rig.ask("haptics.play", #"{"ahap": \#(ahap), "device": "none"}"#).contains("scheduledUs"))
  }

  @Test func theLogIsNoPadAndTheRefusalSaysSo() throws {
    var log = ""
    let rig = try HostRig(
      change: { log = $0 + "/felt.ndjson" }, configure: { $0.hapticLogPath = log })
    let refused = rig.ask("haptics.play", #"{"ahap": {"Version": 1, "Pattern": []}, "device": "\#(log)"}"#)
    #expect(refused.contains("is the haptic log, which is no pad") && refused.contains("leave it out"), "\(refused)")
  }

  @Test func whatStandsForNoOutputIsNotAdvised() throws {
    let rig = try HostRig()
    #expect(rig.ask("devices.list").contains(#""name":"null""#))
    let refused = rig.ask("devices.set", #"{"device": "null", "gain": 1}"#)
    #expect(refused.contains("no haptic output null\""), "\(refused)")
    #expect(!refused.contains("did you mean") && !refused.contains(#""candidates":["null"]"#))
    let long = rig.ask("devices.set", #"{"device": "\#(String(repeating: "x", count: 1_000))", "gain": 1}"#)
    #expect(long.contains("unknownName") && long.utf8.count < 300)
  }
}
