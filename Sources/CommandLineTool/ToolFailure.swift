import CommandTable

/// Why a command could not do what it was asked: one sentence, what to do about it, and the code to exit with.
struct ToolFailure: Error, Equatable {
  var message: String
  var hint: String?
  var exit: ExitCode

  init(_ message: String, hint: String? = nil, exit: ExitCode = .failure) {
    self.message = message
    self.hint = hint
    self.exit = exit
  }

  /// The lines for the error output, the remedy below the reason, broken between words at `width`.
  func lines(width: Int = .max) -> [String] {
    let indent = String(repeating: " ", count: "starlight: ".count)
    let room = max(20, width - indent.count)
    var lines: [String] = []
    for part in ([message] + (hint.map { $0.split(separator: "\n").map(String.init) } ?? [])) {
      for line in part.first == " " ? [part] : wrapped(part, width: room) {
        lines.append((lines.isEmpty ? "starlight: " : indent) + line)
      }
    }
    return lines
  }
}

/// What the program's exit tells a script.
enum ExitCode: Int32, CaseIterable {
  case success = 0
  case failure = 1
  case usage = 2
  case noDaemon = 3
  case interrupted = 130

  /// For the help.
  var meaning: String {
    switch self {
    case .success: "done"
    case .failure: "the request failed, lint found errors, or doctor found problems"
    case .usage: "the command line makes no sense"
    case .noDaemon: "no starlightd answers at the socket"
    case .interrupted: "the demo was interrupted"
    }
  }
}
