// SPDX-License-Identifier: Apache-2.0

/// `value` with exactly `places` decimals, rounded half away from zero.
func fixed(_ value: Double, _ places: Int) -> String {
  guard value.isFinite, abs(value) < 1e15 else { return String(value) }
  var scale: Int64 = 1
  for _ in 0..<places { scale *= 10 }
  let scaled = Int64((abs(value) * Double(scale)).rounded())
  let sign = value < 0 && scaled > 0 ? "-" : ""
  let whole = sign + String(scaled / scale)
  if places == 0 { return whole }
  let digits = String(scaled % scale)
  return whole + "." + String(repeating: "0", count: places - digits.count) + digits
}

/// Microseconds as milliseconds: "12.3 ms".
func milliseconds(_ microseconds: Int64, places: Int = 1) -> String {
  fixed(Double(microseconds) / 1_000, places) + " ms"
}

/// Microseconds as milliseconds with their sign: "+12.3 ms".
func signedMilliseconds(_ microseconds: Int64, places: Int = 1) -> String {
  let text = milliseconds(microseconds, places: places)
  return text.hasPrefix("-") ? text : "+" + text
}

/// Microseconds as "1:07.3": minutes, seconds and tenths; negative before zero.
func clockTime(_ microseconds: Int64) -> String {
  let tenths = (abs(microseconds) + 50_000) / 100_000
  let seconds = tenths / 10 % 60
  let sign = microseconds < 0 && tenths > 0 ? "-" : ""
  return "\(sign)\(tenths / 600):\(seconds < 10 ? "0" : "")\(seconds).\(tenths % 10)"
}

/// Microseconds as a length: "85 ms", "2.35 s", "3:07 min", "2:05 h".
func length(_ microseconds: Int64) -> String {
  let seconds = Double(microseconds) / 1e6
  if seconds < 0.9995 { return fixed(seconds * 1_000, 0) + " ms" }
  if seconds < 59.995 { return fixed(seconds, 2) + " s" }
  let whole = Int64(seconds.rounded())
  let (minutes, rest) = whole < 3600 ? (whole / 60, whole % 60) : (whole / 3600, whole / 60 % 60)
  return "\(minutes):\(rest < 10 ? "0" : "")\(rest) \(whole < 3600 ? "min" : "h")"
}

/// Bytes as "312 B", "3.8 kB" or "24.1 MB" (powers of a thousand).
func size(_ bytes: Int64) -> String {
  if bytes < 1_000 { return "\(bytes) B" }
  if bytes < 1_000_000 { return fixed(Double(bytes) / 1e3, 1) + " kB" }
  return fixed(Double(bytes) / 1e6, 1) + " MB"
}

/// "1 beat", "2 beats".
func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
  "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
}

extension String {
  /// Filled up with spaces on the right to `width` characters.
  func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// Filled up with spaces on the left to `width` characters.
  func rightAligned(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }

  /// At most `width` characters, the last an ellipsis where something was cut.
  func cut(to width: Int) -> String { count <= width ? self : prefix(max(0, width - 1)) + "…" }
}

/// A level as the haptic log writes it: to 1/10 000, finer than any actuator.
func roundedLevel(_ level: Double) -> Double { (level * 10_000).rounded() / 10_000 }
