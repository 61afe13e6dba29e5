import Glibc
import StarlightClient
import Wire

/// The daemon and a pad that exists only in the kernel: every upload and play is held against the motor law, the pattern's
/// time, and the rule that nothing plays on by itself.
struct HapticChecks {
  /// Of the profile for pads that nobody knows: least time between updates, and the drive at which a motor turns.
  static let intervalUs: Int64 = 16_000
  static let floor = 0.08
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
    try checks.renewalAndStop(&report)
    try checks.texture(&report)
    try checks.disconnect(&report)
    try checks.replug(&report)
    try checks.stuck(&report)
    try checks.killed(&report)
  }

  let daemon: Daemon
  var pad: PluggedPad
  let leadUs: Int64
  private var seen = 0

  private init(daemon: Daemon, pad: PluggedPad, leadUs: Int64) {
    self.daemon = daemon
    self.pad = pad
    self.leadUs = leadUs
  }

  /// Constants of 100 ms: when they begin and end, and how strong they are.
  private mutating func pulses(_ report: inout Report) throws {
    let count = 5
    let at = monotonicUs() + 200_000
    var announced: [Int64] = []
    for index in 0..<count { announced.append(try play("pulse", at: at + Int64(index) * 250_000).scheduledUs) }
    try daemon.listen(until: at + Int64(count) * 250_000)
    let history = takeHistory()
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
    report.check(
      "effects are finite", !history.lengthsMs.isEmpty && history.lengthsMs.allSatisfy { (1...500).contains($0) },
      "lengths \(history.lengthsMs.sorted()) ms")
  }

  /// A constant that lasts far longer than an effect: renewed without a hole, silent after its stop.
  private mutating func renewalAndStop(_ report: inout Report) throws {
    let at = monotonicUs() + 100_000
    let played = try play("hum", at: at)
    try daemon.listen(until: at + 1_000_000)
    let stopUs = monotonicUs()
    _ = try daemon.connection.call(HapticsStop.self, HapticsStop.Params(player: played.player))
    try daemon.listen(until: stopUs + 300_000)
    let history = takeHistory()
    let holes = zip(history.spans, history.spans.dropFirst()).count { $0.toUs < $1.fromUs - 1_000 }
    report.check(
      "renewed without a hole", history.spans.count >= 5 && holes == 0, timed: true,
      "\(history.spans.count) plays, \(holes) holes")
    checkSilence("silent after stop", history, since: stopUs, &report)
    if let span = history.spans.first {
      checkLaw("hum by the law", span, intensity: 0.6, sharpness: 0.2, &report)
    }
  }

  /// A hundred transients a second, each stronger than the one before: no more updates than the pad can take.
  private mutating func texture(_ report: inout Report) throws {
    let at = monotonicUs() + 150_000
    _ = try play("texture", at: at)
    try daemon.listen(until: at + 800_000)
    let history = takeHistory()
    let gaps = zip(history.playsUs, history.playsUs.dropFirst()).map { $1 - $0 }.sorted()
    // What lies between two updates is at least the interval; when the pad sees them is the scheduler's affair.
    let most = Int(((history.playsUs.last ?? 0) - (history.playsUs.first ?? 0)) / Self.intervalUs) + 2
    report.check(
      "updates are apart", gaps.count >= 10 && gaps.count + 1 <= most, timed: true,
      "\(gaps.count + 1) updates, median \(milliseconds(gaps.isEmpty ? 0 : gaps[gaps.count / 2])), "
        + "closest \(milliseconds(gaps.first ?? 0))")
    let feltUs = history.spans.reduce(0) { $0 + $1.toUs - $1.fromUs }
    report.check("texture is felt", feltUs > 250_000, timed: true, "\(milliseconds(feltUs)) of 500 ms")
  }

  /// A client that goes away takes its haptics along.
  private mutating func disconnect(_ report: inout Report) throws {
    try hum(throughConnectionOfItsOwn: 400_000)
    let goneUs = monotonicUs()
    try daemon.listen(until: goneUs + 300_000)
    checkSilence("silent after disconnect", takeHistory(), since: goneUs, &report)
  }

  private func hum(throughConnectionOfItsOwn length: Int64) throws {
    let connection = try StarlightConnection(path: daemon.socketPath)
    _ = try connection.call(HapticsPlay.self, HapticsPlay.Params(pattern: "hum"))
    usleep(UInt32(length))
  }

  /// Unplugged in the middle of a pattern and back: the pattern goes on where it is by then.
  private mutating func replug(_ report: inout Report) throws {
    let at = monotonicUs() + 100_000
    let played = try play("hum", at: at)
    try daemon.listen(until: at + 500_000)
    pad.unplug()
    try daemon.listen(until: at + 900_000)
    let again = try PluggedPad("haptics-again")
    seen = 0
    pad = again
    let endUs = played.scheduledUs + 3_000_000
    try daemon.listen(until: endUs + 200_000)
    let history = takeHistory()
    let rejoined = (history.turning.first?.lowerBound ?? .max / 2) - at
    let late = history.silentFromUs + leadUs - endUs
    report.check(
      "rejoins after replug", rejoined < 2_500_000 && abs(late) < Self.jitterUs + Self.intervalUs, timed: true,
      "felt again \(milliseconds(rejoined)) into the pattern, ends \(milliseconds(late)) after its end")
  }

  /// A pad that answers no upload holds up nobody but itself.
  private mutating func stuck(_ report: inout Report) throws {
    pad.answers(false)
    let at = monotonicUs() + 50_000
    let played = try play("hum", at: at)
    try daemon.listen(until: at + 100_000)
    var waits: [Int64] = []
    for _ in 0..<50 {
      let before = monotonicUs()
      _ = try daemon.now()
      waits.append(monotonicUs() - before)
      usleep(5_000)
    }
    pad.answers(true)
    try daemon.listen(until: monotonicUs() + 300_000)
    let isFelt = takeHistory().turning.contains { $0.upperBound > monotonicUs() }
    _ = try daemon.connection.call(HapticsStop.self, HapticsStop.Params(player: played.player))
    try daemon.listen(until: monotonicUs() + 100_000)
    _ = takeHistory()
    report.check(
      "a stuck pad hurts nobody", Distribution(waits).median < 10_000 && isFelt, timed: true,
      "meanwhile the daemon answered within \(Distribution(waits)); felt again once the pad answers: \(isFelt)")
  }

  /// The daemon dies without a word.
  private mutating func killed(_ report: inout Report) throws {
    _ = try play("hum", at: monotonicUs() + 50_000)
    try daemon.listen(until: monotonicUs() + 400_000)
    let killedUs = monotonicUs()
    daemon.process.signal(SIGKILL)
    _ = daemon.process.wait()
    usleep(400_000)
    // The kernel takes the effects along when it has taken the process apart; at the latest they end by themselves.
    checkSilence("silent after SIGKILL", takeHistory(), since: killedUs, withinUs: 150_000 + Self.jitterUs, &report)
  }

  private func play(_ pattern: String, at instantUs: Int64) throws -> HapticsPlay.Result {
    try daemon.connection.call(HapticsPlay.self, HapticsPlay.Params(pattern: pattern, atUs: instantUs))
  }

  /// What the pad was told since the last call.
  private mutating func takeHistory() -> MotorHistory {
    let events = pad.events
    defer { seen = events.count }
    return MotorHistory(events, since: seen)
  }

  /// strong = I cos(pi S / 2), weak = I sin(pi S / 2), each raised above the motor's floor, at most a 255th more.
  private func checkLaw(
    _ name: String, _ span: MotorHistory.Span, intensity: Double, sharpness: Double, _ report: inout Report
  ) {
    let angle = Double.pi / 2 * sharpness
    let wanted = [cos(angle), sin(angle)].map { Self.floor + (1 - Self.floor) * intensity * $0 }
    let got = [span.strong, span.weak].map { Double($0) / 65_535 }
    let differences = zip(got, wanted).map { $0 - $1 }
    report.check(
      name, differences.allSatisfy { (-0.0005...0.0045).contains($0) },
      "strong \(span.strong), weak \(span.weak) where the law says "
        + wanted.map { "\(Int(($0 * 65_535).rounded()))" }.joined(separator: ", "))
  }

  private func checkSilence(
    _ name: String, _ history: MotorHistory, since instantUs: Int64, withinUs: Int64 = intervalUs + 2 * jitterUs,
    _ report: inout Report
  ) {
    let after = history.silentFromUs - instantUs
    report.check(
      name, !history.spans.isEmpty && after < withinUs, timed: true,
      "motors stand still \(milliseconds(after)) later")
  }
}
