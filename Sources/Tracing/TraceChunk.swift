// SPDX-License-Identifier: Apache-2.0

import Timing

/// Records that stand next to each other in a table: some at first, and in the end as many as it has room for. Then what they come
/// to is worked out once, so that who asks for the table's need not go through them.
final class TraceChunk: @unchecked Sendable {
  // Sendable is true: each record is written once, and the summary once, by the thread that fills it, before any other is told of them
  // (`KeptRecords.numbers`); what was written stays.

  /// What the records of a full chunk come to.
  struct Summary {
    var tally: TallyPart
    /// When all that they tell of is over: nothing of them is of later.
    var over: Instant
  }

  /// Where its records are; as many as were told of are there.
  let records: UnsafeMutablePointer<TraceRecord>
  /// Of a full one. Whoever was told of fewer records must not look.
  private(set) var summary: Summary?
  private let length: Int
  private var count = 0

  /// Without records, with room for `length`, at least one.
  init(length: Int) {
    self.length = length
    // Left as it comes: it takes memory as it fills.
    records = .allocate(capacity: length)
  }

  // Whichever thread is the last to know it; records are bits, of which nothing has to be undone.
  deinit { records.deallocate() }

  /// Adds one, for which there must be room.
  func append(_ record: TraceRecord) {
    (records + count).initialize(to: record)
    count += 1
    if count == length { summary = summarised() }
  }

  private func summarised() -> Summary {
    var counting = TallyCounting()
    var over = Instant.distantPast
    for offset in 0..<length {
      counting.take(records[offset], since: .distantPast)
      over = max(over, records[offset].over)
    }
    return Summary(tally: counting.part, over: over)
  }
}
