// SPDX-License-Identifier: Apache-2.0

import ControlInput
import Engine
import Testing
import Timing
import Wire

@testable import Host

/// Controls that are bound tap the chapter that runs, at the kernel's stamps.
@Suite struct ControlsTests {
  private let controls = FakeControls()
  private static let path = "/dev/input/event5"
  private static let south: UInt16 = 0x130

  private func rig(allowsKeyboards: Bool = false, plugged: Bool = true) throws -> HostRig {
    if plugged { controls.plug(.pad()) }
    return try HostRig(
      manifest: Self.manifest, seconds: 8,
      configure: { configuration in
        configuration.controls = controls
        configuration.allowsKeyboards = allowsKeyboards
      })
  }

  private func bind(_ rig: HostRig, _ more: String = "", client: UInt64 = 1) -> String {
    rig.ask("rhythm.bind", #"{"control":"BTN_SOUTH","lane":"a"\#(more)}"#, client: client)
  }

  /// Starts the chapter, another client's; when its song begins.
  private func start(_ rig: HostRig, _ chapter: String = "one") throws -> Int64 {
    let started = rig.ask("rhythm.start", #"{"chapter":"\#(chapter)"}"#, client: 2)
    rig.step(microseconds: 1_000)
    return try #require(started.firstMatch(of: #/"startUs":(\d+)/#).flatMap { Int64($0.1) }, "\(started)")
  }

  private func step(_ rig: HostRig, to us: Int64) { rig.step(microseconds: us - rig.host.now.microseconds) }

  private func stream() throws -> FakeControls.Stream { try #require(controls.stream(Self.path)) }

  /// The server watches them until it has followed the host's next run: who comes meanwhile would have the number.
  @Test func noLineClosesWhatIsWatched() throws {
    let rig = try rig()
    _ = bind(rig)
    let watched = rig.host.controls.wakeDescriptors
    try #require(!watched.isEmpty)
    _ = rig.ask("rhythm.unbind")
    #expect(rig.host.controls.wakeDescriptors == watched)
    // Nor does the next line have another watch under the same number.
    _ = bind(rig)
    #expect(rig.host.controls.wakeDescriptors == watched)
    _ = rig.ask("rhythm.unbind")
    rig.step(microseconds: 1_000)
    #expect(rig.host.controls.wakeDescriptors.isEmpty)
  }

  /// What was told of taps, verdicts and bindings since the last call, by milliseconds from `start`.
  private func told(_ rig: HostRig, from start: Int64 = 0) -> [String] {
    rig.host.takeNotifications().compactMap { notification in
      guard case .notification(let name, _, let tUs, let params)? = ServerMessage(line: notification.line(seq: 1))
      else { return nil }
      let at = "\(Double(tUs - start) / 1_000)"
      switch name {
      case RhythmTapped.name:
        guard let told = try? decodeJSON(RhythmTapped.self, from: params) else { return nil }
        let came = told.refused ?? told.verdict.map { $0.rawValue } ?? "?"
        return "\(at) binding \(told.binding) \(came)\(told.errorUs.map { " by \($0)" } ?? "")"
      case RhythmJudgement.name:
        guard let told = try? decodeJSON(RhythmJudgement.self, from: params) else { return nil }
        return "\(at) \(told.verdict.rawValue)\(told.beat.map { " of \($0)" } ?? "")"
      case RhythmBindingChanged.name:
        guard let told = try? decodeJSON(RhythmBindingChanged.self, from: params) else { return nil }
        let devices = told.devices.map { "\($0.path) \($0.state.rawValue)" }.joined(separator: ", ")
        return "binding \(told.binding) is \(devices.isEmpty ? "nowhere" : devices)\(told.lostOn == nil ? "" : " lost")"
      default: return nil
      }
    }
  }

  @Test func aPressTapsAtItsStampAndIsToldAsATapIs() throws {
    let rig = try rig()
    #expect(bind(rig).contains(#""binding":1,"devices":[{"name":"Pad","path":"/dev/input/event5","state":"waiting"}]"#))
    let start = try start(rig)
    #expect(told(rig) == ["binding 1 is /dev/input/event5 listening"])
    step(rig, to: start + 1_000_000)
    try stream().press(Self.south, atUs: start + 1_000_123)
    try stream().press(Self.south, atUs: start + 1_000_900)
    step(rig, to: start + 1_100_000)
    #expect(
      told(rig, from: start) == [
        "1000.123 hit of 0", "1000.123 binding 1 hit by 123", "1000.9 ghost", "1000.9 binding 1 ghost",
      ])
    step(rig, to: start + 2_300_000)
    #expect(told(rig, from: start) == ["2150.0 miss of 1"])
  }

  /// Windows are 150 ms and the grace is 50: what is stamped at a cell's last instant and read 40 ms later counts.
  @Test func aPressThatIsReadFortyMillisecondsLateCounts() throws {
    let rig = try rig()
    _ = bind(rig)
    let start = try start(rig)
    step(rig, to: start + 1_190_000)
    try stream().press(Self.south, atUs: start + 1_150_000)
    step(rig, to: start + 1_300_000)
    #expect(told(rig, from: start).dropFirst() == ["1150.0 hit of 0", "1150.0 binding 1 hit by 150000"])
  }

  /// Control stands still for less than a stall, and for longer than the grace: the devices are read before a miss is settled.
  @Test func whereControlStoodStillDevicesAreReadBeforeMissesAreSettled() throws {
    let rig = try rig()
    _ = bind(rig)
    let start = try start(rig)
    step(rig, to: start + 900_000)
    rig.host.standStill(until: Instant(microseconds: start + 1_350_000))
    try stream().press(Self.south, atUs: start + 1_100_000)
    // Whatever is asked first; a tap of a client's own settles what is due.
    #expect(rig.ask("rhythm.tap", #"{"lane":"a"}"#).contains("ghost"))
    #expect(
      told(rig, from: start).dropFirst() == [
        "1100.0 hit of 0", "1100.0 binding 1 hit by 100000", "1350.0 ghost",
      ])
  }

  @Test func pressesOfTwoDevicesAreJudgedInTheOrderOfTheirStamps() throws {
    let rig = try rig()
    controls.plug(.pad("Other", at: "/dev/input/event6"))
    _ = bind(rig)
    let start = try start(rig)
    step(rig, to: start + 1_000_000)
    rig.host.standStill(until: Instant(microseconds: start + 1_050_000))
    try stream().press(Self.south, atUs: start + 1_020_000)
    try #require(controls.stream("/dev/input/event6")).press(Self.south, atUs: start + 1_010_000)
    step(rig, to: start + 1_100_000)
    #expect(
      told(rig, from: start).dropFirst() == [
        "1010.0 hit of 0", "1010.0 binding 1 hit by 10000", "1020.0 ghost", "1020.0 binding 1 ghost",
      ])
  }

  @Test func nothingIsReadButWhatIsBoundAndNothingWithoutAChapter() throws {
    let rig = try rig()
    _ = bind(rig)
    rig.step(microseconds: 1_000_000)
    #expect(controls.stream(Self.path) == nil)
    let start = try start(rig)
    #expect(try stream().kept == [Control(key: Self.south)])
    #expect(bind(rig, #","device":"pad","grab":false"#).contains(#""state":"listening""#))
    #expect(rig.ask("rhythm.bind", #"{"control":"ABS_Z","lane":"a"}"#).contains(#""binding":3"#))
    #expect(try stream().kept == [Control(key: Self.south), Control(axis: 2, .whole)])
    _ = rig.ask("rhythm.unbind", #"{"binding":3}"#)
    #expect(try stream().kept == [Control(key: Self.south)])
    weak let held = try stream()
    step(rig, to: start + 10_000)
    _ = rig.ask("rhythm.stop")
    rig.step(microseconds: 100_000)
    #expect(told(rig).last == "binding 2 is /dev/input/event5 waiting")
    controls.forget()
    #expect(held == nil, "the device is closed")
  }

  @Test func anAxisTapsAtHalfOfItsWay() throws {
    let rig = try rig()
    _ = rig.ask("rhythm.bind", #"{"control":"ABS_Z","lane":"a"}"#)
    let start = try start(rig)
    step(rig, to: start + 1_000_000)
    for (value, at) in [(127, 0), (128, 1_000), (110, 2_000), (140, 3_000), (101, 4_000), (128, 5_000)] {
      try stream().hand(3, 2, Int32(value), atUs: start + 1_000_000 + Int64(at))
      try stream().hand(0, 0, 0, atUs: start + 1_000_000 + Int64(at))
    }
    step(rig, to: start + 1_020_000)
    #expect(
      told(rig, from: start).dropFirst() == [
        "1001.0 hit of 0", "1001.0 binding 1 hit by 1000", "1005.0 ghost", "1005.0 binding 1 ghost",
      ])
  }

  @Test func aDeviceThatFloodsIsReadInParts() throws {
    let rig = try rig()
    _ = bind(rig)
    let start = try start(rig)
    step(rig, to: start + 1_000_000)
    for index in 0..<100 { try stream().press(Self.south, atUs: start + 1_000_000 + Int64(index)) }
    let before = try stream().state.withLock { $0.waiting.count }
    _ = rig.ask("rhythm.status")
    #expect(try before - stream().state.withLock { $0.waiting.count } == mostControlEvents)
  }

  @Test func whatTheKernelDroppedIsTold() throws {
    let rig = try rig()
    _ = bind(rig)
    let start = try start(rig)
    _ = told(rig)
    try stream().hand(0, 3, 0, atUs: start)
    try stream().hand(0, 0, 0, atUs: start)
    rig.step(microseconds: 1_000)
    #expect(told(rig) == ["binding 1 is /dev/input/event5 listening lost"])
  }

  @Test func aDeviceThatIsUnpluggedIsBackWhereverItIs() throws {
    let rig = try rig()
    _ = bind(rig)
    let start = try start(rig)
    _ = told(rig)
    controls.unplug(Self.path)
    rig.step(microseconds: 1_000)
    #expect(told(rig) == ["binding 1 is nowhere"])
    controls.plug(.pad(at: "/dev/input/event8"))
    // Any look at the devices finds it; live it is the watch's.
    _ = bind(rig, client: 3)
    rig.step(microseconds: 1_000)
    #expect(told(rig) == ["binding 1 is /dev/input/event8 listening"])
    step(rig, to: start + 1_000_000)
    try #require(controls.stream("/dev/input/event8")).press(Self.south, atUs: start + 1_000_000)
    rig.step(microseconds: 1_000)
    #expect(told(rig, from: start).contains("1000.0 binding 1 hit by 0"))
  }

  @Test func aBindingEndsWithItsClient() throws {
    let rig = try rig()
    _ = bind(rig)
    _ = bind(rig, client: 2)
    let start = try start(rig)
    _ = told(rig)
    rig.host.clientLeft(ClientID(rawValue: 1))
    step(rig, to: start + 1_000_000)
    try stream().press(Self.south, atUs: start + 1_000_000)
    rig.step(microseconds: 1_000)
    #expect(told(rig, from: start) == ["1000.0 hit of 0", "1000.0 binding 2 hit by 0"])
    #expect(rig.ask("rhythm.unbind", client: 2).contains(#""ended":1"#))
    try stream().press(Self.south, atUs: start + 1_001_000)
    rig.step(microseconds: 1_000)
    #expect(told(rig).isEmpty)
  }

  @Test func aDeviceIsGrabbedOnlyWhereThatIsAskedFor() throws {
    let rig = try rig()
    _ = bind(rig)
    _ = try start(rig)
    #expect(try !stream().grabs)
    _ = bind(rig, #","grab":true"#)
    rig.step(microseconds: 1_000)
    #expect(try stream().grabs)
    _ = rig.ask("rhythm.unbind", #"{"binding":2}"#)
    rig.step(microseconds: 1_000)
    #expect(try !stream().grabs)
  }

  /// Of a chapter to come it is not known whether it has lanes.
  @Test func aBindingWithoutALaneIsToldWhatToGive() throws {
    let rig = try rig()
    _ = rig.ask("rhythm.bind", #"{"control":"BTN_SOUTH"}"#)
    let start = try start(rig)
    let refused = rig.ask("rhythm.bind", #"{"control":"BTN_SOUTH"}"#)
    #expect(refused.contains("no lane is given") && refused.contains("give lane, the name of one"), "\(refused)")
    step(rig, to: start + 1_000_000)
    try stream().press(Self.south, atUs: start + 1_000_000)
    rig.step(microseconds: 1_000)
    let lines = rig.host.takeNotifications().map { String(decoding: $0.line(seq: 1), as: UTF8.self) }
    let said = "this chapter has lanes, and no lane is given; give lane, the name of one of the chapter's lanes"
    #expect(lines.contains { $0.contains(said) }, "\(lines)")
  }

  @Test func aPressThatIsRefusedIsToldAsATapWouldBe() throws {
    let rig = try rig()
    _ = rig.ask("rhythm.bind", #"{"control":"BTN_SOUTH","lane":"b"}"#)
    _ = bind(rig)
    let start = try start(rig)
    _ = told(rig)
    step(rig, to: start + 1_000_000)
    try stream().press(Self.south, atUs: start + 1_000_000)
    rig.step(microseconds: 1_000)
    #expect(
      told(rig, from: start) == ["1000.0 binding 1 invalidParams", "1000.0 hit of 0", "1000.0 binding 2 hit by 0"])
    _ = rig.ask("engine.pause")
    rig.step(microseconds: 100_000)
    let now = rig.host.now.microseconds
    try stream().press(Self.south, atUs: now)
    rig.step(microseconds: 1_000)
    #expect(told(rig, from: now) == ["0.0 binding 1 paused", "0.0 binding 2 paused"])
  }

  // MARK: - Refusals

  @Test func aKeyboardIsReadOnlyByADaemonThatWasStartedForIt() throws {
    controls.plug(.keyboard)
    let wary = try rig()
    let key = #"{"control":"KEY_SPACE","device":"keyboard"}"#
    let refused = wary.ask("rhythm.bind", key)
    #expect(refused.contains("notPermitted") && refused.contains("Keyboard is no game pad"))
    #expect(refused.contains("--allow-keyboards"))
    #expect(wary.ask("rhythm.bind", #"{"control":"KEY_SPACE"}"#).contains("Pad has no KEY_SPACE"))
    let open = try rig(allowsKeyboards: true, plugged: false)
    #expect(open.ask("rhythm.bind", key).contains(#""name":"Keyboard""#))
    // Not unless it is named.
    #expect(open.ask("rhythm.bind", #"{"control":"KEY_SPACE"}"#).contains("Pad has no KEY_SPACE"))
  }

  @Test func whatCannotBeBoundIsRefusedWithWhatToDo() throws {
    let rig = try rig()
    controls.plug(.pad("Shut Pad", at: "/dev/input/event7", isPermitted: false))
    #expect(rig.ask("rhythm.bind", #"{"control":"BTN_SOTH"}"#).contains("linux/input-event-codes.h"))
    let unknown = bind(rig, #","device":"Shut Bad""#)
    #expect(unknown.contains("no input device is called Shut Bad; did you mean Shut Pad?"), "\(unknown)")
    #expect(unknown.contains("/proc/bus/input/devices names every device"), "\(unknown)")
    #expect(bind(rig, #","device":"/dev/input/event9""#).contains("no input device is at /dev/input/event9\""))
    #expect(rig.ask("rhythm.bind", #"{"control":"BTN_WEST"}"#).contains("Pad has no BTN_WEST"))
    let denied = bind(rig, #","device":"/dev/input/event7""#)
    #expect(denied.contains("notPermitted") && denied.contains("70-starlight.rules"))
    #expect(rig.ask("rhythm.unbind", #"{"binding":9}"#).contains("notRunning"))
    _ = try start(rig)
    #expect(rig.ask("rhythm.bind", #"{"control":"BTN_SOUTH","lane":"x"}"#).contains("no lane x; the lanes are a"))
    for _ in 0..<16 { #expect(bind(rig).contains("binding")) }
    #expect(bind(rig).contains("this client has 16 controls bound"))
  }

  @Test func aDeviceThatDoesNotOpenIsToldWithItsProblem() throws {
    let rig = try rig()
    controls.refuse(ControlErrno(code: 16, isGrab: true))
    _ = bind(rig, #","grab":true"#)
    _ = try start(rig)
    #expect(told(rig) == ["binding 1 is /dev/input/event5 failed"])
  }

  @Test func aPadIsWaitedForWhereNoneIsPluggedIn() throws {
    let rig = try rig(plugged: false)
    #expect(bind(rig).contains(#""devices":[]"#))
  }

  private static let manifest = """
    {"name": "game", "title": "Game", "version": "1",
     "tracks": {"main": {"file": "main.wav"}, "finale": {"file": "finale.wav"}},
     "sounds": {"sfx_click": {"file": "sfx_click.wav"}},
     "chapters": {"one": {"title": "One", "track": "main", "length": 6, "lanes": ["a"],
       "beats": [{"at": 1, "lane": "a"}, {"at": 2, "lane": "a"}, {"at": 4, "lane": "a"}]}}}
    """
}
