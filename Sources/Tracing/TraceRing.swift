// SPDX-License-Identifier: Apache-2.0

import RealTime
import Synchronization
import Timing

/// The way of records from one thread to control. The thread never waits: what finds no room is lost, and counted.
public struct TraceRing: ~Copyable, Sendable {
  private let records: SPSCRing<TraceRecord>
  private let lostRecords = Atomic<Int>(0)

  /// A ring for `capacity` records, which is rounded up to a power of two.
  public init(capacity: Int) {
    records = SPSCRing(capacity: capacity, zero: TraceRecord(.errand(begun: .zero, done: .zero)))
  }

  /// Records that found no room so far.
  public var lost: Int { lostRecords.load(ordering: .relaxed) }

  /// How many records it holds at most.
  public var capacity: Int { records.capacity }

  /// Producer: records `event`.
  @_noLocks public func record(_ event: TraceEvent) {
    if !records.push(TraceRecord(event)) { lostRecords.add(1, ordering: .relaxed) }
  }

  /// Consumer: takes what was recorded, oldest first.
  public func drain(_ body: (TraceRecord) -> Void) {
    while let record = records.pop() { body(record) }
  }
}

/// A ring that a device and its opener share.
public final class SharedTraceRing: Sendable {
  /// The ring.
  public let ring: TraceRing

  /// A ring for `capacity` records.
  public init(capacity: Int) { ring = TraceRing(capacity: capacity) }
}
