// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Engine
import Host
import IdleStatus
import Problems
import Timing
import Tracing
import Wire

@testable import Server

/// A host without outputs: says what the test tells it to say.
final class FakeHost: ServedHost {
  var clockKind = ClockKind.stepped
  var steppedNow = Instant.zero
  var now: Instant { clockKind == .stepped ? steppedNow : Instant(nanoseconds: rt_now_ns()) }
  var summary: String { "no outputs" }
  var openStreams: Int { 0 }
  var problems: [Problem] { [] }
  var wakeDescriptors: [Int32] = []
  var clientCount = 0
  var topics: Set<Topic> = []
  var hasIncompleteFile = false
  var calibration = Calibration()
  let trace = TraceLog()
  /// What is told next.
  var pending: [OutgoingNotification] = []
  /// Whose line it goes back to.
  var pendingCause: Cause?
  /// What `clock.step` sets off.
  var onStep: [OutgoingNotification] = []
  var left: [ClientID] = []
  var runs = 0
  var stopped = false
  /// How long the fade at the end takes.
  var fadeNs: Int64 = 0
  var taps: [Host.RequestContext] = []
  /// How many steps somebody was told.
  var stepCount = 0
  /// Whether what was served took a beat.
  var isHit = false
  /// What happens while one is served.
  var onTap: (() -> Void)?
  /// How many runs there were when each came.
  var runsBeforeTaps: [Int] = []
  /// The instants between which nobody was listened to, and how many requests were known then.
  var stalls: [(stall: ClosedRange<Instant>, taps: Int)] = []
  /// How many runs there were when it was told of each.
  var runsBeforeStalls: [Int] = []
  /// What the host was told of the system's sleep.
  var sleep: [String] = []
  func prepareForSleep() -> Instant {
    sleep.append("prepare")
    return now + .milliseconds(20)
  }
  func wokeUp(isListening: Bool) { sleep.append("woke, \(isListening ? "listening" : "alone")") }
  func endSleep() { sleep.append("end") }
  /// What `haptics.play` has to compute.
  var work: (@Sendable () -> Int64)?

  func register(on router: inout Router<Host.RequestContext>) {
    router.on(ClockStep.self) { [unowned self] params, _ throws(RPCError) in
      steppedNow = Instant(microseconds: params.toUs)
      pending += onStep
      return ClockStep.Result(nowUs: params.toUs)
    }
    router.on(HapticsPlay.self) { [unowned self] _, context throws(RPCError) in
      guard let work, let errand = context.errand else { throw RPCError(.busy, "nothing to compute") }
      return HapticsPlay.Result(
        source: "inline", player: try errand.result(of: work), scheduledUs: context.arrival.microseconds, lateUs: 0,
        durationUs: 0)
    }
    router.on(SettingsGet.self) { _, _ throws(RPCError) in Settings() }
    router.on(RhythmStop.self) { [unowned self] _, context throws(RPCError) in
      taps.append(context)
      runsBeforeTaps.append(runs)
      onTap?()
      throw RPCError(.notRunning, "no chapter runs")
    }
  }

  func status() -> EngineStatus.Result {
    .idle(nowUs: now.microseconds, clock: clockKind, device: "null", kind: .stepped, clients: clientCount)
  }

  func stats(over: Interval, _ tally: TraceTally) -> EngineStats.Result {
    EngineStats.Result(
      nowUs: now.microseconds, uptimeUs: 0, overUs: over.microseconds,
      audio: EngineStats.Audio(
        rate: 48_000, framesRendered: 0, xruns: 0, lateStarts: 0, voices: 0, peak: 0, recentPeriods: 0,
        recentFramesLost: 0, load: 0, mostLoad: 0, latestWakeUs: 0),
      lines: 0, clients: [], outputs: [],
      beats: EngineStats.Beats(recent: 0, medianLateUs: nil, highLateUs: nil), sounds: 0, players: 0, processorUs: 0,
      residentBytes: 0, records: 0, recordsLost: 0, meters: [])
  }

  func clientLeft(_ client: ClientID) {
    left.append(client)
    pending.append(
      OutgoingNotification(
        HapticsChanged(player: Int64(client.rawValue), source: "x", change: .stopped, reason: .disconnected),
        tUs: now.microseconds))
  }

  func stalled(from: Instant, to: Instant) {
    stalls.append((from...to, taps.count))
    runsBeforeStalls.append(runs)
  }

  /// Up to where clients were heard, and how many requests were known each time.
  var heard: [(upTo: Instant, taps: Int, at: Instant)] = []
  /// What is to be settled then waits for clients to be heard.
  var settlesAt: Instant?

  func heardClients(upTo instant: Instant) { heard.append((instant, taps.count, now)) }

  func isWaitingForClients(at now: Instant) -> Bool {
    settlesAt.map { due in due <= now && (heard.last?.upTo ?? .distantPast) < due } ?? false
  }

  /// By how much later the next run begins than it is now, as after a stop.
  var stopsFor: [Interval] = []

  func beginRun() -> Instant { now + (stopsFor.isEmpty ? .zero : stopsFor.removeFirst()) }

  /// When it wants to be called.
  var nextDeadline: Instant?

  /// In how many runs it looked at its descriptors.
  var wokenRuns = 0

  func run(isWoken: Bool) -> Instant? {
    runs += 1
    if isWoken { wokenRuns += 1 }
    return nil
  }

  func takeProblems() -> [Problem] { [] }

  /// How often packs were to be read again.
  private(set) var reloads = 0

  func reloadPacks() { reloads += 1 }

  func takeStepCount() -> Int {
    defer { stepCount = 0 }
    return stepCount
  }
  func takeHit() -> Bool {
    defer { isHit = false }
    return isHit
  }

  func takeTellings() -> [Telling] {
    defer { pending = [] }
    return pending.map { Telling($0, by: pendingCause) }
  }

  func beginShutdown() -> Instant {
    pending.append(OutgoingNotification(MusicChanged(change: .stopped), tUs: now.microseconds))
    return now + Interval(nanoseconds: fadeNs)
  }

  func stop() -> [Problem] {
    stopped = true
    return []
  }
}

/// A server at a socket of its own, driven round by round from the test's thread.
final class Rig {
  let host = FakeHost()
  let folder = TemporaryFolder()
  let server: Server
  /// What the server logged.
  var logged: [String] { lines.all }
  private let lines = Lines()

  private final class Lines { var all: [String] = [] }

  init(clock: ClockKind = .stepped, _ change: (inout ServerConfiguration) -> Void = { _ in }) throws {
    host.clockKind = clock
    var configuration = ServerConfiguration(socketPath: folder.path + "/run/starlightd.sock", environment: [:])
    change(&configuration)
    server = try Server(
      configuration, socket: ListeningSocket(configuration), served: host,
      log: { [lines] _, text in lines.all.append(text) })
  }

  var path: String { folder.path + "/run/starlightd.sock" }

  /// Lets the server do all it can do without waiting.
  func settle(rounds: Int = 6) {
    for _ in 0..<rounds { _ = server.turn(waiting: false) }
  }

  /// Lets it tell all there is to tell, however many turns that takes where others have the processor.
  func settleTelling() {
    repeat { settle() } while !server.told.isEmpty
  }

  /// Reads what those clients have sent, however many looks that takes where others have the processor.
  func readLines(of clients: [UInt64]) {
    repeat {
      server.watchClients()
      server.take(server.loop.look())
    } while !clients.allSatisfy { server.connections[ClientID(rawValue: $0)]?.hasLines == true }
  }

  func connect() throws -> TestClient {
    guard let client = TestClient(path: path) else { throw ServerError("no connection to \(path)") }
    settle()
    return client
  }

  /// The lines sent in reply to `text`.
  func exchange(_ client: TestClient, _ text: String) -> [String] {
    client.send(text)
    settle()
    return client.lines()
  }
}
