// SPDX-License-Identifier: Apache-2.0

import CRealTime
import Engine
import Timing
import Tracing
import Wire

/// What the server records of its turns and its clients.
extension Server {
  /// A turn of control is recorded if it woke so much late, or took so long.
  private static let remarkable = Interval.microseconds(500)

  /// Control woke, having meant to at `due` at the latest, with something to do or nothing.
  func beginTracedTurn(due: Instant?, isIdle: Bool) {
    turnDue = due ?? .distantPast
    turnWoken = Instant(nanoseconds: rt_now_ns())
    // Nothing else ends a wait: no signal has a handler.
    isTurnInterrupted = isIdle && due.map { turnWoken < $0 } ?? true
    processorTime.woke(at: turnWoken.nanoseconds)
    turnBeganWith = processorUsed(at: turnWoken)
  }

  /// Control is about to sleep again: what it did is recorded where that is remarkable.
  func endTracedTurn() {
    guard host.clockKind == .live, turnWoken != .distantPast else { return }
    let done = Instant(nanoseconds: rt_now_ns())
    // Asked for each time: what passes from here on is sleep.
    let used = Interval(nanoseconds: max(0, processorUsed(at: done, isAwaited: false) - turnBeganWith))
    let late = turnDue == .distantPast ? .zero : turnWoken - turnDue
    guard late > Self.remarkable || done - turnWoken > Self.remarkable || isTurnInterrupted else { return }
    host.trace.note(
      .turn(due: turnDue, woken: turnWoken, done: done, processor: used, isInterrupted: isTurnInterrupted))
  }

  /// The processor time of this thread, in nanoseconds.
  func processorUsed(at now: Instant = Instant(nanoseconds: rt_now_ns()), isAwaited: Bool = true) -> Int64 {
    processorTime.used(at: now.nanoseconds, isAwaited: isAwaited, rt_thread_processor_ns)
  }

  /// How the host fares, and each client.
  func stats(over: Interval) -> EngineStats.Result {
    let tally = host.trace.tally(since: host.now - over)
    var stats = host.stats(over: over, tally)
    stats.clients = connections.values.sorted { $0.channel.id.rawValue < $1.channel.id.rawValue }.map { connection in
      let lines = tally.lines(of: UInt32(truncatingIfNeeded: connection.channel.id.rawValue))
      return EngineStats.Client(
        client: Int64(clamping: connection.channel.id.rawValue), user: Int64(connection.peer.user),
        queuedBytes: connection.channel.standing.queuedBytes, topics: connection.channel.topics.count,
        recentLines: lines.number, processorUs: lines.sum.microseconds, mostProcessorUs: lines.most.microseconds)
    }
    return stats
  }

  /// Brings in what clients were told.
  func gatherTold() {
    for connection in connections.values { gatherTold(connection) }
  }

  func gatherTold(_ connection: Connection) {
    let cause = Cause(client: connection.channel.id)
    for event in connection.channel.takeTold() { host.trace.note(event, by: cause) }
  }

  /// Records what became of a client.
  func note(_ change: TraceEvent.ClientChange, _ client: ClientID) {
    host.trace.note(.client(at: host.now, change: change), by: Cause(client: client))
  }
}
