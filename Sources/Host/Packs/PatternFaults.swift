// SPDX-License-Identifier: Apache-2.0

import Haptics
import Problems

/// What of a pattern's file does not play, such as an event of a mistyped kind: the rest of it does, so that these are warnings
/// of its pack.
enum PatternFaults {
  /// Of one pattern no more are told; `starlight lint` tells all.
  private static let most = 4

  /// The first of them, as they are told of a pack.
  static func problems(of findings: [AHAPDiagnostic], file: String) -> [Problem] {
    findings.filter { $0.severity == .error }.prefix(most).map { finding in
      Problem(
        finding.code.hasPrefix("unknown") ? .unknownName : .invalidValue, finding.message, remedy: finding.fix,
        where: Problem.Place(file: file, line: finding.line, column: finding.column))
    }
  }
}
