// SPDX-License-Identifier: Apache-2.0

/// The latest records, oldest overwritten, each with a number that counts all there ever were.
///
/// They are in chunks, of which one is new and the others stay as they are, so that what is kept at a moment can be read by another
/// thread while the table goes on: `kept` copies no record. They are packed: a full table takes less than a third of what its
/// records would.
public struct TraceTable: ~Copyable {
  /// How many records are kept.
  public static var capacity: Int { 65_536 }
  /// Into how many chunks a table is parted.
  private static let parts = 64

  private let capacity: Int
  private let chunkLength: Int
  /// Each at its number modulo how many there can be: one more than the table has parts, as of the oldest some records are kept
  /// while the newest fills.
  private var chunks: [TraceChunk] = []
  /// How many were recorded so far: the number of the next.
  public private(set) var count = 0

  /// An empty table; `capacity` is rounded up to a power of two.
  public init(capacity: Int = TraceTable.capacity) {
    var rounded = 1
    while rounded < capacity { rounded *= 2 }
    self.capacity = rounded
    chunkLength = max(1, rounded / Self.parts)
  }

  /// The number of the oldest that is kept.
  public var first: Int { max(0, count - capacity) }

  /// Records one, in place of the oldest where there is no room.
  public mutating func append(_ record: TraceRecord) {
    let place = count / chunkLength % (capacity / chunkLength + 1)
    if count % chunkLength == 0 {
      // Who still reads the one that was there keeps it.
      let chunk = TraceChunk(length: chunkLength)
      if place < chunks.count { chunks[place] = chunk } else { chunks.append(chunk) }
    }
    chunks[place].append(record)
    count += 1
  }

  /// Bytes that the blocks of its records take.
  var byteCount: Int { chunks.reduce(0) { $0 + $1.byteCount } }

  /// What is kept now, whatever is recorded later.
  public var kept: KeptRecords { KeptRecords(chunks, length: chunkLength, numbers: first..<count) }
}
