// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Haptics

struct EditedFile {
  let path: String
  let title: String

  /// What reading it came to.
  struct Contents {
    /// Nil when it could not be read as a pattern.
    var pattern: AuditionedPattern?
    /// What lint warns of, with line and column.
    var findings: [AHAPDiagnostic] = []
    /// Why there was nothing to check.
    var failure: String?
  }

  func read() -> Contents {
    let bytes: [UInt8]
    do throws(ToolFailure) {
      bytes = try readWhole(path)
    } catch {
      return Contents(failure: error.message)
    }
    // Defaults that are taken need not be told over and over.
    let findings = AHAPLint.check(bytes, name: path).filter { $0.severity > .note }
    guard var source = try? PatternSource(file: path, bytes), let document = source.document else {
      return Contents(findings: findings)
    }
    source.title = title
    return Contents(pattern: AuditionedPattern(source, document), findings: findings)
  }

  /// The first, which must be a pattern.
  func first() throws(ToolFailure) -> Edit {
    let contents = read()
    if let pattern = contents.pattern { return Edit(path: path, pattern: pattern, contents: contents) }
    _ = try PatternSource(path)
    throw ToolFailure(contents.failure ?? "\(path) is no pattern")
  }
}

/// The last pattern that could be read, and what is to be said of the file as it is.
struct Edit {
  let path: String
  private(set) var pattern: AuditionedPattern
  private(set) var contents: EditedFile.Contents

  /// As many findings as are shown at once.
  static let mostFindings = 5

  /// Takes in what was saved; whether it is a pattern. Where not, the last one stays.
  mutating func take(_ contents: EditedFile.Contents) -> Bool {
    self.contents = contents
    guard let pattern = contents.pattern else { return false }
    self.pattern = pattern
    return true
  }

  /// What to say below the picture, the worst first.
  func lines(style: Style, width: Int = .max) -> [String] {
    func said(_ text: String, _ ink: Ink) -> [String] {
      hanging(text, indent: 2, width: width).map { style.paint($0, ink) }
    }
    var lines = contents.failure.map { said($0, .bad) } ?? []
    for finding in contents.findings.sorted(by: { $0.severity > $1.severity }).prefix(Self.mostFindings) {
      lines += said(finding.text(name: pattern.title), finding.severity == .error ? .bad : .warning)
    }
    let more = contents.findings.count - Self.mostFindings
    if more > 0 {
      lines += said("and \(count(more, "more finding")); see `starlight lint \(quotedForShell(path))`", .warning)
    }
    let state =
      contents.pattern == nil
      ? "the last pattern that could be read stays; mend \(path) and save it" : "save \(path) to feel it again"
    return lines + said("\(state); Ctrl-C ends", .dim)
  }
}
