// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient

/// How time comes to an instant: a stepped clock is moved there, a live one is waited for.
struct Clock {
  let starlight: Starlight

  var isStepped: Bool { starlight.session?.hello.clock == .stepped }

  /// The daemon's instant now.
  var nowUs: Int64 { starlight.nowUs }

  /// Comes to an instant of the daemon's; answers where it has come to, on a live clock a little later.
  func come(to us: Int64) async throws -> Int64 {
    if isStepped { return try await starlight.request(ClockStep.self, .init(toUs: us), timeoutUs: 60_000_000).nowUs }
    while true {
      let leftUs = us - nowUs
      if leftUs <= 0 { return nowUs }
      var length = timespec(tv_sec: Int(leftUs / 1_000_000), tv_nsec: Int(leftUs % 1_000_000) * 1_000)
      nanosleep(&length, nil)
    }
  }

  /// Which daemon is there.
  var daemon: String? { starlight.session?.hello.instanceId }

  /// Comes back when all that was asked before is with the daemon.
  func settle() async throws { try await starlight.request(ClockNow.self) }

  /// Lets a stepped clock come on a little, so that something of silence is heard before anything; where time is now.
  func begin() async throws -> Int64 { isStepped ? try await come(to: nowUs + 1_000_000) : nowUs }

  /// Waits for another daemon than this, a minute at most: the client looks for it by itself.
  func otherDaemon(than old: String?) async throws {
    for _ in 0..<6_000 {
      if let daemon, daemon != old { return }
      try await Task.sleep(nanoseconds: 10_000_000)
    }
    throw PlayProblem("no other daemon came within a minute")
  }
}
