// SPDX-License-Identifier: Apache-2.0

import CSystemd
import CommandTable
import Glibc
import Timing

/// What systemd is told. Without systemd every call does nothing.
struct ServiceManager {
  /// How often the watchdog wants to hear of us: half of what it allows.
  private let watchdogInterval: Interval?
  /// When the watchdog is to hear of us next.
  private(set) var nextSignOfLife: Instant?
  /// Whether anybody is told: what is told can be dear to put together.
  let isListening = getenv("NOTIFY_SOCKET") != nil
  private var status = ""

  init() {
    var microseconds: UInt64 = 0
    let watched = sd_watchdog_enabled(0, &microseconds) > 0 && microseconds > 1
    watchdogInterval = watched ? .microseconds(Int64(min(microseconds, 1 << 60) / 2)) : nil
  }

  /// The service is up.
  func ready() { notify("READY=1") }

  /// The service is going down.
  func stopping() { notify("STOPPING=1") }

  /// The service is alive at `now`: tells so where it is time.
  mutating func signOfLife(at now: Instant) {
    guard let watchdogInterval else { return }
    if let nextSignOfLife, now < nextSignOfLife { return }
    notify("WATCHDOG=1")
    nextSignOfLife = now + watchdogInterval
  }

  /// What `systemctl status` shows; told only when it changes.
  mutating func tell(status: String) {
    guard status != self.status else { return }
    self.status = status
    notify("STATUS=" + visibleText(status))
  }

  private func notify(_ state: String) { sd_notify(0, state) }

  /// The listening socket that systemd opened for us, if it did.
  static func inheritedSocket() throws(ServerError) -> Int32? {
    let count = sd_listen_fds(1)
    guard count > 0 else { return nil }
    let first = Int32(SD_LISTEN_FDS_START)
    guard count == 1, sd_is_socket_unix(first, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else {
      throw ServerError(
        "systemd handed over \(count) descriptors; expected one listening Unix stream socket: check the .socket unit")
    }
    return first
  }
}
