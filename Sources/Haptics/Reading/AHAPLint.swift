// SPDX-License-Identifier: Apache-2.0

/// Checks AHAP files. What mends them is in PatternTools.
public enum AHAPLint {
  /// All that there is to say about a file, in the order of its text. What keeps the file from being read at all is an
  /// error among the others.
  public static func check(_ bytes: [UInt8], name: String) -> [AHAPDiagnostic] {
    do throws(AHAPError) {
      return try AHAPDocument.parse(bytes, name: name).diagnostics
    } catch {
      return [
        AHAPDiagnostic(
          line: error.line, column: error.column, severity: .error, code: error.code, message: error.reason,
          appleBehaviour: ["too-large", "too-deep", "too-many-at-once", "too-many-points"].contains(error.code)
            ? "" : "refuses the file",
          fix: error.remedy, isFixable: false)
      ]
    }
  }
}
