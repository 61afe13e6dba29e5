// SPDX-License-Identifier: Apache-2.0

import Outcomes
import Timing

/// What a life begins with, as the records have it.
struct LifeRoot: Equatable {
  var subject: TraceKind
  var id: Int64
  var client: UInt32
  var line: UInt32
  var asked: Instant?
  var scheduled: Instant
  /// When it was known what becomes of the line.
  var at: Instant

  private init(
    _ subject: TraceKind, _ id: Int64, _ record: TraceRecord, asked: Instant?, scheduled: Instant, at: Instant
  ) {
    self.subject = subject
    self.id = id
    client = record.client
    line = record.line
    self.asked = asked
    self.scheduled = scheduled
    self.at = at
  }

  /// The latest that is of `subject` and has that number, where these are given; nil where none is known.
  static func find(_ subject: TraceKind?, _ id: Int64?, in kept: KeptRecords, now: Instant) -> LifeRoot? {
    let asked = kept.latest { record in LifeRoot(asked: record).flatMap { $0.isMeant(subject, id) ? $0 : nil } }
    if let asked { return asked }
    // Parts of cues, and beats, were asked for by no line of their own.
    return kept.latest { record in
      LifeRoot(partOf: record, now: now).flatMap { $0.isMeant(subject, id) ? $0 : nil }
    }
  }

  private func isMeant(_ subject: TraceKind?, _ id: Int64?) -> Bool {
    (subject == nil || subject == self.subject) && (id == nil || id == self.id)
  }

  private init?(asked record: TraceRecord) {
    guard case .asked(let id, let asked, let scheduled, let at, let subject) = record.event else { return nil }
    self.init(
      subject, id, record, asked: asked == .distantPast ? nil : asked, scheduled: scheduled, at: at)
  }

  private init?(partOf record: TraceRecord, now: Instant) {
    switch record.event {
    case .start(let voice, _, let heard, let at, _, _, false):
      self.init(.sound, Int64(clamping: voice), record, asked: nil, scheduled: heard, at: at)
    case .player(let player, let felt, let at, _, _):
      self.init(.haptics, Int64(clamping: player), record, asked: nil, scheduled: felt, at: at)
    case .unbegun(let number, let due, let at, _, let subject, _) where subject == .sound || subject == .haptics:
      self.init(subject, number, record, asked: nil, scheduled: due, at: at)
    case .handedOut(let number, let due, let at, let subject) where due <= now:
      self.init(subject, number, record, asked: due, scheduled: due, at: at)
    case .told(let number, let due, let queued, _, let subject):
      self.init(subject, number, TraceRecord(record.event), asked: due, scheduled: due, at: queued)
    default: return nil
    }
  }
}
