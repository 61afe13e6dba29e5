// SPDX-License-Identifier: Apache-2.0

import JSON

/// Collects what a reader finds, and turns it into diagnostics when all is read.
struct AHAPFindings {
  /// A finding at a byte of the text.
  struct Finding {
    var offset: Int
    var severity: AHAPDiagnostic.Severity
    var code: String
    var message: String
    var apple: String
    var fix: String
    var isFixable: Bool
  }

  private var findings: [Finding] = []
  private var unlisted = 0

  /// Whether a finding is one too many to be listed, and so counted here and done with: no words need to be found for it.
  mutating func isOnlyCounted(_ severity: AHAPDiagnostic.Severity) -> Bool {
    let isTooMany =
      findings.count >= AHAPLimits.diagnostics && severity < .error
      || findings.count >= AHAPLimits.diagnostics * 2
    if isTooMany { unlisted += 1 }
    return isTooMany
  }

  /// Notes a finding; beyond the limit it is only counted, so that no file makes an endless list.
  mutating func add(
    _ severity: AHAPDiagnostic.Severity, _ code: String, at offset: Int, _ message: String,
    apple: String, fix: String, isFixable: Bool = false
  ) {
    if isOnlyCounted(severity) { return }
    findings.append(
      Finding(
        offset: offset, severity: severity, code: code, message: message, apple: apple, fix: fix,
        isFixable: isFixable))
  }

  /// All findings in the order of the text.
  func diagnostics(in bytes: [UInt8]) -> [AHAPDiagnostic] {
    let ordered = findings.sorted { $0.offset < $1.offset }
    let positions = TextPosition.positions(of: ordered.map(\.offset), in: bytes)
    var diagnostics = zip(ordered, positions).map { finding, position in
      AHAPDiagnostic(
        line: position.line, column: position.column, severity: finding.severity, code: finding.code,
        message: finding.message, appleBehaviour: finding.apple, fix: finding.fix, isFixable: finding.isFixable)
    }
    if unlisted > 0, let last = diagnostics.last {
      diagnostics.append(
        AHAPDiagnostic(
          line: last.line, column: last.column, severity: .note, code: "more-findings",
          message: "\(unlisted) more findings are not listed", appleBehaviour: "does not report any of these",
          fix: "cure those above first", isFixable: false))
    }
    return diagnostics
  }
}
