// SPDX-License-Identifier: Apache-2.0

import Glibc
import Wire

/// A daemon of a user who may not open every pad, with Debian's udev around it: what is denied is told with its cure, and
/// the cure, as `starlight doctor` prints it, lets the pad join in the middle of a pattern.
enum AccessChecks {
  static let user = "player"

  static func run(_ report: inout Report) throws {
    let starting = try StartingDaemon("access", ["--device", "none"], as: user)
    let udev = try Udev()
    let open = try PluggedPad("Open Pad", .rumble, product: 21, log: "access-open")
    let shut = try PluggedPad("Shut Pad", .periodic, product: 22, log: "access-shut")
    let motor = try PluggedPad("Shut Motor", .vibrator, product: 23, log: "access-motor")
    try udev.settle()
    guard chmod(open.node, 0o666) == 0 else { throw RigFailure("\(open.node) cannot be opened to all") }
    let daemon = try Daemon(starting)

    var outputs: [EngineStatus.HapticOutput] = []
    try wait(upTo: 5, for: "the pad open to all") {
      outputs = try daemon.status().haptics
      return outputs.contains { $0.path == open.node && $0.state == .ready }
    }
    let states = [open, shut, motor].map { pad in outputs.first { $0.path == pad.node }?.state }
    report.check(
      "what may not be opened is denied", states == [.ready, .denied, .denied],
      outputs.map { "\($0.name) \($0.state), \(access(of: $0.path ?? ""))" }.joined(separator: "; "))
    let problem = outputs.first { $0.path == shut.node }?.problem?.description ?? ""
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
    let joining = try Joining(open, [shut, motor], cures, daemon, udev)
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
    try joining.check(daemon, &report)
    try daemon.finish()
  }

  /// Mode and group of a node.
  private static func access(of path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "gone" }
    let group = getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } ?? "\(status.st_gid)"
    return "0" + String(status.st_mode & 0o777, radix: 8) + " " + group
  }
}
