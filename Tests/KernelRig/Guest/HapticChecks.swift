import Glibc
import StarlightClient
import Wire

/// The daemon and pads that exist only in the kernel: every upload and play is held against the oracle, the pattern's
/// time, and the rule that nothing plays on by itself.
struct HapticChecks {
  /// Of the profile for pads that nobody knows: least time between updates, the drive at which a motor turns, how long an
  /// effect lasts.
  static let intervalUs: Int64 = 16_000
  static let floor = 0.08
  static let lengthMs = 150
  /// What the guest's own scheduling may add.
  static let jitterUs: Int64 = 15_000

  static func run(_ report: inout Report) throws {
    let pad = try PluggedPad("haptics")
    let daemon = try Daemon("haptics", ["--device", "none"])
    guard let device = try daemon.status().haptics.first(where: { $0.kind == "evdev" }) else {
      return report.note("skipped", "this starlightd drives no pads")
    }
    report.note("device", "\(device.name), lead \(milliseconds(device.leadUs))")
    var checks = HapticChecks(daemon: daemon, pad: pad, leadUs: device.leadUs)
    try checks.pulses(&report)
    for pattern in ["heartbeat", "capacitor_charge", "texture"] { try checks.feels(pattern, &report) }
    try checks.renewalAndStop(&report)
    try checks.disconnect(&report)
    try checks.replug(&report)
    try checks.stuck(&report)
    try checks.killed(&report)
  }

  let daemon: Daemon
  var pad: PluggedPad
  let leadUs: Int64

  /// Constants of 100 ms: when they begin and end, and how strong they are.
  private func pulses(_ report: inout Report) throws {
    let count = 5
    let at = monotonicUs() + 200_000
    var announced: [Int64] = []
    for index in 0..<count { announced.append(try play("pulse", at: at + Int64(index) * 250_000).scheduledUs) }
    try daemon.listen(until: at + Int64(count) * 250_000)
    let history = pad.takeHistory()
    let turning = history.turning
    guard turning.count == count, let span = history.spans.first else {
      return report.check("pulses", false, "\(turning.count) of \(count) reached the pad")
    }
    let begins = Distribution(zip(turning, announced).map { $0.lowerBound + leadUs - $1 })
    let ends = Distribution(zip(turning, announced).map { $0.upperBound + leadUs - $1 - 100_000 })
    report.check(
      "pulses in time", abs(begins.median) < Self.jitterUs && abs(ends.median) < Self.jitterUs + Self.intervalUs,
      timed: true,
      "after their instants, lead counted: they begin \(begins), they end \(ends)")
    checkLaw("pulses by the law", span, intensity: 0.8, sharpness: 0.5, &report)
  }

  /// A pattern from end to end, held against the oracle's points.
  private func feels(_ pattern: String, _ report: inout Report) throws {
    let points = try MotorPoints(pattern)
    let played = try play(pattern, at: monotonicUs() + 200_000)
    try daemon.listen(until: played.scheduledUs + Int64(points.points.count) * 1_000 + 250_000)
    let history = pad.takeHistory()
    check(pattern, history, points, playedAt: played.scheduledUs, &report)
    let lengths = history.lengthsMs.sorted()
    report.check(
      "\(pattern): effects are finite", lengths == [Self.lengthMs],
      "lengths \(lengths) ms, of the profile \(Self.lengthMs)")
    let apart = zip(history.playsUs, history.playsUs.dropFirst()).map { $1 - $0 }
    // The daemon counts from after a write, so no lateness excuses less.
    report.check(
      "\(pattern): updates are apart", (apart.min() ?? 0) >= Self.intervalUs,
      "\(history.playsUs.count) updates, closest \(milliseconds(apart.min() ?? 0))")
    let unrenewed =
      zip(history.spans, history.spans.dropFirst())
      .filter { $0.toUs >= $1.fromUs - 1_000 }.map { $1.fromUs - $0.fromUs }.max() ?? 0
    report.check(
      "\(pattern): renewed at half life", unrenewed <= Int64(Self.lengthMs) * 500 + Self.jitterUs, timed: true,
      "the longest without an update took \(milliseconds(unrenewed))")
  }

  /// A constant that lasts far longer than an effect: renewed without a hole, silent after its stop.
  private func renewalAndStop(_ report: inout Report) throws {
    let at = monotonicUs() + 100_000
    let played = try play("hum", at: at)
    try daemon.listen(until: at + 1_000_000)
    let stopUs = monotonicUs()
    _ = try daemon.connection.call(HapticsStop.self, HapticsStop.Params(player: played.player))
    try daemon.listen(until: stopUs + 300_000)
    let history = pad.takeHistory()
    let holes = zip(history.spans, history.spans.dropFirst()).count { $0.toUs < $1.fromUs - 1_000 }
    report.check(
      "renewed without a hole", history.spans.count >= 5 && holes == 0, timed: true,
      "\(history.spans.count) plays, \(holes) holes")
    checkSilence("silent after stop", history, since: stopUs, &report)
    if let span = history.spans.first {
      checkLaw("hum by the law", span, intensity: 0.6, sharpness: 0.2, &report)
    }
  }

  /// A client that goes away takes its haptics along.
  private func disconnect(_ report: inout Report) throws {
    try hum(throughConnectionOfItsOwn: 400_000)
    let goneUs = monotonicUs()
    try daemon.listen(until: goneUs + 300_000)
    checkSilence("silent after disconnect", pad.takeHistory(), since: goneUs, &report)
  }

  private func hum(throughConnectionOfItsOwn length: Int64) throws {
    let connection = try StarlightConnection(path: daemon.socketPath)
    _ = try connection.call(HapticsPlay.self, HapticsPlay.Params(pattern: "hum"))
    usleep(UInt32(length))
  }

  /// The daemon dies without a word.
  private func killed(_ report: inout Report) throws {
    _ = try play("hum", at: monotonicUs() + 50_000)
    try daemon.listen(until: monotonicUs() + 400_000)
    let killedUs = monotonicUs()
    daemon.process.signal(SIGKILL)
    _ = daemon.process.wait()
    usleep(400_000)
    // The kernel takes the effects along when it has taken the process apart; at the latest they end by themselves.
    checkSilence("silent after SIGKILL", pad.takeHistory(), since: killedUs, withinUs: 150_000 + Self.jitterUs, &report)
  }

  func play(_ pattern: String, at instantUs: Int64) throws -> HapticsPlay.Result {
    try daemon.connection.call(HapticsPlay.self, HapticsPlay.Params(pattern: pattern, atUs: instantUs))
  }
}
