// SPDX-License-Identifier: Apache-2.0

import Glibc
import StarlightClient
import Wire

/// A `starlightd` of the guest with one client that hears everything.
final class Daemon {
  let process: ChildProcess
  let connection: StarlightConnection
  let socketPath: String
  private(set) var told: [(arrivalUs: Int64, notification: ReceivedNotification)] = []

  /// Starts it, as root or another user, and waits until it answers.
  convenience init(_ name: String, _ arguments: [String], as user: String? = nil) throws {
    try self.init(try StartingDaemon(name, arguments, as: user))
  }

  /// One at the defaults, that remembers nothing; without `device` on a card whose timer is exact.
  static func atDefaults(
    _ name: String, _ arguments: [String] = [], device: String = "hw:Dummy,0,0"
  ) throws -> Daemon {
    let state = Places.work + "/" + name
    setenv("STATE_DIRECTORY", state, 1)
    defer { unsetenv("STATE_DIRECTORY") }
    unlink(state + "/fills")
    return try Daemon(name, ["--device", device] + arguments)
  }

  /// Waits until it answers.
  init(_ starting: StartingDaemon) throws {
    process = starting.process
    socketPath = starting.socketPath
    connection = try starting.connect()
    _ = try connection.call(EventsSubscribe.self, EventsSubscribe.Params())
  }

  /// One of another program, at its socket.
  init(of process: ChildProcess, at socketPath: String) throws {
    (self.process, self.socketPath) = (process, socketPath)
    connection = try StarlightConnection(path: socketPath)
    _ = try connection.call(EventsSubscribe.self, EventsSubscribe.Params())
  }

  func now() throws -> ClockNow.Result { try connection.call(ClockNow.self, Empty()) }

  func status() throws -> EngineStatus.Result { try connection.call(EngineStatus.self, Empty()) }

  /// Plays a pattern; on all pads when `device` is nil.
  func play(_ pattern: String, on device: String? = nil, at instantUs: Int64) throws -> HapticsPlay.Result {
    try connection.call(HapticsPlay.self, HapticsPlay.Params(pattern: pattern, atUs: instantUs, device: device))
  }

  /// Reads notifications until that instant of CLOCK_MONOTONIC.
  func listen(until instantUs: Int64) throws {
    while true {
      let left = instantUs - monotonicUs()
      if left <= 0 { return }
      if let notification = try connection.nextNotification(timeoutUs: left) {
        told.append((monotonicUs(), notification))
      }
    }
  }

  /// Every notification of a kind so far.
  func all<Payload: WireNotification>(_ type: Payload.Type) throws -> [(tUs: Int64, payload: Payload)] {
    try listen(until: monotonicUs() + 1_000)
    return try told.compactMap { _, notification in
      try notification.decode(as: type).map { (notification.tUs, $0) }
    }
  }

  /// Ends it as a service manager would.
  func finish() throws {
    process.signal(SIGTERM)
    let code = process.wait()
    guard code == 0 else { throw RigFailure("starlightd ended with \(code)") }
  }
}

extension ClockNow.Result {
  /// The frame heard at that instant.
  func frameHeard(at instantUs: Int64) -> Int {
    Int(timeline.frame) + Int(Double(instantUs - timeline.instantUs) * timeline.framesPerSecond / 1e6)
  }
}

/// CLOCK_MONOTONIC in microseconds.
func monotonicUs() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
}

/// Sleeps until that instant of CLOCK_MONOTONIC.
func sleep(until instantUs: Int64) {
  let left = instantUs - monotonicUs()
  if left > 0 { usleep(UInt32(left)) }
}
