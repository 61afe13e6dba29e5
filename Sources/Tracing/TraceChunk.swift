// SPDX-License-Identifier: Apache-2.0

import Timing

/// Records that stand next to each other in a table: some at first, and in the end as many as it has room for. Then what they come
/// to is worked out once, so that who asks for the table's need not go through them.
///
/// They are packed (`PackedTrace`), so whoever wants one goes through those before it.
final class TraceChunk: @unchecked Sendable {
  // Sendable is true: each byte is written once, and the summary once, by the thread that fills it, before any other is told of them
  // (`KeptRecords.numbers`); what was written stays. Who was told of some records reads no byte behind the last of these.

  /// What the records of a full chunk come to.
  struct Summary {
    var tally: TallyPart
    /// When all that they tell of is over: nothing of them is of later.
    var over: Instant
  }

  /// How many bytes each block of records has; one is asked for when there is no room for another record.
  static let blockLength = 4_096

  /// Of a full one. Whoever was told of fewer records must not look.
  private(set) var summary: Summary?
  private let length: Int
  /// Where each block begins, with room for as many as there can be.
  private let blocks: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>>
  // Of who fills it alone; nothing of it is left when it is full.
  private var blockCount = 1
  private var count = 0
  private var packer: TracePacker?
  private var counting = TallyCounting()
  private var over = Instant.distantPast

  /// Without records, with room for `length`, at least one.
  init(length: Int) {
    self.length = length
    let mostOfABlock = Self.blockLength / PackedTrace.mostBytes
    blocks = .allocate(capacity: (length + mostOfABlock - 1) / mostOfABlock)
    blocks.initialize(to: .allocate(capacity: Self.blockLength))
    packer = TracePacker(at: blocks[0])
  }

  // Whichever thread is the last to know it; records are bits, of which nothing has to be undone.
  deinit {
    for block in 0..<blockCount { blocks[block].deallocate() }
    blocks.deallocate()
  }

  /// Bytes that its blocks take.
  var byteCount: Int { blockCount * Self.blockLength }

  /// Adds one, for which there must be room.
  func append(_ record: TraceRecord) {
    // One byte more, for what says that the next block goes on.
    let used = packer?.count(from: blocks[blockCount - 1]) ?? 0
    if used + PackedTrace.mostBytes >= Self.blockLength {
      (blocks + blockCount).initialize(to: .allocate(capacity: Self.blockLength))
      packer?.goOn(at: blocks[blockCount])
      blockCount += 1
    }
    packer?.write(record)
    counting.take(record, since: .distantPast)
    over = max(over, record.over)
    count += 1
    guard count == length else { return }
    summary = Summary(tally: counting.part, over: over)
    counting = TallyCounting()
    packer = nil
  }

  /// Goes through those of these `offsets`, of which the caller was told, from the first on until `body` says false. False where it
  /// did.
  @discardableResult func visit(_ offsets: Range<Int>, _ body: (TraceRecord) -> Bool) -> Bool {
    var unpacker = TraceUnpacker(at: blocks[0])
    var block = 0
    for offset in 0..<offsets.upperBound {
      if unpacker.isAtEnd {
        block += 1
        unpacker.goOn(at: blocks[block])
      }
      let record = unpacker.read()
      if offset >= offsets.lowerBound, !body(record) { return false }
    }
    return true
  }
}
