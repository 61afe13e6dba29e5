// SPDX-License-Identifier: Apache-2.0

import Engine
import Files
import Glibc
import HapticOutput
import Journal
import Mixing
import Timing
import Wire

/// The door through which all goes that the engine, the mixer and the haptic log are told from outside: where a journal is
/// written each is noted before it is done, and where one is replayed it answers what had another answer each time.
///
/// There is none where neither is so. Control's alone.
final class JournalDoor {
  /// What answers while a journal is replayed.
  struct Answers {
    /// How many commands the mixer had room for.
    var room: () -> Int
    /// Whether a track could be opened.
    var opened: () -> Bool
    /// Whether the mixer had passed what was planned.
    var passed: () -> Bool
    /// Takes what a chapter told, as a fingerprint, and its instant in microseconds.
    var verdict: (UInt64, Int64) -> Void
  }

  /// Nil while one is written.
  let answers: Answers?
  private let file: JournalFile?
  private var block = JournalBlock()
  private var turn = JournalTurn()
  private var flushedAt = Instant.distantPast
  private var lost = 0
  /// Whether nothing is written any more: the file is as long as it may be, or the run over.
  private var isOver = false
  private var isTruncated = false
  /// Whether records were lost, because the disk was too slow or control did not come by.
  private var hasGaps = false

  /// A block is handed over when it is so large, or so old.
  private static let bytesOfBlock = 1 << 16
  private static let longestWait = Interval.milliseconds(250)

  /// Writes to `file`.
  init(_ file: JournalFile) {
    (self.file, answers) = (file, nil)
    _ = file.put(JournalForm.firstLine)
  }

  /// Answers for a run that is done again.
  init(_ answers: Answers) { (file, self.answers) = (nil, answers) }

  /// Why what follows cannot be done again, and what to do about it; nil while all is well.
  var failure: (reason: String, remedy: String)? {
    let remedy = "make room for another, and start the daemon anew"
    switch file?.failure {
    case .refused(EFBIG):
      return (
        String(cString: strerror(EFBIG)), "raise the limit on the size of files (ulimit -f) and start the daemon anew"
      )
    case .refused(let code): return (String(cString: strerror(code)), remedy)
    case .damaged(let damage): return (damage.reason, "leave it in place, and start the daemon anew")
    case .unanswered: return (UnansweredFile.reason, UnansweredFile.remedy)
    case nil: break
    }
    if isTruncated { return ("it is as long as it may be", remedy) }
    if !hasGaps { return nil }
    return (
      "records were lost, so nothing behind them can be done again",
      "keep it on a faster disk, and start the daemon anew"
    )
  }

  /// Notes what is about to be done.
  func enter(_ kind: JournalKind, _ add: (inout JournalFields) -> Void = { _ in }) {
    if file == nil || isOver { return }
    var fields = JournalFields()
    add(&fields)
    block.add(kind, fields)
  }

  /// Notes what clock and outputs are at in the calls that follow.
  func enter(_ turn: Turn) { enter(.turn) { self.turn.write(turn, into: &$0) } }

  /// Notes a method of the engine that is about to be called, its instants in the engine's time.
  func enter<Params: Encodable>(_ method: String, _ params: Params, _ context: Host.RequestContext) {
    enter(.call) { fields in
      fields.add(method)
      fields.add(context.cause.client.rawValue)
      fields.add(UInt64(context.cause.user))
      fields.add(context.cause.line)
      fields.add(context.arrival.nanoseconds)
      fields.add((try? encodeJSON(params)) ?? Array("{}".utf8))
    }
  }

  // MARK: - What has another answer each time

  /// The mixer has `room` now; what counts.
  func witness(room: Int) -> Int {
    if let answers { return answers.room() }
    enter(.room) { $0.add(room) }
    return room
  }

  /// The mixer has `passed` what was planned or not; what counts. That it has not is not noted.
  func witness(passed: Bool) -> Bool {
    if let answers { return answers.passed() }
    if passed { enter(.passed) }
    return passed
  }

  /// A track is about to be opened: whether it could be, where that is known.
  func mayOpen() -> Bool { answers?.opened() ?? true }

  /// It was opened, or could not be.
  func witness(opened isOpen: Bool) { enter(.opened) { $0.add(isOpen) } }

  // MARK: - What comes of it

  /// Notes what a chapter told, or what a tap came to.
  func tell(_ notification: OutgoingNotification) {
    guard notification.topic == .rhythm else { return }
    verdict(Fingerprint(of: notification.line(seq: 0)).value, atUs: notification.tUs)
  }

  private func tell<Answer: Encodable>(_ method: String, _ answer: Answer, at instant: Instant) {
    guard method.hasPrefix("rhythm.") else { return }
    verdict(Fingerprint(of: (try? encodeJSON(answer)) ?? []).value, atUs: instant.microseconds)
  }

  /// Does what a method does, and notes what was answered of a chapter, or why it was refused.
  func telling<Answer: Encodable>(
    _ method: String, at instant: Instant, _ answer: () throws(RPCError) -> Answer
  ) throws(RPCError) -> Answer {
    do throws(RPCError) {
      let result = try answer()
      tell(method, result, at: instant)
      return result
    } catch {
      tell(method, error.data.kind, at: instant)
      throw error
    }
  }

  private func verdict(_ fingerprint: UInt64, atUs: Int64) {
    answers?.verdict(fingerprint, atUs)
    enter(.verdict) { fields in
      fields.add(whole: fingerprint)
      fields.add(atUs)
    }
  }

  // MARK: - What other threads did

  /// Notes what the mixer noted, and what the log did.
  func gather(_ controller: MixerController, _ steps: [FeltStep]) {
    if file == nil || isOver { return }
    controller.drainNotes { note in
      if case .heard(let second, let fingerprint) = note {
        enter(.heard) { fields in
          fields.add(second)
          fields.add(whole: fingerprint)
        }
      } else {
        enter(.mixer) { $0.add(note) }
      }
    }
    for step in steps { enter(.felt) { $0.add(step) } }
    let lostNow = controller.lostNotes
    if lostNow > lost {
      enter(.lost) { $0.add(lostNow - lost) }
      hasGaps = true
    }
    lost = lostNow
  }

  // MARK: - Writing

  /// Hands over what was noted, where it is much or waits for long.
  func flush(at now: Instant) {
    guard let file, !isOver, block.count >= Self.bytesOfBlock || now - flushedAt >= Self.longestWait else { return }
    flushedAt = now
    if file.failure != nil {
      (block, isOver) = (JournalBlock(), true)
    } else if file.hasRoom(for: block.count) {
      handOver(to: file)
    } else {
      block = JournalBlock()
      enter(.truncated)
      handOver(to: file)
      (isOver, isTruncated) = (true, true)
    }
  }

  /// Where a block is lost that stands in its place: nothing behind it can be done again.
  private func handOver(to file: JournalFile) {
    if block.isEmpty || file.put(block.take()) { return }
    enter(.lost) { $0.add(1) }
    hasGaps = true
  }

  /// The run is over: writes what is left, and waits for that until `deadline`. False where it was left behind.
  func finish(by deadline: Instant) -> Bool {
    guard let file else { return true }
    if !isOver {
      enter(.end)
      handOver(to: file)
      isOver = true
    }
    return file.finish(by: deadline)
  }
}
