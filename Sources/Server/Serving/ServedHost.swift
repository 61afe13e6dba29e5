// SPDX-License-Identifier: Apache-2.0

import Engine
import Host
import Problems
import Timing
import Tracing
import Wire

/// What the server asks of a host, so that its own behaviour can be tested without outputs.
protocol ServedHost: AnyObject {
  var now: Instant { get }
  var clockKind: ClockKind { get }
  var summary: String { get }
  var problems: [Problem] { get }
  var wakeDescriptors: [Int32] { get }
  var clientCount: Int { get set }
  var topics: Set<Topic> { get set }
  var hasIncompleteFile: Bool { get }
  var trace: TraceLog { get }
  var openStreams: Int { get }
  func register(on router: inout Router<Host.RequestContext>)
  var calibration: Calibration { get }
  func status() -> EngineStatus.Result
  func stats(over: Interval, _ tally: TraceTally) -> EngineStats.Result
  func clientLeft(_ client: ClientID)
  func stalled(from: Instant, to: Instant)
  func heardClients(upTo: Instant)
  func isWaitingForClients(at: Instant) -> Bool
  func beginRun() -> Instant
  func run(isWoken: Bool) -> Instant?
  var nextDeadline: Instant? { get }
  func takeProblems() -> [Problem]
  func reloadPacks()
  func takeTellings() -> [Telling]
  func takeStepCount() -> Int
  func takeHit() -> Bool
  func beginShutdown() -> Instant
  func prepareForSleep() -> Instant
  func wokeUp(isListening: Bool)
  func endSleep()
  func stop() -> [Problem]
}

extension Host: ServedHost {}
