// SPDX-License-Identifier: Apache-2.0

import CRealTime
import CommandTable
import Glibc
import Timing

/// How much a line of the log matters; syslog's numbers.
public enum LogPriority: Int, Sendable {
  /// Something does not work.
  case error = 3
  /// Something works less well than it should.
  case warning = 4
  /// Normal but worth seeing, such as an ending or a right that is lacking.
  case notice = 5
  /// Of use when something is looked into.
  case info = 6
}

/// Takes one line of the log.
public typealias Log = (LogPriority, String) -> Void

/// A log to standard error, with priority prefixes where the journal reads it and plain elsewhere.
///
/// It never waits for a reader or a disk and is bounded in its rate; what was dropped is counted and told with the next line. What
/// comes from outside cannot end a line or act on a terminal.
public final class StandardErrorLog {
  private var writer: LogWriter

  /// Where the journal reads it, `environment` says.
  public init(environment: [String: String] = processEnvironment()) {
    writer = LogWriter(LogOutput(STDERR_FILENO), isPrefixed: journalReadsStandardError(environment))
  }

  /// Takes one line.
  public func write(_ priority: LogPriority, _ text: String) {
    writer.write(priority, text, at: Instant(nanoseconds: rt_now_ns()))
  }

  /// Waits, for half a second at most, until what was taken is in the file where it is one: the program is about to end.
  public func end() { writer.end() }
}

/// Writes lines, so many a second.
struct LogWriter {
  private let output: LogOutput
  private let isPrefixed: Bool
  private var rate = LogRate()

  init(_ output: LogOutput, isPrefixed: Bool) {
    self.output = output
    self.isPrefixed = isPrefixed
  }

  /// Writes one line at `now`, or counts it as dropped.
  mutating func write(_ priority: LogPriority, _ text: String, at now: Instant) {
    rate.noteLost(output.takeLost())
    guard rate.admits(at: now) else { return }
    if rate.dropped > 0 {
      let told = "\(rate.dropped) lines of the log were dropped: they came too fast, or nobody read them"
      guard send(.warning, told, for: rate.dropped) else { return rate.noteLost() }
      rate.noteTold()
    }
    if !send(priority, text) { rate.noteLost() }
  }

  /// Waits, for a moment, until what was taken is written.
  func end() { output.end() }

  /// Whether it was taken; what it stands for is lost with it.
  private func send(_ priority: LogPriority, _ text: String, for lines: Int = 1) -> Bool {
    let prefix = isPrefixed ? "<\(priority.rawValue)>" : "starlightd: "
    let line = Array((prefix + visibleText(text)).utf8.prefix(Self.longest)) + [0x0A]
    return output.takes(line, for: lines)
  }

  /// With its line feeds less than PIPE_BUF.
  private static let longest = 4_000
}

/// `$JOURNAL_STREAM` names device and inode of the stream that the journal reads.
private func journalReadsStandardError(_ environment: [String: String]) -> Bool {
  var status = stat()
  guard let stream = environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &status) == 0 else { return false }
  return stream == "\(status.st_dev):\(status.st_ino)"
}
