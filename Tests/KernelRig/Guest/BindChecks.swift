// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Glibc
import StarlightClient
import Wire

/// Controls that are bound, with all of the processor wanted by others: each press is judged at the stamp that another reader of
/// the same device gets, however late the daemon comes to read it.
struct BindChecks {
  private static let stick = "Rig Stick"
  private static let keys = "Rig Keys"
  /// Processes that do nothing but count.
  private static let load = 4

  private let daemon: Daemon
  private var pad: PressedPad
  private var reader: PressReader
  private var beat = 0
  private var startUs: Int64 = 0
  private var seen = 0

  static func run(_ report: inout Report) throws {
    let busy = try (0..<load).map { _ in try ChildProcess(log: Places.results + "/bind-load.err", body: count) }
    defer { for process in busy { process.signal(SIGKILL) } }
    let keyboard = try PressedPad(keys, .keyboard, product: 31)
    var checks = try BindChecks()
    try checks.refuse(&report)
    // Who presses is in time; the daemon's control is not, and need not be.
    setPriority(20)
    defer { setPriority(0) }
    try checks.play(&report)
    setPriority(0)
    try checks.daemon.finish()
    try permit(keyboard, &report)
  }

  /// In real time, or with 0 as all others.
  private static func setPriority(_ priority: Int32) {
    var parameters = sched_param(sched_priority: priority)
    sched_setscheduler(0, priority == 0 ? SCHED_OTHER : SCHED_FIFO, &parameters)
  }

  /// Uses the processor up.
  static func count() -> Int32 {
    var number: UInt64 = 1
    while number != 0 { number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 | 1 }
    return 0
  }

  private init() throws {
    pad = try PressedPad(Self.stick, .stick, product: 32)
    reader = try PressReader(pad.node)
    daemon = try Daemon("bind", ["--device", "none"])
  }

  private func bind(_ control: String, _ device: String?, grab: Bool? = nil) throws -> RhythmBind.Result {
    try daemon.connection.call(RhythmBind.self, RhythmBind.Params(control: control, device: device, grab: grab))
  }

  private func refuse(_ report: inout Report) throws {
    var refusal = ""
    do { _ = try bind("KEY_SPACE", Self.keys) } catch { refusal = "\(error)" }
    report.check("a keyboard is refused", refusal.contains("--allow-keyboards"), refusal)
  }

  private mutating func play(_ report: inout Report) throws {
    let south = try bind("BTN_SOUTH", "rig stick")
    _ = try bind("ABS_X+", pad.node)
    report.check(
      "nothing is read before a chapter runs", !holds(pad.node) && south.devices.map(\.state) == [.waiting],
      "\(south.devices)")
    startUs = try daemon.connection.call(RhythmStart.self, RhythmStart.Params(chapter: "bound")).startUs
    try expect(pad.node, .listening)
    for index in 0..<10 {
      try press(on: &report, "press \(index)", offsetUs: Int64(index) * 9_000 - 45_000) { $0.press(BTN_SOUTH) }
    }
    try press(on: &report, "an axis") { $0.move(ABS_X, to: 20_000) }
    pad.move(ABS_X, to: 0)
    // Windows are of 50 ms: a press just before the end of one is read when that is over, and its grace nearly.
    for (lateUs, offsetUs) in [(40_000, 48_000), (200_000, 0)] as [(Int64, Int64)] {
      try press(on: &report, "read \(lateUs / 1_000) ms late", offsetUs: offsetUs, stoppedUs: lateUs) {
        $0.press(BTN_SOUTH)
      }
    }
    try replug(&report)
    try grab(&report)
    _ = try daemon.connection.call(RhythmUnbind.self, RhythmUnbind.Params())
    try press(on: &report, "unbound", isBound: false) { $0.press(BTN_SOUTH) }
    try daemon.listen(until: monotonicUs() + 100_000)
    report.check("unbound: nothing is read any more", !holds(pad.node))
    _ = try bind("BTN_SOUTH", nil)
    try expect(pad.node, .listening)
    try press(on: &report, "bound again") { $0.press(BTN_SOUTH) }
    _ = try daemon.connection.call(RhythmStop.self, Empty())
    try expect(pad.node, .waiting)
    try daemon.listen(until: monotonicUs() + 100_000)
    report.check("nothing is read after the chapter", !holds(pad.node))
  }

  /// Away, and back at another node.
  private mutating func replug(_ report: inout Report) throws {
    let old = pad.node
    pad.unplug()
    try wait(upTo: 5, for: "the pad to be missed") { try changes().last?.devices.isEmpty ?? false }
    let filler = try PressedPad("Filler", .stick, product: 33)
    pad = try PressedPad(Self.stick, .stick, product: 32)
    reader = try PressReader(pad.node)
    try expect(pad.node, .listening)
    report.check("plugged in anew, it is elsewhere", pad.node != old, "\(old), then \(pad.node)")
    try press(on: &report, "plugged in anew") { $0.press(BTN_SOUTH) }
    filler.unplug()
  }

  /// A device that was asked for alone is heard of by nobody else.
  private mutating func grab(_ report: inout Report) throws {
    let binding = try bind("BTN_EAST", Self.stick, grab: true).binding
    try daemon.listen(until: monotonicUs() + 300_000)
    try press(on: &report, "grabbed", isGrabbed: true) { $0.press(BTN_EAST) }
    _ = try daemon.connection.call(RhythmUnbind.self, RhythmUnbind.Params(binding: binding))
    try daemon.listen(until: monotonicUs() + 300_000)
    try press(on: &report, "let go of") { $0.press(BTN_SOUTH) }
  }

  /// Presses something near the next beat that is far enough ahead, and compares what the daemon tells with what the other reader
  /// got.
  private mutating func press(
    on report: inout Report, _ name: String, offsetUs: Int64 = 0, stoppedUs: Int64 = 0, isBound: Bool = true,
    isGrabbed: Bool = false, _ press: (PressedPad) -> Void
  ) throws {
    while beatUs(beat) + offsetUs < monotonicUs() + 60_000 { beat += 1 }
    let (number, heardUs) = (beat, beatUs(beat))
    beat += 1
    try daemon.listen(until: heardUs + offsetUs - 20_000)
    _ = try taps()
    seen = try taps().count
    _ = reader.take()
    if stoppedUs > 0 { daemon.process.signal(SIGSTOP) }
    sleep(until: heardUs + offsetUs)
    press(pad)
    if stoppedUs > 0 {
      sleep(until: monotonicUs() + stoppedUs)
      daemon.process.signal(SIGCONT)
    }
    try daemon.listen(until: monotonicUs() + 120_000)
    let stamps = reader.take(beyond: 16_384)
    let told = try taps().dropFirst(seen)
    if !isBound || isGrabbed {
      let heard = told.map { "\($0.payload.verdict.map { $0.rawValue } ?? "refused")" }
      report.check(
        name, isBound ? heard == ["hit"] && stamps.isEmpty : heard.isEmpty && stamps.count == 1,
        "told \(heard), \(stamps.count) read by another")
      return
    }
    let farthest = zip(stamps, told).map { abs($0 - $1.tUs) }.max() ?? 0
    let isHit = told.allSatisfy {
      $0.payload.verdict == .hit && $0.payload.beat == number && $0.payload.errorUs == $0.tUs - heardUs
    }
    let said = told.map {
      "\($0.payload.verdict?.rawValue ?? $0.payload.refused ?? "") of \($0.payload.beat ?? -1), \($0.payload.errorUs ?? 0) us"
    }
    report.check(
      name, stamps.count == 1 && told.count == 1 && farthest <= 1 && isHit,
      "beat \(number): \(said), stamps \(farthest) us apart of \(stamps.count)")
  }

  private func beatUs(_ index: Int) -> Int64 { startUs + RigPack.firstBeatUs + Int64(index) * RigPack.everyUs }

  private func taps() throws -> [(tUs: Int64, payload: RhythmTapped)] { try daemon.all(RhythmTapped.self) }

  private func changes() throws -> [RhythmBindingChanged] { try daemon.all(RhythmBindingChanged.self).map(\.payload) }

  private func expect(_ node: String, _ state: ControlDevice.State) throws {
    do {
      try wait(upTo: 5, for: "\(node) to be \(state.rawValue)") {
        try changes().last?.devices.contains { $0.path == node && $0.state == state } ?? false
      }
    } catch let failure as RigFailure {
      throw RigFailure("\(failure): told \(try changes().map(\.devices))")
    }
  }

  /// Whether the daemon has the node open.
  private func holds(_ node: String) -> Bool {
    let folder = "/proc/\(daemon.process.pid)/fd"
    return list(folder).contains { entry in
      var target = [CChar](repeating: 0, count: 256)
      guard readlink("\(folder)/\(entry)", &target, target.count - 1) > 0 else { return false }
      return String(decoding: target.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) == node
    }
  }

  /// A daemon that was started for it reads the key that is bound.
  private static func permit(_ keyboard: PressedPad, _ report: inout Report) throws {
    let daemon = try Daemon("bind-keys", ["--device", "none", "--allow-keyboards"])
    _ = try daemon.connection.call(
      RhythmBind.self, RhythmBind.Params(control: "KEY_SPACE", device: keys))
    let startUs = try daemon.connection.call(RhythmStart.self, RhythmStart.Params(chapter: "bound")).startUs
    sleep(until: startUs + RigPack.firstBeatUs)
    keyboard.press(KEY_Q)
    keyboard.press(KEY_SPACE)
    try daemon.listen(until: startUs + RigPack.firstBeatUs + 100_000)
    let told = try daemon.all(RhythmTapped.self).map(\.payload.verdict)
    report.check("a keyboard is read where that is permitted", told == [.hit], "\(told)")
    try daemon.finish()
  }
}
