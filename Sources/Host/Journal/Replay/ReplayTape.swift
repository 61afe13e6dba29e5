// SPDX-License-Identifier: Apache-2.0

import Journal

/// What was done at the border in the run that is done again, and how far it is done.
final class ReplayTape {
  private let records: [JournalRecord]
  private var place = 0
  /// What was told of chapters and is not compared yet.
  private var told: [(fingerprint: UInt64, atUs: Int64)] = []
  private(set) var verdicts = 0
  /// The first verdict that is not what it was: when it was told, in microseconds.
  private(set) var otherVerdictUs: Int64?
  /// Why it cannot be done on.
  private(set) var stop: String?
  /// Whether the run came to its end in it; else it may break off anywhere.
  private let isWhole: Bool
  private var isOver = false

  init(_ records: [JournalRecord], isWhole: Bool) { (self.records, self.isWhole) = (records, isWhole) }

  /// The next thing to be done; nil at the end, or where it stops.
  func next() -> JournalRecord? {
    settle()
    guard stop == nil, !isOver, place < records.count else { return nil }
    defer { place += 1 }
    return records[place]
  }

  /// It cannot be done on.
  func end(_ reason: String) { stop = stop ?? reason }

  /// What comes next is not in the journal any more: that is its end where it breaks off, and else a difference.
  func runOut(_ reason: String) {
    if isWhole { end(reason) } else { isOver = true }
  }

  /// What was answered then to what is asked now.
  func answer(_ kind: JournalKind, _ what: String) -> JournalFieldReader? {
    settle()
    if place == records.count {
      runOut("\(what) is asked for, and was not then")
      return nil
    }
    guard stop == nil, records[place].kind == kind else {
      end("\(what) is asked for, and was not then")
      return nil
    }
    defer { place += 1 }
    return JournalFieldReader(records[place])
  }

  /// Whether what comes next is of that kind, which is then done. Of verdicts that come next nothing has been told yet.
  func takes(_ kind: JournalKind) -> Bool {
    guard stop == nil, place < records.count, records[place].kind == kind else { return false }
    place += 1
    return true
  }

  /// A chapter told something.
  func tell(_ fingerprint: UInt64, _ atUs: Int64) { told.append((fingerprint, atUs)) }

  /// Compares what was told with what was told then.
  private func settle() {
    while place < records.count, records[place].kind == .verdict {
      var fields = JournalFieldReader(records[place])
      place += 1
      guard let fingerprint = try? fields.whole(), let atUs = try? fields.signed() else {
        return end("a verdict cannot be read")
      }
      verdicts += 1
      let isSame = told.first.map { $0.fingerprint == fingerprint && $0.atUs == atUs } ?? false
      if !isSame { otherVerdictUs = otherVerdictUs ?? atUs }
      if !told.isEmpty { told.removeFirst() }
    }
    // It is noted right behind what it comes of.
    if let first = told.first, stop == nil, isWhole || place < records.count {
      otherVerdictUs = otherVerdictUs ?? first.atUs
      told = []
    }
  }
}
