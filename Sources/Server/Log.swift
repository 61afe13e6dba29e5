import Glibc

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
public func standardErrorLog(environment: [String: String] = processEnvironment()) -> Log {
  let prefixed = journalReadsStandardError(environment)
  return { priority, text in
    let line = Array((prefixed ? "<\(priority.rawValue)>" : "starlightd: ").utf8) + Array(text.utf8) + [0x0A]
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

/// `$JOURNAL_STREAM` names device and inode of the stream that the journal reads.
private func journalReadsStandardError(_ environment: [String: String]) -> Bool {
  var status = stat()
  guard let stream = environment["JOURNAL_STREAM"], fstat(STDERR_FILENO, &status) == 0 else { return false }
  return stream == "\(status.st_dev):\(status.st_ino)"
}
