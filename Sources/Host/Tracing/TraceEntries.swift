// SPDX-License-Identifier: Apache-2.0

import Timing
import Tracing
import Wire

/// Records as clients read them.
extension TraceEntry {
  /// `devices` are the names of haptic outputs.
  init(_ record: TraceRecord, devices: [UInt8: String]) {
    self.init(.errand, fromUs: 0)
    client = record.client == 0 ? nil : Int64(record.client)
    line = record.line == 0 ? nil : Int64(record.line)
    switch record.event {
    case .period(let first, let due, let woken, let done, let heard, let count):
      set(.period, woken, done, due: due, heard: heard)
      (frame, frames) = (first, Int64(count))
    case .lost(let first, let count, let heard, let noticed, let cause):
      set(.lost, noticed, heard: heard)
      (frame, frames, detail) = (first, count, "\(cause)")
    case .turn(let due, let woken, let done, let processor, let isInterrupted):
      set(.turn, woken, done, due: due)
      (processorUs, detail) = (processor.microseconds, isInterrupted ? "interrupted" : nil)
    case .line(let arrived, let begun, _, _, let done, let processor, let number):
      set(.line, begun, done, due: arrived)
      processorUs = processor.microseconds
      method = allMethods.indices.contains(Int(number)) ? allMethods[Int(number)].name : nil
    case .errand(let begun, let done): set(.errand, begun, done)
    case .asked(let id, let asked, let scheduled, let at, let subject):
      set(.plan, at, due: asked, heard: scheduled)
      (self.id, kind) = (id, subject)
    case .start(let voice, let frame, let heard, let at, let cue, _, let isTrack):
      set(.start, at, heard: heard)
      (id, self.frame, kind) = (Int64(clamping: voice), frame, isTrack ? .music : .sound)
      self.cue = cue == 0 ? nil : cue
    case .moved(let voice, let frame, let heard):
      set(.moved, heard)
      (id, self.frame) = (Int64(clamping: voice), frame)
    case .silent(let voice, let frame, let heard, let isOver):
      set(.silent, heard)
      (id, self.frame, detail) = (Int64(clamping: voice), frame, isOver ? "over" : nil)
    case .ended(let voice, let frame, let heard):
      set(.ended, heard)
      (id, self.frame) = (Int64(clamping: voice), frame)
    default: setTelling(record.event, devices)
    }
  }

  private mutating func setTelling(_ event: TraceEvent, _ devices: [UInt8: String]) {
    switch event {
    case .stood(let at, let frame, let frames, let length, let resumed):
      set(.pause, at, resumed ? at + length : nil)
      (self.frame, self.frames) = (frame, resumed ? frames : nil)
    case .letGo(let voice, let at):
      set(.letGo, at)
      id = Int64(clamping: voice)
    case .unbegun(let number, let due, let at, let cue, let subject, let why):
      set(.unbegun, at, due: due)
      (id, kind, detail) = (number, subject, "\(why)")
      self.cue = cue == 0 ? nil : cue
    case .player(let player, let felt, let at, let cue, _):
      set(.player, at, heard: felt)
      (id, kind) = (Int64(clamping: player), .haptics)
      self.cue = cue == 0 ? nil : cue
    case .writing(let due, let felt, let woken, let device):
      set(.writing, woken, due: due, heard: felt)
      self.device = devices[device]
    case .wrote(let due, let felt, let woken, let done, let device, let isRefused, _, _):
      set(.write, woken, done, due: due, heard: felt)
      (self.device, detail) = (devices[device], isRefused ? "refused" : nil)
    case .changed(let cue, let frame, let heard, let at, let isFelt, let plan):
      set(.change, at, heard: heard)
      self.frame = isFelt ? nil : frame
      if cue == 0 { (id, kind) = (plan, .music) } else { (self.cue, kind) = (cue, .cue) }
    case .handedOut(let number, let due, let at, let subject):
      set(.handedOut, at, due: due)
      (id, kind) = (number, subject)
    case .told(let number, let due, let queued, let written, let subject):
      set(.told, queued, written, due: due)
      (id, kind) = (number, subject)
    case .client(let at, let change):
      set(.client, at)
      detail = "\(change)"
    case .processor(let at, let used, let thread):
      set(.processor, at)
      (processorUs, detail) = (used.microseconds, "\(thread)")
    default: break
    }
  }

  private mutating func set(
    _ what: What, _ begun: Instant, _ over: Instant? = nil, due: Instant? = nil, heard: Instant? = nil
  ) {
    func known(_ instant: Instant?) -> Int64? {
      instant.flatMap { $0 == .distantPast || $0 == .distantFuture ? nil : $0.microseconds }
    }
    self.what = what
    (fromUs, toUs, dueUs, heardUs) = (begun.microseconds, known(over), known(due), known(heard))
  }
}

extension TraceLog {
  /// A page of records from number `from` on, or of what was over at `since` or later.
  func page(from: Int64, since: Int64?, devices: [UInt8: String], lost: Int) -> TraceRead.Result {
    let kept = self.kept
    let first = max(min(Int(clamping: from), kept.numbers.upperBound), kept.numbers.lowerBound)
    var entries: [TraceEntry] = []
    let next = kept.visit(
      in: first..<min(kept.numbers.upperBound, first + TraceRead.pageLooks), sinceUs: since ?? .min
    ) { record, _ in
      entries.append(TraceEntry(record, devices: devices))
      return entries.count < TraceRead.pageRecords
    }
    return TraceRead.Result(
      records: entries, next: Int64(next), end: Int64(kept.numbers.upperBound), lost: Int64(lost))
  }
}
