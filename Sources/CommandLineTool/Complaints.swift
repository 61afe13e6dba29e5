// SPDX-License-Identifier: Apache-2.0

/// The error output: what went wrong and what else there is to say, for people in lines, for machines as JSON.
///
/// With `--json` each is one line: an object with `level` (`error` or `note`), `kind`, `message` and, where there are
/// any, `hint`, `candidates`, `file`, `line` and `column`. The standard output then holds results alone.
struct Complaints {
  let terminal: Terminal
  let isJSON: Bool

  /// Says why something was not done.
  func tell(_ failure: ToolFailure) { say(failure, level: .error) }

  /// Says what is worth knowing of something that is done all the same.
  func note(_ message: String, hint: String? = nil) {
    say(ToolFailure(message, hint: hint), level: .note)
  }

  private func say(_ failure: ToolFailure, level: Complaint.Level) {
    if isJSON { return terminal.line(jsonText(Complaint(failure, level: level), indented: false)) }
    for line in failure.lines(width: terminal.readableWidth) { terminal.line(line) }
  }
}

/// What is said, as a machine reads it.
private struct Complaint: Encodable {
  enum Level: String, Encodable { case error, note }

  var level: Level
  var kind: String
  var message: String
  var hint: String?
  var candidates: [String]?
  var file: String?
  var line: Int?
  var column: Int?
  var field: String?
  var problem: String?

  init(_ failure: ToolFailure, level: Level) {
    self.level = level
    kind = level == .note ? "note" : failure.kind
    (message, hint) = (failure.message, failure.hint)
    candidates = failure.candidates.isEmpty ? nil : failure.candidates
    (file, line, column) = (failure.place?.file, failure.place?.line, failure.place?.column)
    (field, problem) = (failure.place?.field, failure.problem?.rawValue)
  }
}
