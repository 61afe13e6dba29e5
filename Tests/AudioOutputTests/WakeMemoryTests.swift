// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing
import Timing

@testable import AudioOutput

@Suite struct WakeMemoryTests {
  private let card = DeviceKey(name: "hw:0", card: "PCH", driver: "HDA-Intel")

  @Test func theLongestIsRememberedUpToTheMicrosecond() {
    var (memory, isNews) = (WakeMemory(), false)
    #expect(memory[card] == nil)
    isNews = memory.note(Interval(nanoseconds: 20_000_001), of: card)
    #expect(isNews)
    #expect(memory[card] == .microseconds(20_001))
    isNews = memory.note(.microseconds(20_001), of: card)
    #expect(!isNews)
    isNews = memory.note(.microseconds(15_000), of: card)
    #expect(!isNews)
    isNews = memory.note(.microseconds(31_000), of: card)
    #expect(isNews)
    #expect(memory.text == "31000\thw:0\tPCH\tHDA-Intel\n")
    #expect(WakeMemory(reading: memory.text) == memory)
  }

  @Test func oneThatWasTooLongIsForgottenAsTheDeviceIsOpenedAgain() {
    var (memory, isNews) = (WakeMemory(), false)
    isNews = memory.note(.milliseconds(90_000), of: card)
    #expect(isNews)
    #expect(memory[card] == .milliseconds(10_000))
    isNews = memory.note(.milliseconds(30), of: card)
    #expect(isNews)
    #expect(memory[card] == .milliseconds(30))
    isNews = memory.note(.milliseconds(20), of: card)
    #expect(!isNews)
  }

  @Test(arguments: ["", "x\tdefault\t\t", "0\tdefault\t\t", "10000001\tdefault\t\t", "5\tdefault", "5\t\t\t"])
  func whatMakesNoSenseIsPassedOver(_ line: String) {
    #expect(WakeMemory(reading: line + "\n") == WakeMemory())
  }

  @Test func itIsKeptInAFile() {
    let path = "/tmp/starlight-wakes-\(getpid())-\(UInt32.random(in: .min ... .max))"
    defer { unlink(path) }
    let file = WakeFile(path: path)
    #expect(file.read() == WakeMemory())
    var memory = WakeMemory()
    _ = memory.note(.microseconds(23_000), of: card)
    file.write(memory)
    #expect(file.read() == memory)
    // A folder that cannot be written fails nothing.
    WakeFile(path: "/proc/starlight/wakes").write(memory)
  }
}
