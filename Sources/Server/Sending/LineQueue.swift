// SPDX-License-Identifier: Apache-2.0

/// Lines on their way to one client, whole and in order, with a bound on how much may wait.
///
/// State (lines with a key) is coalesced: a newer line takes the place of an older one of its key, at the end of the
/// queue. All other lines are kept. A line whose first byte has left is never touched.
struct LineQueue {
  private struct Entry {
    var line: [UInt8]
    var key: String?
    var mark: ToldMark?
    /// Whether it was not tried to be sent yet.
    var isNew = true
    /// Whether a newer one took its place: nothing of it is left, and it is cleared away with others.
    var isTaken: Bool { line.isEmpty }
  }

  private let bound: Int
  private var entries: [Entry] = []
  /// Where the first entry that has not left whole stands; those before it are cleared away in batches.
  private var head = 0
  /// How many were before the first of the entries.
  private var cleared = 0
  /// Where the line of each key waits, counted from the first there ever was: whoever reads nothing has thousands waiting.
  private var places: [String: Int] = [:]
  /// Entries that were taken out and not cleared away.
  private var takenCount = 0
  /// Bytes of the first entry that have left.
  private var sent = 0
  /// Bytes that wait.
  private(set) var queuedBytes = 0

  /// A queue for at most `bound` bytes.
  init(bound: Int) { self.bound = bound }

  var isEmpty: Bool { head == entries.count }

  /// What is to be sent next.
  var next: ArraySlice<UInt8>? { isEmpty ? nil : entries[head].line[sent...] }

  /// What is to be sent next, with the whole lines behind it that make `most` bytes with it at the most.
  func next(upTo most: Int) -> ArraySlice<UInt8>? {
    guard var bytes = next else { return nil }
    for entry in entries[(head + 1)...] {
      if bytes.count + entry.line.count > most { break }
      bytes += entry.line
    }
    return bytes
  }

  /// Whether a line of `count` bytes still fits.
  func fits(_ count: Int) -> Bool { queuedBytes + count <= bound }

  /// Puts a line, its line feed included, at the end; `mark` is given back when it has left.
  mutating func append(_ line: [UInt8], key: String? = nil, mark: ToldMark? = nil) {
    if let key {
      removeWaiting(key)
      places[key] = cleared + entries.count
    }
    entries.append(Entry(line: line, key: key, mark: mark))
    queuedBytes += line.count
  }

  /// Takes out a waiting line of that key; false when there is none.
  @discardableResult mutating func removeWaiting(_ key: String) -> Bool {
    guard let place = places[key], place - cleared > head || sent == 0 else { return false }
    places[key] = nil
    let index = place - cleared
    queuedBytes -= entries[index].line.count
    (entries[index].line, entries[index].key, entries[index].mark) = ([], nil, nil)
    takenCount += 1
    passTaken()
    clearAway()
    return true
  }

  /// Notes that `count` bytes of what is next have left; the marks of the lines that so have left whole.
  @discardableResult mutating func consume(_ count: Int) -> [ToldMark] {
    var marks: [ToldMark] = []
    var count = count
    while !isEmpty, count > 0 {
      let part = min(count, entries[head].line.count - sent)
      sent += part
      count -= part
      queuedBytes -= part
      guard sent == entries[head].line.count else { break }
      if let mark = entries[head].mark { marks.append(mark) }
      // A newer one of its key may wait already.
      if let key = entries[head].key, places[key] == cleared + head { places[key] = nil }
      entries[head].line = []
      head += 1
      sent = 0
      passTaken()
    }
    clearAway()
    return marks
  }

  /// The marks of lines that wait since the last call.
  mutating func takeNewMarks() -> [ToldMark] {
    var marks: [ToldMark] = []
    var place = entries.count
    while place > head, entries[place - 1].isNew {
      place -= 1
      entries[place].isNew = false
      if let mark = entries[place].mark { marks.append(mark) }
    }
    return marks.reversed()
  }

  /// Drops everything but a line that has left in part.
  mutating func dropWaiting() {
    guard sent > 0, !isEmpty else { return clear() }
    let (first, whole) = (entries[head], sent)
    clear()
    (entries, sent) = ([first], whole)
    queuedBytes = first.line.count - sent
  }

  /// Drops everything.
  mutating func clear() {
    entries = []
    places = [:]
    (head, cleared, takenCount) = (0, 0, 0)
    sent = 0
    queuedBytes = 0
  }

  /// So many taken ones are kept until they are more than the rest.
  private static let mostTaken = 64
  /// So many that have left are kept, or all that wait would be moved for each.
  private static let mostLeft = 256

  /// Goes on to what is to be sent next.
  private mutating func passTaken() {
    while !isEmpty, entries[head].isTaken {
      head += 1
      takenCount -= 1
    }
  }

  /// Clears away what has left, or was taken out, a batch at a time.
  private mutating func clearAway() {
    if isEmpty || head >= Self.mostLeft {
      entries.removeFirst(head)
      cleared += head
      head = 0
    }
    guard takenCount > Self.mostTaken, 2 * takenCount > entries.count - head else { return }
    entries = entries[head...].filter { !$0.isTaken }
    (head, takenCount, cleared) = (0, 0, 0)
    places = [:]
    for (index, entry) in entries.enumerated() { if let key = entry.key { places[key] = index } }
  }
}
