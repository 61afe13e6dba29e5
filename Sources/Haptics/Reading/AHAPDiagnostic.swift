// SPDX-License-Identifier: Apache-2.0

import Problems

/// One finding about an AHAP file.
public struct AHAPDiagnostic: Hashable, Sendable {
  /// How bad it is.
  public enum Severity: String, Hashable, Sendable, Comparable, CaseIterable {
    /// Worth knowing; plays as meant.
    case note
    /// Plays, perhaps not as meant.
    case warning
    /// The file, or the part of it named, does not play.
    case error

    /// Notes are below warnings, warnings below errors.
    public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }
    private var rank: Int { self == .note ? 0 : self == .warning ? 1 : 2 }
  }

  /// Counted from 1.
  public var line: Int
  /// Counted from 1, in Unicode scalars, as editors count.
  public var column: Int
  /// Whether it plays as meant, perhaps not as meant, or not at all.
  public var severity: Severity
  /// Stable, for machines: words joined by hyphens.
  public var code: String
  /// What was found, for people.
  public var message: String
  /// What Core Haptics makes of it; empty where only this reader has a limit.
  public var appleBehaviour: String
  /// What to do about it.
  public var fix: String
  /// Whether `AHAPLint.fix` does it.
  public var isFixable: Bool

  /// A finding at a place, with what Core Haptics makes of it and what to do.
  public init(
    line: Int, column: Int, severity: Severity, code: String, message: String, appleBehaviour: String, fix: String,
    isFixable: Bool
  ) {
    self.line = line
    self.column = column
    self.severity = severity
    self.code = code
    self.message = message
    self.appleBehaviour = appleBehaviour
    self.fix = fix
    self.isFixable = isFixable
  }

  /// "name:line:column: severity: message [code]", as compilers write it.
  public func text(name: String) -> String {
    "\(name):\(line):\(column): \(severity.rawValue): \(message) [\(code)]"
  }
}

/// Why a file is no AHAP at all.
public struct AHAPError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's name, as given.
  public var name: String
  /// Counted from 1.
  public var line: Int
  /// Counted from 1, in Unicode scalars.
  public var column: Int
  /// Stable, for machines: too-large, not-utf8, sound-file, empty, truncated, syntax, too-deep, too-long,
  /// too-many-at-once, too-many-points, not-an-object, no-pattern, number-too-large.
  public var code: String
  /// What is wrong, for people.
  public var reason: String
  /// What to do about it.
  public var remedy: String

  /// The same as what is told to people and programs.
  public var problem: Problem {
    let kind: Problem.Kind =
      switch code {
      case "too-large", "too-long", "too-deep", "too-many-at-once", "too-many-points": .tooLarge
      case "sound-file", "no-pattern", "not-an-object": .notAPattern
      case "empty": .empty
      case "truncated": .truncated
      case "number-too-large": .invalidValue
      default: .syntax
      }
    return Problem(
      kind, reason, remedy: remedy, where: Problem.Place(file: name, line: line, column: column))
  }

  /// "name:line:column: reason; remedy".
  public var description: String { problem.description }
}
