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
      chunk.visit(offsets) { record in
        body(record)
        return true
      }
    }

    /// Those kept, oldest first.
    var records: [TraceRecord] {
      var records: [TraceRecord] = []
      records.reserveCapacity(offsets.count)
      visit { records.append($0) }
      return records
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

  /// The record of that number, which must be among `numbers`. Those before it in its chunk are gone through.
  public subscript(number: Int) -> TraceRecord {
    var found: TraceRecord?
    visit(in: number..<number + 1) { record, _ in
      found = record
      return true
    }
    guard let found else { preconditionFailure("record \(number) is not kept") }
    return found
  }

  /// Goes through those kept, oldest first.
  public func visit(_ body: (TraceRecord) -> Void) { visitPieces { $0.visit(body) } }

  /// Goes through those kept that tell of anything at `since` or later, and may be through others: oldest first.
  func visit(since: Instant, _ body: (TraceRecord) -> Void) {
    visitPieces { if ($0.summary?.over ?? .distantFuture) >= since { $0.visit(body) } }
  }

  /// Goes through those of `range`, which must be within `numbers`, that tell of anything at `sinceUs` or later, in microseconds,
  /// each with its number: oldest first, until `body` says false. The number behind the last that was gone through.
  @discardableResult public func visit(
    in range: Range<Int>, sinceUs: Int64 = .min, _ body: (TraceRecord, Int) -> Bool
  ) -> Int {
    var number = range.lowerBound
    while number < range.upperBound {
      let begin = number / length * length
      let next = min(begin + length, range.upperBound)
      let piece = piece(of: number)
      if (piece.summary?.over ?? .distantFuture).microseconds >= sinceUs {
        let goesOn = piece.chunk.visit(number - begin..<next - begin) { record in
          number += 1
          return record.over.microseconds < sinceUs || body(record, number - 1)
        }
        if !goesOn { return number }
      }
      number = next
    }
    return number
  }

  /// The latest for which `body` has an answer.
  public func latest<Answer>(_ body: (TraceRecord) -> Answer?) -> Answer? {
    var end = numbers.upperBound
    while end > numbers.lowerBound {
      let piece = piece(of: end - 1)
      for record in piece.records.reversed() {
        if let answer = body(record) { return answer }
      }
      end -= piece.offsets.count
    }
    return nil
  }
}
