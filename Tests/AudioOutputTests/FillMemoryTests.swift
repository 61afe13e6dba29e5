// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import AudioOutput

@Suite struct FillMemoryTests {
  private let card = DeviceKey(name: "hw:0", card: "PCH", driver: "HDA-Intel")

  @Test func whatIsRememberedIsReadAgain() {
    var memory = FillMemory()
    memory.remember(256, for: card)
    memory.remember(512, for: DeviceKey(name: "default"))
    #expect(memory.text == "256\thw:0\tPCH\tHDA-Intel\n512\tdefault\t\t\n")
    let again = FillMemory(reading: memory.text)
    #expect(again == memory)
    #expect(again[card] == 256)
    #expect(again[DeviceKey(name: "default")] == 512)
  }

  @Test func anotherCardUnderTheSameNameIsAnotherDevice() {
    var memory = FillMemory()
    memory.remember(256, for: card)
    #expect(memory[DeviceKey(name: "hw:0", card: "USB", driver: "USB-Audio")] == nil)
    #expect(memory[DeviceKey(name: "hw:1", card: "PCH", driver: "HDA-Intel")] == nil)
  }

  @Test func theLatestWordCountsAndMovesToTheEnd() {
    var memory = FillMemory()
    memory.remember(256, for: card)
    memory.remember(512, for: DeviceKey(name: "default"))
    memory.remember(1_024, for: card)
    #expect(memory[card] == 1_024)
    #expect(memory.text == "512\tdefault\t\t\n1024\thw:0\tPCH\tHDA-Intel\n")
  }

  @Test func aDeviceCanBeForgotten() {
    var memory = FillMemory()
    memory.remember(256, for: card)
    memory.remember(512, for: DeviceKey(name: "default"))
    memory.forget(card)
    #expect(memory.text == "512\tdefault\t\t\n")
  }

  @Test func theOldestIsForgottenBeyondTheLimit() {
    var memory = FillMemory()
    for index in 0...FillMemory.limit { memory.remember(256, for: DeviceKey(name: "hw:\(index)")) }
    #expect(memory[DeviceKey(name: "hw:0")] == nil)
    #expect(memory[DeviceKey(name: "hw:1")] == 256)
    #expect(memory[DeviceKey(name: "hw:\(FillMemory.limit)")] == 256)
    #expect(FillMemory(reading: memory.text) == memory)
  }

  @Test(arguments: [
    "", "\n\n", "nonsense", "256\thw:0", "256\thw:0\tPCH\tHDA-Intel\tmore", "0\thw:0\t\t", "-1\thw:0\t\t",
    "31\thw:0\t\t",
    "8193\thw:0\t\t", "99999999999999999999\thw:0\t\t", "256 \thw:0\t\t", "256\t\t\t", "\u{0}\t\u{1}\t\u{2}\t\u{3}",
  ])
  func whatDoesNotReadIsPassedOver(line: String) {
    #expect(FillMemory(reading: line) == FillMemory())
    #expect(FillMemory(reading: line + "\n256\thw:0\tPCH\tHDA-Intel\r\n" + line)[card] == 256)
  }

  @Test func aNameThatWouldBreakTheLineIsNotRemembered() {
    var memory = FillMemory()
    memory.remember(256, for: DeviceKey(name: "a\tb"))
    memory.remember(256, for: DeviceKey(name: "a", card: "b\nc"))
    #expect(memory == FillMemory())
  }

  @Test(arguments: ["\u{85}", "\u{2028}", "\u{2029}", "\u{301}"])
  func aNameMayHaveWhatEndsALineElsewhere(character: String) {
    var memory = FillMemory()
    memory.remember(256, for: DeviceKey(name: "a" + character + "b", card: character))
    #expect(FillMemory(reading: memory.text) == memory)
    #expect(FillMemory(reading: memory.text)[DeviceKey(name: "a" + character + "b", card: character)] == 256)
  }

  @Test func theFileIsWrittenWithItsFoldersAndReadAgain() {
    // Beside a file, whose name nobody else has.
    let own = TemporaryFile()
    let folder = own.path + ".d"
    let path = folder + "/state/starlight/fills"
    let file = FillFile(path: path)
    #expect(file.read() == FillMemory())
    var memory = FillMemory()
    memory.remember(256, for: card)
    #expect(file.write(memory) == nil)
    #expect(file.read() == memory)
    memory.remember(512, for: card)
    #expect(file.write(memory) == nil)
    #expect(file.read() == memory)
    unlink(path)
    // Nothing else is left in its folder.
    for part in ["/state/starlight", "/state", ""] { #expect(rmdir(folder + part) == 0) }
  }

  @Test func aFileThatCannotBeWrittenIsAProblemToldAndNoMore() {
    let file = FillFile(path: "/proc/starlight/fills")
    #expect(file.read() == FillMemory())
    let problem = file.write(FillMemory())
    #expect(problem?.description.contains("/proc/starlight/fills") == true)
    #expect(problem?.description.contains("--period") == true)
  }

  @Test func aRequestTakesWhatIsKnownUnlessAPeriodIsConfigured() {
    var request = DeviceRequest(name: "hw:0", rate: 48_000, period: nil, periods: nil)
    #expect(request.adapted(to: card).neededFill == nil)
    request.memory.remember(512, for: card)
    #expect(request.adapted(to: card).neededFill == 512)
    #expect(request.adapted(to: DeviceKey(name: "hw:0")).neededFill == nil)
    request.neededFill = 256
    #expect(request.adapted(to: card).neededFill == 512)
    request.neededFill = 1_024
    #expect(request.adapted(to: card).neededFill == 1_024)
    request.period = 64
    #expect(request.adapted(to: card).geometry(.card) == DeviceFill(frames: 192, period: 64, ring: 192))
  }

  @Test func aDeviceIsOpenedWithTheFillItNeededAndCanGrowFurther() throws {
    var request = DeviceRequest(name: "plug:null", rate: 48_000, period: nil, periods: nil)
    request.memory.remember(2_048, for: DeviceKey(name: "plug:null"))
    let opened = try openDevice(request)
    defer { closeDevice(opened.device) }
    #expect(opened.key == DeviceKey(name: "plug:null"))
    #expect(opened.description.period == 512)
    #expect(opened.description.buffer == 2_048)
    #expect(opened.device.pointee.canGrow)
  }
}
