import Testing

@Suite struct DeviceSelectionTests {
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
}
