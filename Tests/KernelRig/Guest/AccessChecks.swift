import Glibc
import Wire

/// A daemon of a user who may not open every pad, with Debian's udev around it: what is denied is told with its cure, and
/// the cure, as `starlight doctor` prints it, lets the pad join in the middle of a pattern.
enum AccessChecks {
  static let user = "player"

  static func run(_ report: inout Report) throws {
    let udev = try Udev()
    let open = try PluggedPad("Open Pad", .rumble, product: 11, log: "access-open")
    let shut = try PluggedPad("Shut Pad", .periodic, product: 12, log: "access-shut")
    let motor = try PluggedPad("Shut Motor", .vibrator, product: 13, log: "access-motor")
    try udev.settle()
    guard chmod(open.node, 0o666) == 0 else { throw RigFailure("\(open.node) cannot be opened to all") }
    let daemon = try Daemon("access", ["--device", "none"], as: user)

    let outputs = try daemon.status().haptics
    let states = [open, shut, motor].map { pad in outputs.first { $0.path == pad.node }?.state }
    report.check(
      "what may not be opened is denied", states == [.ready, .denied, .denied],
      outputs.map { "\($0.name) \($0.state), \(access(of: $0.path ?? ""))" }.joined(separator: "; "))
    let problem = outputs.first { $0.path == shut.node }?.problem ?? ""
    report.check(
      "denied with the rule that cures it", problem.contains("70-starlight.rules") && problem.contains(shut.node),
      problem)
    let before = try Diagnosis(of: daemon, as: user, log: "access-doctor-before")
    let cures = [("padDenied", shut), ("padNoJoystick", motor)].map { code, pad in
      before.findings.first { $0.code == code && $0.what.contains(pad.node) }?.cure ?? ""
    }
    report.check(
      "the doctor tells them apart", !cures.contains("") && before.code == 1,
      before.findings.filter { $0.topic == "pads" }.map { "\($0.code): \($0.what)" }.joined(separator: "; "))
    try checkJoining(open, [shut, motor], cures, daemon, udev, &report)

    report.check(
      "the rule holds", [shut, motor].allSatisfy { access(of: $0.node) == "0660 starlight" },
      [shut, motor].map { "\($0.node) \(access(of: $0.node))" }.joined(separator: ", "))
    let told = try udev.properties(of: shut.node)
    report.check(
      "udev's account of the pad",
      told.contains("ID_INPUT_JOYSTICK=1") && told.contains { $0.hasPrefix("TAGS=") && $0.contains(":uaccess:") },
      told.filter { $0.hasPrefix("ID_INPUT") || $0.hasPrefix("TAGS") }.joined(separator: ", "))
    let after = try Diagnosis(of: daemon, as: user, log: "access-doctor-after")
    let pads = after.findings.filter { $0.topic == "pads" }
    report.check(
      "the doctor is content with the pads", pads.count == 3 && pads.allSatisfy { $0.severity == "ok" },
      pads.map { "\($0.code): \($0.what)" }.joined(separator: "; "))
    try daemon.finish()
  }

  /// One pad plays a pattern from end to end, the others from when they are granted.
  private static func checkJoining(
    _ open: PluggedPad, _ shut: [PluggedPad], _ cures: [String], _ daemon: Daemon, _ udev: Udev,
    _ report: inout Report
  ) throws {
    let points = try MotorPoints("swell")
    let params = HapticsPlay.Params(pattern: "swell", atUs: monotonicUs() + 150_000)
    let startUs = try daemon.connection.call(HapticsPlay.self, params).scheduledUs
    try daemon.listen(until: startUs + 300_000)
    // The doctor leaves sudo out where root asks, as here.
    var grantedUs: [Int64] = []
    for (pad, cure) in zip(shut, cures) {
      try udev.shell(cure.replacing("sudo ", with: ""))
      try udev.settle()
      grantedUs.append(changed(pad.node))
    }
    try daemon.listen(until: startUs + 3_250_000)

    let leadUs = try daemon.status().haptics.first { $0.path == open.node }?.leadUs ?? 0
    let judge = PadJudge(leadUs: leadUs)
    report.part = open.name
    judge.check("beside denied ones", open.takeHistory(), of: open, points, playedAt: startUs, &report)
    for (pad, grantedUs) in zip(shut, grantedUs) {
      report.part = pad.name
      let history = pad.takeHistory()
      let stray = judge.compared(history, of: pad, points, playedAt: startUs).stray
      report.check(
        "joins when granted, at the right place", !history.spans.isEmpty && stray == nil,
        "\(history.spans.count) updates as the oracle says" + judge.described(stray))
      let joinedUs = history.spans.first?.fromUs ?? .max / 2
      report.check(
        "joins soon", (0..<250_000).contains(joinedUs - grantedUs) && grantedUs > startUs, timed: true,
        "\(milliseconds(joinedUs - grantedUs)) after its node was granted, \(milliseconds(grantedUs - startUs)) into the "
          + "pattern")
      judge.checkEnd("ends with the pattern", history, startUs + 3_000_000, &report)
    }
    report.part = ""
    let states = try daemon.status().haptics.map { "\($0.name) \($0.state)" }
    report.check("nothing is denied", states.allSatisfy { $0.hasSuffix(" ready") }, states.joined(separator: ", "))
  }

  /// Mode and group of a node.
  private static func access(of path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "gone" }
    let group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
    return "0" + String(status.st_mode & 0o777, radix: 8) + " " + group
  }

  /// When mode or group of a node changed last, on CLOCK_MONOTONIC.
  private static func changed(_ path: String) -> Int64 {
    var status = stat()
    var now = timespec()
    stat(path, &status)
    clock_gettime(CLOCK_REALTIME, &now)
    let agoUs =
      Int64(now.tv_sec - status.st_ctim.tv_sec) * 1_000_000 + Int64(now.tv_nsec - status.st_ctim.tv_nsec) / 1_000
    return monotonicUs() - agoUs
  }
}
