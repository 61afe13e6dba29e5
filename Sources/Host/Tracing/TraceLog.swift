// SPDX-License-Identifier: Apache-2.0

import Engine
import Outcomes
import Timing
import Tracing
import Wire

/// What the daemon's threads did lately. Confined to control, which records what it does itself and gathers what the
/// others did.
public final class TraceLog {
  /// The latest records, but for those that wait.
  private var table: TraceTable
  /// Records that are to be packed into the table once nobody waits for it: while a line is served somebody does.
  private var waiting: [TraceRecord] = []
  /// How many may wait.
  private static let mostWaiting = 64
  /// What is known of the line that is being served, as far as it got.
  var line = Line()
  /// What brings in the records of other threads.
  private var sources: [() -> Void] = []
  /// Taps so far: the number of the last.
  private var taps: Int64 = 0
  /// Lines that were served since the start.
  private(set) var linesServed: Int64 = 0
  /// When the processor time of threads was looked at last.
  var sampledAt = Instant.distantPast

  /// How far the serving of a line has come.
  struct Line {
    var decoded: Instant?
    var planned: Instant?
    var method: Int?
  }

  /// An empty one that keeps the latest `records`.
  public init(records: Int = TraceTable.capacity) {
    table = TraceTable(capacity: records)
    waiting.reserveCapacity(Self.mostWaiting)
  }

  /// Records what control did; `cause` is whose line it goes back to.
  public func note(_ event: TraceEvent, by cause: Cause? = nil) {
    take(
      TraceRecord(
        event, client: UInt32(truncatingIfNeeded: cause?.client.rawValue ?? 0),
        line: UInt32(truncatingIfNeeded: cause?.line ?? 0)))
  }

  /// Takes in what another thread recorded.
  func take(_ record: TraceRecord) {
    waiting.append(record)
    if waiting.count >= Self.mostWaiting { pack() }
  }

  /// Puts what waits into the table.
  func pack() {
    for record in waiting { table.append(record) }
    waiting.removeAll(keepingCapacity: true)
  }

  /// Has `source` called whenever the table is to be up to date.
  public func gather(from source: @escaping () -> Void) { sources.append(source) }

  /// Brings in what other threads recorded.
  private func refresh() {
    for source in sources { source() }
    pack()
  }

  /// All that is recorded by now.
  package var kept: KeptRecords {
    refresh()
    return table.kept
  }

  /// Records that were made since the start.
  var count: Int { table.count + waiting.count }

  /// What the records of what was over at `since` or later come to.
  public func tally(since: Instant) -> TraceTally { TraceTally(kept, since: since) }

  /// A line is about to be served.
  public func beginLine() { line = Line() }

  /// It asks for the method at `place` among all; nil for none of these.
  public func noteMethod(_ place: Int?) { line.method = place }

  /// The line that was begun is served.
  public func endLine(
    by cause: Cause, arrived: Instant, begun: Instant, done: Instant, processor: Interval
  ) {
    linesServed += 1
    let decoded = line.decoded ?? begun
    note(
      .line(
        arrived: arrived, begun: begun, decoded: decoded, planned: line.planned ?? decoded, done: done,
        processor: processor, method: line.method.flatMap { UInt16(exactly: $0) } ?? .max), by: cause)
  }

  /// Records what a line was promised that asked for something at the instant `atUs`, or where it `isQuantised` at the beat that follows.
  func note(_ promise: TracedPromise, asked atUs: Int64?, isQuantised: Bool, at now: Instant, by cause: Cause) {
    if promise.subject == .tap { taps += 1 }
    guard let id = promise.subject == .tap ? taps : promise.id else { return }
    let scheduled = Instant(microseconds: promise.scheduledUs)
    let wanted: Instant
    if promise.subject != .tap, let atUs, !isQuantised {
      wanted = Instant(microseconds: atUs)
    } else if promise.isStamped || atUs != nil {
      // Which beat or press is meant is found from what was asked for.
      wanted = scheduled - .microseconds(promise.lateUs)
    } else {
      wanted = .distantPast
    }
    note(.asked(id: id, asked: wanted, scheduled: scheduled, at: now, subject: promise.subject), by: cause)
  }
}

/// What an answer says of when something will be.
struct TracedPromise {
  var subject: TraceKind
  var id: Int64?
  var scheduledUs: Int64
  var lateUs: Int64
  /// Of a tap: whether its client said when it was, in whichever way.
  var isStamped = false
}

/// An answer that says when something will be whose life can be explained.
protocol PromisingResult {
  var promise: TracedPromise { get }
}

extension SoundPlay.Result: PromisingResult {
  var promise: TracedPromise { TracedPromise(subject: .sound, id: id, scheduledUs: scheduledUs, lateUs: lateUs) }
}

extension CueFire.Result: PromisingResult {
  var promise: TracedPromise { TracedPromise(subject: .cue, id: id, scheduledUs: scheduledUs, lateUs: lateUs) }
}

extension HapticsPlay.Result: PromisingResult {
  var promise: TracedPromise { TracedPromise(subject: .haptics, id: player, scheduledUs: scheduledUs, lateUs: lateUs) }
}

extension MusicPlay.Result: PromisingResult {
  var promise: TracedPromise { TracedPromise(subject: .music, id: plan, scheduledUs: scheduledUs, lateUs: lateUs) }
}

extension MusicScheduled: PromisingResult {
  var promise: TracedPromise { TracedPromise(subject: .music, id: plan, scheduledUs: scheduledUs, lateUs: lateUs) }
}

extension RhythmTap.Result: PromisingResult {
  var promise: TracedPromise {
    TracedPromise(subject: .tap, id: nil, scheduledUs: tapUs, lateUs: 0, isStamped: stamp != .arrival)
  }
}
