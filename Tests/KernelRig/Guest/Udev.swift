// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Debian's udev at work in the guest, until it is let go of. Its rules are those that name pads and give nodes to groups,
/// and what is put into /etc/udev/rules.d meanwhile.
final class Udev {
  private static let own = "/etc/udev/rules.d/"
  private static let database = "/run/udev/data/"
  private let process: ChildProcess

  init() throws {
    for rule in list(Self.own) { unlink(Self.own + rule) }
    process = try ChildProcess(["/lib/systemd/systemd-udevd"], log: Places.results + "/udevd.log")
    try wait(upTo: 10, for: "udevd") { access("/run/udev/control", F_OK) == 0 }
  }

  deinit {
    process.signal(SIGTERM)
    _ = process.wait()
    unlink("/run/udev/control")
    // It may not have heard yet of what was unplugged, and what it knew would pass for knowledge of the next device there.
    for entry in list(Self.database) { unlink(Self.database + entry) }
  }

  /// Waits until all that happened to devices so far has been dealt with.
  func settle() throws { try shell("udevadm settle --timeout=10") }

  /// Runs a line as root; what it says is kept in a log.
  func shell(_ line: String) throws {
    let code = try ChildProcess(["sh", "-c", line], log: Places.results + "/udev-shell.log").wait()
    guard code == 0 else {
      throw RigFailure("\(line) ended with \(code): \(readText(Places.results + "/udev-shell.log"))")
    }
  }

  /// What udev knows of a node, NAME=VALUE.
  func properties(of node: String) throws -> [String] {
    let log = Places.results + "/udev-properties.log"
    unlink(log)
    _ = try ChildProcess(["udevadm", "info", "--query=property", node], log: log).wait()
    return readText(log).split(separator: "\n").map(String.init)
  }
}
