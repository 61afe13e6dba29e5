// SPDX-License-Identifier: Apache-2.0

import ControlInput
import Testing

/// Names of controls, devices, and what is bound.
@Suite struct ControlTests {
  @Test func namesAreThoseOfTheKernel() {
    #expect(Control(named: "BTN_SOUTH") == Control(key: 0x130))
    #expect(Control(named: "BTN_A") == Control(key: 0x130))
    #expect(Control(named: "KEY_SPACE") == Control(key: 57))
    #expect(Control(named: "ABS_Z") == Control(axis: 2, .whole))
    #expect(Control(named: "ABS_X+") == Control(axis: 0, .up))
    #expect(Control(named: "ABS_HAT0Y-") == Control(axis: 17, .down))
  }

  @Test(arguments: [
    "", "+", "BTN_SOTH", "BTN_SOUTH+", "btn_south", "REL_X", "ABS_", "ABS_X++", "EV_KEY", "304", "ABS_CNT", "KEY_CNT",
    "SYN_REPORT", "ABS_X\0", String(repeating: "A", count: 5_000), "ABS_" + String(repeating: "X", count: 128),
  ])
  func whatIsNoNameOfAControlIsNone(_ name: String) { #expect(Control(named: name) == nil) }

  /// As `capabilities` files have them.
  private func source(
    _ name: String, path: String = "/dev/input/event3", keys: String, axes: String = "0", isJoystick: Bool? = true,
    product: UInt16 = 1
  ) -> ControlSource {
    ControlSource(
      path: path, identity: .init(bus: 3, vendor: 1, product: product, name: name, unique: ""),
      keys: CodeSet(capabilities: keys), axes: CodeSet(capabilities: axes), isJoystick: isJoystick)
  }

  /// BTN_SOUTH and BTN_EAST: bits 48 and 49 of the fifth word.
  private static let twoButtons = "3000000000000 0 0 0 0"
  /// A keyboard with all letters.
  private static let letters = "fffffffffffffffe"

  @Test func aDeviceHasWhatItsCapabilitiesSay() {
    let pad = source("Pad", keys: Self.twoButtons, axes: "30003")
    #expect(pad.has(Control(key: 0x130)) && pad.has(Control(key: 0x131)) && !pad.has(Control(key: 0x132)))
    #expect(pad.has(Control(axis: 0, .up)) && pad.has(Control(axis: 17, .down)) && !pad.has(Control(axis: 2, .whole)))
    #expect(CodeSet(capabilities: "x 1 -").contains(64) && CodeSet(capabilities: "").isEmpty)
    #expect(CodeSet(capabilities: "10000 1", wordBits: 32) == CodeSet([48, 0]))
    #expect(
      CodeSet([0, 9, 767]).bits(96).enumerated().filter { $0.element != 0 }.map { [$0.offset, Int($0.element)] }
        == [[0, 1], [1, 2], [95, 128]])
  }

  @Test func whatCanWriteLettersIsNoPadWhateverUdevSays() {
    #expect(source("Pad", keys: Self.twoButtons).isPad)
    #expect(source("Pad", keys: Self.twoButtons, isJoystick: nil).isPad)
    #expect(!source("Mouse", keys: Self.twoButtons, isJoystick: false).isPad)
    #expect(!source("Keyboard", keys: Self.letters, isJoystick: nil).isPad)
    #expect(!source("Keyboard", keys: Self.letters, isJoystick: true).isPad)
    #expect(!source("Both", keys: "3000000000000 0 0 0 fffffffffffffffe").isPad)
  }

  @Test func aDeviceThatIsPluggedInAnewIsTheSame() {
    let old = source("Pad", path: "/dev/input/event3", keys: Self.twoButtons)
    let moved = source("Pad", path: "/dev/input/event9", keys: Self.twoButtons)
    let other = source("Stick", path: "/dev/input/event3", keys: Self.twoButtons, product: 2)
    let selection = ControlSelection.device(old.identity, path: old.path)
    #expect(selection.contains(old, among: [old, moved]))
    #expect(!selection.contains(moved, among: [old, moved]))
    #expect(selection.contains(moved, among: [other, moved]))
    #expect(!selection.contains(other, among: [other, moved]))
    #expect(ControlSelection.named("pA").contains(old, among: [old]))
    #expect(!ControlSelection.named("stick").contains(old, among: [old]))
  }

  @Test func aClientBindsSixteenAndNoMore() {
    var bindings = ControlBindings()
    let south = Control(key: 0x130)
    let bound = (0..<17).map { _ in bindings.bind(south, of: .everyPad, to: nil, grabs: false, for: 1)?.id }
    #expect(bound == (1...16).map { $0 } + [nil])
    let others = bindings.bind(south, of: .everyPad, to: "left", grabs: true, for: 2)
    #expect(others?.id == 17)
    let ended = [bindings.unbind(17, of: 1), bindings.unbind(3, of: 1), bindings.unbind(of: 1)]
    #expect(ended == [0, 1, 15])
    #expect(bindings.all.map(\.id) == [17])
  }

  @Test func aDeviceIsListenedToForWhatItHas() {
    var bindings = ControlBindings()
    let south = Control(key: 0x130)
    _ = bindings.bind(south, of: .everyPad, to: "left", grabs: false, for: 1)
    _ = bindings.bind(Control(axis: 2, .whole), of: .everyPad, to: "right", grabs: false, for: 1)
    let pad = source("Pad", keys: Self.twoButtons)
    #expect(bindings.listening(to: pad, among: [pad]).map(\.control) == [south])
    let mouse = source("Mouse", keys: Self.twoButtons, isJoystick: false)
    #expect(bindings.listening(to: mouse, among: [mouse]).isEmpty)
  }
}
