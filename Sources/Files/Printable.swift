// SPDX-License-Identifier: Apache-2.0

/// The name of a file as it can be shown on a terminal and in one line of a log: control characters as `?`.
public func printable(_ name: String) -> String {
  guard name.unicodeScalars.contains(where: isControl) else { return name }
  return String(String.UnicodeScalarView(name.unicodeScalars.map { isControl($0) ? "?" : $0 }))
}

/// C0, DEL and C1, and what breaks lines.
private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
}
