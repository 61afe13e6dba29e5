// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import AudioOutput

@Suite struct PeriodMemoryTests {
  private let card = DeviceKey(name: "hw:0", card: "PCH", driver: "HDA-Intel")

  @Test func whatIsRememberedIsReadAgain() {
    var memory = PeriodMemory()
    memory.remember(256, for: card)
    memory.remember(512, for: DeviceKey(name: "default"))
    #expect(memory.text == "256\thw:0\tPCH\tHDA-Intel\n512\tdefault\t\t\n")
    let again = PeriodMemory(reading: memory.text)
    #expect(again == memory)
    #expect(again[card] == 256)
    #expect(again[DeviceKey(name: "default")] == 512)
  }

  @Test func anotherCardUnderTheSameNameIsAnotherDevice() {
    var memory = PeriodMemory()
    memory.remember(256, for: card)
    #expect(memory[DeviceKey(name: "hw:0", card: "USB", driver: "USB-Audio")] == nil)
    #expect(memory[DeviceKey(name: "hw:1", card: "PCH", driver: "HDA-Intel")] == nil)
  }

  @Test func theLatestWordCountsAndMovesToTheEnd() {
    var memory = PeriodMemory()
    memory.remember(256, for: card)
    memory.remember(512, for: DeviceKey(name: "default"))
    memory.remember(1_024, for: card)
    #expect(memory[card] == 1_024)
    #expect(memory.text == "512\tdefault\t\t\n1024\thw:0\tPCH\tHDA-Intel\n")
  }

  @Test func theOldestIsForgottenBeyondTheLimit() {
    var memory = PeriodMemory()
    for index in 0...PeriodMemory.limit { memory.remember(256, for: DeviceKey(name: "hw:\(index)")) }
    #expect(memory[DeviceKey(name: "hw:0")] == nil)
    #expect(memory[DeviceKey(name: "hw:1")] == 256)
    #expect(memory[DeviceKey(name: "hw:\(PeriodMemory.limit)")] == 256)
    #expect(PeriodMemory(reading: memory.text) == memory)
  }

  @Test(arguments: [
    "", "\n\n", "nonsense", "256\thw:0", "256\thw:0\tPCH\tHDA-Intel\tmore", "0\thw:0\t\t", "-1\thw:0\t\t",
    "15\thw:0\t\t",
    "2049\thw:0\t\t", "99999999999999999999\thw:0\t\t", "256 \thw:0\t\t", "256\t\t\t", "\u{0}\t\u{1}\t\u{2}\t\u{3}",
  ])
  func whatDoesNotReadIsPassedOver(line: String) {
    #expect(PeriodMemory(reading: line) == PeriodMemory())
    #expect(PeriodMemory(reading: line + "\n256\thw:0\tPCH\tHDA-Intel\r\n" + line)[card] == 256)
  }

  @Test func aNameThatWouldBreakTheLineIsNotRemembered() {
    var memory = PeriodMemory()
    memory.remember(256, for: DeviceKey(name: "a\tb"))
    memory.remember(256, for: DeviceKey(name: "a", card: "b\nc"))
    #expect(memory == PeriodMemory())
  }

  @Test(arguments: ["\u{85}", "\u{2028}", "\u{2029}", "\u{301}"])
  func aNameMayHaveWhatEndsALineElsewhere(character: String) {
    var memory = PeriodMemory()
    memory.remember(256, for: DeviceKey(name: "a" + character + "b", card: character))
    #expect(PeriodMemory(reading: memory.text) == memory)
    #expect(PeriodMemory(reading: memory.text)[DeviceKey(name: "a" + character + "b", card: character)] == 256)
  }

  @Test func theFileIsWrittenWithItsFoldersAndReadAgain() {
    // Beside a file, whose name nobody else has.
    let own = TemporaryFile()
    let folder = own.path + ".d"
    let path = folder + "/state/starlight/periods"
    let file = PeriodFile(path: path)
    #expect(file.read() == PeriodMemory())
    var memory = PeriodMemory()
    memory.remember(256, for: card)
    #expect(file.write(memory) == nil)
    #expect(file.read() == memory)
    memory.remember(512, for: card)
    #expect(file.write(memory) == nil)
    #expect(file.read() == memory)
    #expect(access(path + ".new", F_OK) != 0)
    unlink(path)
    for part in ["/state/starlight", "/state", ""] { rmdir(folder + part) }
  }

  @Test func aFileThatCannotBeWrittenIsAProblemToldAndNoMore() {
    let file = PeriodFile(path: "/proc/starlight/periods")
    #expect(file.read() == PeriodMemory())
    let problem = file.write(PeriodMemory())
    #expect(problem?.description.contains("/proc/starlight/periods") == true)
    #expect(problem?.description.contains("--period") == true)
  }

  @Test func aRequestTakesWhatIsKnownUnlessAPeriodIsConfigured() {
    var request = DeviceRequest(name: "hw:0", rate: 48_000, period: nil, periods: nil)
    #expect(request.adapted(to: card).period == nil)
    request.memory.remember(512, for: card)
    #expect(request.adapted(to: card).period == 512)
    #expect(request.adapted(to: DeviceKey(name: "hw:0")).period == nil)
    request.grownPeriod = 256
    #expect(request.adapted(to: card).period == 512)
    request.grownPeriod = 1_024
    #expect(request.adapted(to: card).period == 1_024)
    request.period = 64
    #expect(request.adapted(to: card).period == 64)
  }

  @Test func aDeviceIsOpenedWithThePeriodItNeededAndCanGrowFurther() throws {
    var request = DeviceRequest(name: "plug:null", rate: 48_000, period: nil, periods: nil)
    request.memory.remember(512, for: DeviceKey(name: "plug:null"))
    let opened = try openDevice(request)
    defer { closeDevice(opened.device) }
    #expect(opened.key == DeviceKey(name: "plug:null"))
    #expect(opened.description.period == 512)
    #expect(opened.device.pointee.canGrow)
  }
}
