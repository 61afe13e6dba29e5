// SPDX-License-Identifier: Apache-2.0

import Haptics

/// Mends what can be mended without changing what was meant.
extension AHAPLint {
  /// A file mended.
  public struct Fixed: Hashable, Sendable {
    /// The whole file in canonical form; equal to the text before when there was nothing to mend.
    public var text: String
    /// What was mended.
    public var mended: [AHAPDiagnostic]
    /// What is left to say about the new text.
    public var remaining: [AHAPDiagnostic]
  }

  /// Mends trailing commas, values out of range, entries and points out of order, points in absolute time, durations of
  /// transients, a missing Version and a byte order mark. All else is kept, also keys that mean nothing, but laid out
  /// anew. A file with nothing to mend is left as it is, to the byte. Throws when the file cannot be read.
  public static func fix(_ bytes: [UInt8], name: String) throws(AHAPError) -> Fixed {
    let source = try AHAPSource(bytes, name: name)
    let mended = source.diagnostics.filter(\.isFixable)
    if mended.isEmpty {
      return Fixed(text: String(decoding: bytes, as: UTF8.self), mended: [], remaining: source.diagnostics)
    }
    let text = CanonicalJSON.text(of: source.tape, source.edits)
    return Fixed(text: text, mended: mended, remaining: check(Array(text.utf8), name: name))
  }

  /// A file in canonical form: two spaces a level, a line for each entry of the two
  /// outermost levels, and inside those one line for what fits on it. Nothing but white space is changed.
  /// Throws when the file cannot be read.
  public static func canonical(_ bytes: [UInt8], name: String) throws(AHAPError) -> String {
    CanonicalJSON.text(of: try AHAPSource(bytes, name: name).tape, AHAPEdits())
  }
}
