// SPDX-License-Identifier: Apache-2.0

/// The latest records, oldest overwritten, each with a number that counts all there ever were.
public struct TraceTable: ~Copyable {
  /// How many records are kept: 4 MiB of them.
  public static var capacity: Int { 65_536 }

  private let slots: UnsafeMutablePointer<TraceRecord>
  private let mask: Int
  /// How many were recorded so far: the number of the next.
  public private(set) var count = 0

  /// An empty table; `capacity` is rounded up to a power of two.
  public init(capacity: Int = TraceTable.capacity) {
    var rounded = 1
    while rounded < capacity { rounded *= 2 }
    mask = rounded - 1
    // Left as it comes: it takes memory as it fills, a page at a time.
    slots = .allocate(capacity: rounded)
  }

  deinit {
    slots.deinitialize(count: min(count, mask + 1))
    slots.deallocate()
  }

  /// The number of the oldest that is kept.
  public var first: Int { max(0, count - mask - 1) }

  /// Records one, in place of the oldest where there is no room.
  public mutating func append(_ record: TraceRecord) {
    if count <= mask { (slots + count).initialize(to: record) } else { slots[count & mask] = record }
    count += 1
  }

  /// The record of that number, which is at least `first` and less than `count`.
  public subscript(number: Int) -> TraceRecord { slots[number & mask] }

  /// Goes through those kept, oldest first.
  public func visit(_ body: (TraceRecord) -> Void) {
    for number in first..<count { body(slots[number & mask]) }
  }

  /// The latest for which `body` has an answer.
  public func latest<Answer>(_ body: (TraceRecord) -> Answer?) -> Answer? {
    var number = count
    while number > first {
      number -= 1
      if let answer = body(slots[number & mask]) { return answer }
    }
    return nil
  }
}
