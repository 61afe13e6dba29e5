// SPDX-License-Identifier: Apache-2.0

import Moments
import StarlightClient
import Testing
import Wire

/// A stepped daemon and one client that hears everything.
final class SteppedGame {
  let daemon: DaemonProcess
  let connection: StarlightConnection
  private(set) var nowUs: Int64

  /// `change` is given the folder of the test pack before it is loaded; `limits` is a command of the shell before the daemon.
  init(_ arguments: [String] = [], limits: String? = nil, change: (_ pack: String) throws -> Void = { _ in }) throws {
    let directory = try makeTemporaryDirectory()
    packsParent = directory
    let packs = try TestPack.make(in: directory)
    try change(packs + "/starlight-sync")
    daemon = try DaemonProcess(["--clock", "stepped"] + arguments, packs: packs, limits: limits)
    connection = try daemon.connect()
    nowUs = try connection.call(ClockNow.self, Empty()).nowUs
    _ = try connection.call(EventsSubscribe.self, EventsSubscribe.Params())
  }

  private let packsParent: String

  deinit { removeDirectory(packsParent) }

  /// Lets time pass to `instant`; answers every notification on the way.
  @discardableResult
  func step(to instant: Int64) throws -> [ReceivedNotification] {
    nowUs = try connection.call(ClockStep.self, ClockStep.Params(toUs: instant), timeoutUs: 60_000_000).nowUs
    return try drain()
  }

  /// Everything that was told and not read yet.
  func drain() throws -> [ReceivedNotification] {
    var received: [ReceivedNotification] = []
    while let notification = try connection.nextNotification(timeoutUs: 0) { received.append(notification) }
    return received
  }

  func tap(_ lane: String?, at instant: Int64) throws -> RhythmTap.Result {
    try connection.call(RhythmTap.self, RhythmTap.Params(atUs: instant, lane: lane))
  }
}

extension [ReceivedNotification] {
  func all<Payload: WireNotification>(_ type: Payload.Type) throws -> [(tUs: Int64, payload: Payload)] {
    try compactMap { notification in
      guard let payload = try notification.decode(as: type) else { return nil }
      return (notification.tUs, payload)
    }
  }
}

/// The error kind a call ends with, or nothing when it succeeds.
func errorKind(_ body: () throws -> Void) throws -> String? {
  do {
    try body()
    return nil
  } catch let error as ClientError {
    guard case .rpc(let error) = error.kind else { throw error }
    return error.data.kind
  }
}
