// SPDX-License-Identifier: Apache-2.0

import JSON

/// The text of an AHAP file as read, value by value, with what would mend it.
package struct AHAPSource {
  /// Every value with its place.
  package let tape: JSONTape
  /// What would mend it.
  package let edits: AHAPEdits
  /// All that there is to say about it, in the order of the text.
  package let diagnostics: [AHAPDiagnostic]

  /// Reads `bytes`; throws when they are no AHAP file.
  package init(_ bytes: [UInt8], name: String) throws(AHAPError) {
    let reader = try AHAPReader.reading(bytes, name: name)
    tape = reader.tape
    edits = reader.edits
    diagnostics = reader.findings.diagnostics(in: bytes)
  }
}

/// What would mend a text, by the places of values in its tape.
package struct AHAPEdits {
  /// Numbers to be written instead.
  package var numbers: [Int: Double] = [:]
  /// The elements of arrays in the order in which to write them.
  package var order: [Int: [Int]] = [:]
  /// The keys of members to be left out.
  package var removed: Set<Int> = []
  /// The version to be added.
  package var version: String?

  /// Nothing to be mended.
  package init() {}
}
