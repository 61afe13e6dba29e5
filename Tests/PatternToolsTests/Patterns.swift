// SPDX-License-Identifier: Apache-2.0

import Glibc
import Haptics
import Testing
import Timing

/// The bytes of a file, by its path from the package's root.
func contents(_ path: String) throws -> [UInt8] {
  let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  let file = try #require(fopen("/\(root)/\(path)", "r"), "no file \(path)")
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    if count == 0 { return bytes }
    bytes += chunk[..<count]
  }
}

/// The bytes of one of HapticsTests' fixtures, by its name.
func fixture(_ name: String) throws -> [UInt8] { try contents("Tests/HapticsTests/Fixtures/\(name).ahap") }

/// A pattern from AHAP text; empty when it is none.
func pattern(_ text: String) -> HapticPattern {
  guard let (document, _) = try? AHAPDocument.parse(Array(text.utf8), name: "test") else {
    Issue.record("not AHAP: \(text)")
    return HapticPattern(AHAPDocument())
  }
  return HapticPattern(document)
}

extension Interval {
  static func ms(_ value: Int64) -> Interval { .milliseconds(value) }
}

/// Whether two levels are the same but for rounding.
func isClose(_ a: HapticLevel, _ intensity: Float, _ sharpness: Float, within tolerance: Float = 1e-6) -> Bool {
  abs(a.intensity - intensity) <= tolerance && abs(a.sharpness - sharpness) <= tolerance
}
