// SPDX-License-Identifier: Apache-2.0

import Glibc
import Haptics
import Problems
import Testing
import Timing

@testable import HapticOutput

@Suite struct HapticPadTests {
  private func pad(bus: UInt16 = 3, vendor: UInt16, product: UInt16, path: String = "/dev/input/event0") -> HapticPad {
    HapticPad(path: path, name: "Pad", bus: bus, vendor: vendor, product: product, effects: [.rumble])
  }

  @Test func effectsAreReadFromTheCapabilitiesOfTheKernel() {
    // Bits 0x50 (rumble), 0x51 (periodic) and 0x60 (gain) of xpad: bits 16, 17 and 32 of the second word.
    #expect(HapticPad.effects(inCapabilities: "107030000 0\n", wordBits: 64) == [.rumble, .periodic, .gain])
    #expect(HapticPad.effects(inCapabilities: "1 7030000 0 0\n", wordBits: 32) == [.rumble, .periodic, .gain])
    #expect(HapticPad.effects(inCapabilities: "40000 0", wordBits: 64) == [.constant])
    #expect(HapticPad.effects(inCapabilities: "0\n", wordBits: 64) == [])
    #expect(HapticPad.effects(inCapabilities: "", wordBits: 64) == [])
  }

  /// The table of docs/haptics.md. Vendors and products as in the kernel's xpad, hid-playstation, hid-nintendo, hid-steam.
  @Test(arguments: [
    (bus: 3, vendor: 0x045E, product: 0x028E, interval: 16, floor: 0.08, lead: 35),  // Xbox 360, cable
    (bus: 5, vendor: 0x045E, product: 0x02FD, interval: 50, floor: 0.08, lead: 35),  // Xbox One S, Bluetooth
    (bus: 3, vendor: 0x054C, product: 0x0CE6, interval: 16, floor: 0.02, lead: 10),  // DualSense, cable
    (bus: 5, vendor: 0x054C, product: 0x0DF2, interval: 30, floor: 0.02, lead: 10),  // DualSense Edge, Bluetooth
    (bus: 3, vendor: 0x054C, product: 0x09CC, interval: 16, floor: 0.08, lead: 35),  // DualShock 4, cable
    (bus: 5, vendor: 0x057E, product: 0x2009, interval: 50, floor: 0.05, lead: 10),  // Switch Pro, Bluetooth
    (bus: 3, vendor: 0x057E, product: 0x2009, interval: 50, floor: 0.05, lead: 10),  // Switch Pro, cable
    (bus: 3, vendor: 0x28DE, product: 0x1205, interval: 16, floor: 0.02, lead: 10),  // Steam Deck
    (bus: 5, vendor: 0x2DC8, product: 0x6101, interval: 30, floor: 0.08, lead: 35),  // any other, Bluetooth
  ])
  func padsAreDrivenByTheirProfile(
    bus: UInt16, vendor: UInt16, product: UInt16, interval: Int64, floor: Double, lead: Int64
  ) {
    let profile = PadProfile(pad(bus: bus, vendor: vendor, product: product))
    #expect(profile.timing == RumbleTiming(interval: .milliseconds(interval)))
    #expect(profile.motors == MotorProfile(floor: floor))
    #expect(profile.lead == .milliseconds(lead))
  }

  @Test func padIsKnownAgainUnderAnotherPath() {
    let first = pad(vendor: 1, product: 2)
    #expect(first.isSame(as: pad(vendor: 1, product: 2, path: "/dev/input/event9")))
    #expect(!first.isSame(as: pad(vendor: 1, product: 3)))
  }

  @Test func padsAreChosenByNameOrPath() throws {
    let deck = pad(vendor: 1, product: 2, path: "/dev/input/event3")
    var xbox = pad(vendor: 1, product: 3, path: "/dev/input/event12")
    xbox.name = "Microsoft X-Box 360 pad"
    func chosen(_ text: String) throws -> [Bool] {
      let selection = try #require(HapticSelection(text))
      return [deck, xbox].map(selection.contains)
    }
    #expect(try chosen("all") == [true, true])
    #expect(try chosen("none") == [false, false])
    #expect(try chosen("x-box") == [false, true])
    #expect(try chosen("/dev/input/event3") == [true, false])
    #expect(try chosen(" X-Box 360 , /dev/input/event3 ") == [true, true])
    #expect(try chosen("/dev/input/event1") == [false, false])
    #expect(HapticSelection(" , ") == nil)
    #expect(HapticSelection("x-box, wheel")?.missing(among: [deck, xbox]) == ["wheel"])
    // One that is unplugged has no path.
    #expect(HapticSelection("pad")?.contains(name: "A Pad", path: nil) == true)
    #expect(HapticSelection("/dev/input/event3")?.contains(name: "A Pad", path: nil) == false)
  }

  @Test func whatAProgramMadeIsNeverPluggedInAnew() {
    var made = pad(bus: 6, vendor: 1, product: 2)
    made.number = 23
    var next = made
    #expect(made.isSame(as: next))
    next.number = 24
    #expect(!made.isSame(as: next) && !next.isSame(as: made))
  }

  @Test func aNodeIsUsedOnce() {
    let (claims, path) = (PadClaims(), "/dev/input/event3")
    do {
      let claim = claims.take(path)
      #expect(claim != nil && claims.taken == [path])
      let second = claims.take(path)
      #expect(second == nil && claims.taken == [path])
    }
    #expect(claims.taken == [])
  }

  @Test func aPadThatCannotBeOpenedIsFree() {
    let (claims, file) = (PadClaims(), pad(vendor: 1, product: 2, path: "/dev/null"))
    for _ in 0..<2 { #expect(throws: Problem.self) { try EvdevHapticDevice(file, claims: claims) } }
    #expect(claims.taken == [])
    let claim = claims.take("/dev/null")
    #expect {
      try EvdevHapticDevice(file, claims: claims)
    } throws: { "\($0)".contains("busy") }
    _ = consume claim
  }

  @Test func padThatCannotBeOpenedIsExplained() {
    let gone = pad(vendor: 1, product: 2, path: "/dev/input/nonexistent")
    #expect {
      try EvdevHapticDevice(gone)
    } throws: { error in
      "\(error)".contains("/dev/input/nonexistent") && "\(error)".contains("plug the pad in again")
    }
    #expect(Problem.opening(gone, errno: EACCES).description.contains("udev rule"))
    // A file of another sort has no force feedback.
    let file = pad(vendor: 1, product: 2, path: "/dev/null")
    #expect(throws: Problem.self) { try EvdevHapticDevice(file) }
  }

  @Test func ofWritesThatAreLateTheLastWins() {
    let low = MotorLevels(strong: 0.25, weak: 0)
    let high = MotorLevels(strong: 1, weak: 0)
    #expect(RumbleWrite.merging([]) == nil)
    #expect(RumbleWrite.merging([.play]) == .play(nil))
    #expect(RumbleWrite.merging([.upload(low), .play, .upload(high), .play]) == .play(high))
    #expect(RumbleWrite.merging([.upload(low), .play, .stop]) == .stop)
    #expect(RumbleWrite.merging([.stop, .upload(low), .play, .play]) == .play(low))
  }

  @Test func searchingForPadsDoesNoHarmWhereThereAreNone() {
    for pad in HapticPad.all() {
      #expect(pad.path.hasPrefix("/dev/"))
      #expect(InputNode.number(at: pad.path) == pad.number)
    }
  }
}
