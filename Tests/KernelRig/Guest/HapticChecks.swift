import Glibc
import StarlightClient
import Wire

/// The daemon and four pads that exist only in the kernel, of every kind there is: every upload and play is held against
/// the oracle, the pattern's time, and the rule that nothing plays on by itself.
struct HapticChecks {
  static func run(_ report: inout Report) throws {
    let rumble = try PluggedPad("Rig Rumble", .rumble, product: 1, log: "haptics-rumble")
    let twin = try PluggedPad("Rig Twin", .rumble, product: 2, log: "haptics-twin")
    let wave = try PluggedPad("Rig Wave", .periodic, product: 3, log: "haptics-wave")
    let push = try PluggedPad("Rig Push", .constant, product: 4, log: "haptics-push")
    let daemon = try Daemon("haptics", ["--device", "none"])
    let outputs = try daemon.status().haptics.filter { $0.kind == "evdev" && $0.state == .ready }
    guard outputs.count == 4, let leadUs = outputs.first?.leadUs else {
      throw RigFailure("4 pads are plugged in, the daemon has \(outputs.map { "\($0.name) \($0.state)" })")
    }
    report.note("device", "\(outputs.map(\.name).joined(separator: ", ")), lead \(milliseconds(leadUs))")
    var checks = HapticChecks(
      daemon: daemon, judge: PadJudge(leadUs: leadUs), rumble: rumble, twin: twin, wave: wave, push: push)
    try checks.pulses(&report)
    for pattern in ["heartbeat", "capacitor_charge", "texture"] { try checks.feels(pattern, &report) }
    try checks.selects(&report)
    try checks.ends(&report)
    for pad in checks.pads { checks.judge.checkEffects(pad, &report) }
    try checks.trouble(&report)
    try checks.killed(&report)
  }

  let daemon: Daemon
  let judge: PadJudge
  var rumble: PluggedPad
  /// Another like it.
  let twin: PluggedPad
  let wave: PluggedPad
  let push: PluggedPad

  var pads: [PluggedPad] { [rumble, twin, wave, push] }

  /// Constants of 100 ms: when they begin and end, and how strong they are.
  private func pulses(_ report: inout Report) throws {
    let count = 4
    let at = monotonicUs() + 200_000
    var announced: [Int64] = []
    for index in 0..<count { announced.append(try play("pulse", at: at + Int64(index) * 200_000).scheduledUs) }
    try daemon.listen(until: at + Int64(count) * 200_000)
    for pad in pads {
      report.part = pad.name
      let history = pad.takeHistory()
      let turning = history.turning
      guard turning.count == count, let span = history.spans.first else {
        report.check("pulses", false, "\(turning.count) of \(count) reached the pad")
        continue
      }
      let begins = Distribution(zip(turning, announced).map { $0.lowerBound + judge.leadUs - $1 })
      let ends = Distribution(zip(turning, announced).map { $0.upperBound + judge.leadUs - $1 - 100_000 })
      report.check(
        "pulses in time",
        abs(begins.median) < PadJudge.jitterUs && abs(ends.median) < PadJudge.jitterUs + PadJudge.intervalUs,
        timed: true,
        "after their instants, lead counted: they begin \(begins), they end \(ends)")
      judge.checkLaw("pulses by the law", span, of: pad, intensity: 0.8, sharpness: 0.5, &report)
    }
  }

  /// A pattern from end to end on every pad at once, each held against the oracle's points, and against the others.
  private func feels(_ pattern: String, _ report: inout Report) throws {
    let points = try MotorPoints(pattern)
    let played = try play(pattern, at: monotonicUs() + 120_000)
    try daemon.listen(until: played.scheduledUs + Int64(points.points.count) * 1_000 + 200_000)
    let histories = pads.map { $0.takeHistory() }
    for (pad, history) in zip(pads, histories) {
      report.part = pad.name
      judge.check(pattern, history, of: pad, points, playedAt: played.scheduledUs, &report)
    }
    report.part = "together"
    for (pad, history) in zip(pads, histories).dropFirst() {
      let apart = history.onsets(after: histories[0])
      report.check(
        "\(pattern) on \(pads[0].name) and \(pad.name)",
        !apart.isEmpty && abs(Distribution(apart).worst) < PadJudge.jitterUs,
        timed: true, "\(apart.count) times one begins after the other by \(Distribution(apart))")
    }
  }

  /// A constant that lasts far longer than an effect is renewed without a hole; it ends with its stop, and that of another
  /// client with that client.
  private func ends(_ report: inout Report) throws {
    let at = monotonicUs() + 100_000
    let played = try play("hum", on: "Rig Rumble,Rig Wave", at: at)
    var leaving: StarlightConnection? = try StarlightConnection(path: daemon.socketPath)
    let params = HapticsPlay.Params(pattern: "hum", atUs: at, device: "Rig Twin,Rig Push")
    _ = try leaving?.call(HapticsPlay.self, params)
    try daemon.listen(until: at + 600_000)
    let stopUs = monotonicUs()
    _ = try daemon.connection.call(HapticsStop.self, HapticsStop.Params(player: played.player))
    let goneUs = monotonicUs()
    leaving = nil
    try daemon.listen(until: goneUs + 200_000)
    for pad in pads {
      report.part = pad.name
      let history = pad.takeHistory()
      let holes = zip(history.spans, history.spans.dropFirst()).count { $0.toUs < $1.fromUs - 1_000 }
      report.check(
        "renewed without a hole", history.spans.count >= 5 && holes == 0, timed: true,
        "\(history.spans.count) plays, \(holes) holes")
      if [rumble.name, wave.name].contains(pad.name) {
        judge.checkSilence("silent after stop", history, since: stopUs, &report)
      } else {
        judge.checkSilence("silent after disconnect", history, since: goneUs, &report)
      }
      if let span = history.spans.first {
        judge.checkLaw("hum by the law", span, of: pad, intensity: 0.6, sharpness: 0.2, &report)
      }
    }
  }

  /// The daemon dies without a word.
  private func killed(_ report: inout Report) throws {
    _ = try play("hum", at: monotonicUs() + 50_000)
    try daemon.listen(until: monotonicUs() + 250_000)
    let killedUs = monotonicUs()
    daemon.process.signal(SIGKILL)
    _ = daemon.process.wait()
    usleep(200_000)
    // The kernel takes the effects along when it has taken the process apart; at the latest they end by themselves.
    let limit = Int64(PadJudge.lengthMs) * 1_000 + PadJudge.jitterUs
    for pad in pads {
      report.part = pad.name
      judge.checkSilence("silent after SIGKILL", pad.takeHistory(), since: killedUs, withinUs: limit, &report)
    }
  }

  func play(_ pattern: String, on device: String? = nil, at instantUs: Int64) throws -> HapticsPlay.Result {
    try daemon.connection.call(
      HapticsPlay.self, HapticsPlay.Params(pattern: pattern, atUs: instantUs, device: device))
  }
}
