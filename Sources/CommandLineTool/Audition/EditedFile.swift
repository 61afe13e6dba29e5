// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Haptics

/// A pattern's file that somebody is editing.
struct EditedFile {
  let path: String
  let title: String

  /// What reading it came to.
  struct Reading {
    /// Nil when it could not be read as a pattern.
    var pattern: AuditionedPattern?
    /// What lint warns of, with line and column.
    var findings: [AHAPDiagnostic] = []
    /// Why there was nothing to check.
    var failure: String?
  }

  /// Reads it as it is.
  func read() -> Reading {
    let bytes: [UInt8]
    do throws(ToolFailure) {
      bytes = try readWhole(path)
    } catch {
      return Reading(failure: error.message)
    }
    // Defaults that are taken need not be told over and over.
    let findings = AHAPLint.check(bytes, name: path).filter { $0.severity > .note }
    guard var source = try? PatternSource(file: path, bytes), let document = source.document else {
      return Reading(findings: findings)
    }
    source.title = title
    return Reading(pattern: AuditionedPattern(source, document), findings: findings)
  }

  /// The first reading, which must be a pattern.
  func first() throws(ToolFailure) -> Edit {
    let reading = read()
    if let pattern = reading.pattern { return Edit(path: path, pattern: pattern, reading: reading) }
    _ = try PatternSource(path)
    throw ToolFailure(reading.failure ?? "\(path) is no pattern")
  }
}

/// The last pattern that could be read, and what is to be said of the file as it is.
struct Edit {
  private let path: String
  private(set) var pattern: AuditionedPattern
  private var reading: EditedFile.Reading

  /// As many findings as are shown at once.
  static let mostFindings = 5

  fileprivate init(path: String, pattern: AuditionedPattern, reading: EditedFile.Reading) {
    (self.path, self.pattern, self.reading) = (path, pattern, reading)
  }

  /// Takes in what was saved; whether it is a pattern. Where not, the last one stays.
  mutating func take(_ reading: EditedFile.Reading) -> Bool {
    self.reading = reading
    guard let pattern = reading.pattern else { return false }
    self.pattern = pattern
    return true
  }

  /// What to say below the picture, the worst first.
  func lines(style: Style, width: Int = .max) -> [String] {
    func said(_ text: String, _ ink: Ink) -> [String] {
      hanging(text, indent: 2, width: width).map { style.paint($0, ink) }
    }
    var lines = reading.failure.map { said($0, .bad) } ?? []
    for finding in reading.findings.sorted(by: { $0.severity > $1.severity }).prefix(Self.mostFindings) {
      lines += said(finding.text(name: pattern.title), finding.severity == .error ? .bad : .warning)
    }
    let more = reading.findings.count - Self.mostFindings
    if more > 0 {
      lines += said("and \(count(more, "more finding")); see `starlight lint \(quotedForShell(path))`", .warning)
    }
    let state =
      reading.pattern == nil
      ? "the last pattern that could be read stays; mend \(path) and save it" : "save \(path) to feel it again"
    return lines + said("\(state); Ctrl-C ends", .dim)
  }
}
