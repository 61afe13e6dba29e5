// SPDX-License-Identifier: Apache-2.0

import CommandTable
import GamePacks
import Problems

/// Why a command could not do what it was asked: what happened, what to do about it, and the code to exit with.
struct ToolFailure: Error, Equatable {
  /// The stable name of what happened: the daemon's `data.kind` where it refused, else one of `Kind`.
  var kind: String
  /// What happened: one sentence.
  var message: String
  /// What to do about it; lines are broken where they break.
  var hint: String?
  var exit: ExitCode
  /// What is wrong with a file or a device, where one was looked at.
  var problem: Problem.Kind?
  /// The file that it is about, and where in it, where that is known.
  var place: Place?
  /// The nearest names, best first, where a name was not known.
  var candidates: [String]

  /// What can go wrong on this side of the socket.
  enum Kind: String, CaseIterable {
    /// The command line makes no sense.
    case usage
    /// No starlightd answers at the socket.
    case noDaemon
    /// starlightd closed the connection.
    case daemonEnded
    /// starlightd did not answer in time, or not in words that are understood.
    case noAnswer
    /// A signal ended what was asked for.
    case interrupted
    /// A file or folder cannot be read.
    case unreadable
    /// A file or folder cannot be written.
    case unwritable
    /// A file is no pattern or sound that can be used.
    case badFile
    /// No pattern, pad or device has that name.
    case unknownName
    /// Anything else.
    case failed
  }

  struct Place: Equatable, Encodable {
    var file: String
    /// From 1; nil for the whole file.
    var line: Int?
    /// From 1.
    var column: Int?
    /// As in `beats[3].lane`; nil where it is about none.
    var field: String?
  }

  init(
    _ message: String, hint: String? = nil, exit: ExitCode = .failure, kind: Kind? = nil, place: Place? = nil,
    candidates: [String] = []
  ) {
    self.message = message
    self.hint = hint
    self.exit = exit
    self.kind = (kind ?? exit.kind).rawValue
    self.place = place
    self.candidates = candidates
  }

  /// A command line that makes no sense.
  static func usage(_ message: String, hint: String? = nil) -> ToolFailure {
    ToolFailure(message, hint: hint, exit: .usage)
  }

  /// About a file or folder.
  init(_ kind: Kind, file: String, _ message: String, hint: String? = nil) {
    self.init(message, hint: hint, kind: kind, place: Place(file: file))
  }

  /// What is wrong with a file or a device.
  init(_ problem: Problem, kind: Kind = .badFile) {
    let place = problem.where
    self.init(
      problem.cause, hint: problem.remedy, kind: kind,
      place: place.file.map { Place(file: $0, line: place.line, column: place.column, field: place.field) })
    self.problem = problem.kind
  }

  /// The first fault of the file at `path`, and how to see the others.
  init(_ faults: PackFaults, in path: String) {
    self.init(faults.first.problem)
    if faults.faults.count > 1 {
      let rest = "`starlight lint \(quotedForShell(path))` tells all \(faults.faults.count) faults of it"
      hint = [hint, rest].compactMap(\.self).joined(separator: "\n")
    }
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
    case .interrupted: "the demo, an import or a search for beats was interrupted"
    }
  }

  /// What a failure is called that says no more than its code.
  fileprivate var kind: ToolFailure.Kind {
    switch self {
    case .success, .failure: .failed
    case .usage: .usage
    case .noDaemon: .noDaemon
    case .interrupted: .interrupted
    }
  }
}
