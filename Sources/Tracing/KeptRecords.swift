// SPDX-License-Identifier: Apache-2.0

import Timing

/// What a table of records kept at one moment: it stays the same while the table goes on, for whichever thread looks at it.
public struct KeptRecords: Sendable {
  private let chunks: [TraceChunk]
  private let length: Int
  /// The numbers of the records that are kept, of all that there ever were.
  public let numbers: Range<Int>

  /// The records of these `numbers` in `chunks` of `length` each, each chunk at its number modulo how many there are.
  init(_ chunks: [TraceChunk], length: Int, numbers: Range<Int>) {
    self.chunks = chunks
    self.length = length
    self.numbers = numbers
  }

  /// Records of one chunk.
  struct Piece {
    fileprivate let chunk: TraceChunk
    /// Those that are kept, counted from the chunk's first.
    fileprivate let offsets: Range<Int>
    /// What all of the chunk come to; nil while it fills.
    let summary: TraceChunk.Summary?
    /// Whether all of a full chunk are kept.
    let isWhole: Bool

    /// Goes through those kept, oldest first.
    func visit(_ body: (TraceRecord) -> Void) {
      for offset in offsets { body(chunk.records[offset]) }
    }
  }

  /// The chunk that has record `number`.
  private func piece(of number: Int) -> Piece {
    let begin = number / length * length
    let offsets = max(numbers.lowerBound - begin, 0)..<min(numbers.upperBound - begin, length)
    let chunk = chunks[number / length % chunks.count]
    let isFull = numbers.upperBound - begin >= length
    return Piece(
      chunk: chunk, offsets: offsets, summary: isFull ? chunk.summary : nil,
      isWhole: isFull && offsets.lowerBound == 0)
  }

  /// Goes through the chunks, oldest first.
  func visitPieces(_ body: (Piece) -> Void) {
    var number = numbers.lowerBound
    while number < numbers.upperBound {
      body(piece(of: number))
      number = (number / length + 1) * length
    }
  }

  /// The record of that number, which must be among `numbers`.
  public subscript(number: Int) -> TraceRecord { chunks[number / length % chunks.count].records[number % length] }

  /// Goes through those kept, oldest first.
  public func visit(_ body: (TraceRecord) -> Void) { visitPieces { $0.visit(body) } }

  /// Goes through those kept that tell of anything at `since` or later, and may be through others: oldest first.
  func visit(since: Instant, _ body: (TraceRecord) -> Void) {
    visitPieces { if ($0.summary?.over ?? .distantFuture) >= since { $0.visit(body) } }
  }

  /// The number of the first of `range`, which must be within `numbers`, that tells of anything at `sinceUs` or later, in
  /// microseconds; nil for none.
  public func first(in range: Range<Int>, sinceUs: Int64) -> Int? {
    var number = range.lowerBound
    while number < range.upperBound {
      let next = min((number / length + 1) * length, range.upperBound)
      if (piece(of: number).summary?.over ?? .distantFuture).microseconds >= sinceUs,
        let found = (number..<next).first(where: { self[$0].over.microseconds >= sinceUs })
      {
        return found
      }
      number = next
    }
    return nil
  }

  /// The latest for which `body` has an answer.
  public func latest<Answer>(_ body: (TraceRecord) -> Answer?) -> Answer? {
    var end = numbers.upperBound
    while end > numbers.lowerBound {
      let piece = piece(of: end - 1)
      for offset in piece.offsets.reversed() {
        if let answer = body(piece.chunk.records[offset]) { return answer }
      }
      end -= piece.offsets.count
    }
    return nil
  }
}
