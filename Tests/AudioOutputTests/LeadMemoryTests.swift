// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing
import Timing

@testable import AudioOutput

@Suite struct LeadMemoryTests {
  private let headset = DeviceKey(name: "default")
  private let card = DeviceKey(name: "hw:0", card: "PCH", driver: "HDA-Intel")

  @Test func whatWasCalibratedIsReadAgain() {
    var memory = LeadMemory()
    memory.remember(.microseconds(200_000), for: headset)
    memory.remember(.microseconds(-1_500), for: card)
    #expect(memory.text == "200000\tdefault\t\t\n-1500\thw:0\tPCH\tHDA-Intel\n")
    let again = LeadMemory(reading: memory.text)
    #expect(again == memory && again[headset] == .microseconds(200_000) && again[card] == .microseconds(-1_500))
    #expect(again[DeviceKey(name: "hw:1")] == .zero)
  }

  @Test func noLeadIsForgotten() {
    var memory = LeadMemory()
    memory.remember(.microseconds(200_000), for: headset)
    memory.remember(.zero, for: headset)
    #expect(memory == LeadMemory() && memory.text.isEmpty)
  }

  @Test(arguments: ["", "x\tdefault\t\t", "1000001\tdefault\t\t", "-100001\tdefault\t\t", "5\tdefault", "5\t\t\t"])
  func whatMakesNoSenseIsPassedOver(_ line: String) {
    #expect(LeadMemory(reading: line + "\n") == LeadMemory())
    #expect(LeadMemory(reading: line + "\n7000\thw:0\tPCH\tHDA-Intel\n")[card] == .microseconds(7_000))
  }

  @Test func itIsKeptInAFile() throws {
    let path = "/tmp/starlight-leads-\(getpid())-\(UInt32.random(in: .min ... .max))"
    defer { unlink(path) }
    let file = LeadFile(path: path)
    #expect(file.read() == LeadMemory())
    var memory = LeadMemory()
    memory.remember(.microseconds(83_000), for: card)
    #expect(file.write(memory) == nil)
    #expect(file.read() == memory)
    #expect(LeadFile(path: "/proc/starlight/leads").write(memory)?.kind == .leadNotKept)
  }
}
