// SPDX-License-Identifier: Apache-2.0

extension JSONTape {
  /// The number at `index`: the nearest `Double`; infinite when it is too large for one, 0 when it is too small.
  public func number(at index: Int) -> Double {
    let node = nodes[index]
    return decimalNumber(bytes, Int(node.start), Int(node.end))
  }

  /// The number at `index` where it is whole and fits 64 bits, however it is written: 2, 2.0 and 20e-1 are the same.
  ///
  /// It is found in its decimal digits and never goes through a `Double`: 1e-400 is no whole number, though the nearest
  /// `Double` is 0.
  public func integer(at index: Int) -> Int64? {
    let node = nodes[index]
    var at = Int(node.start)
    let end = Int(node.end)
    let isNegative = bytes[at] == UInt8(ascii: "-")
    if isNegative { at += 1 }
    var magnitude = UInt64(0)
    while at < end, isDigit(bytes[at]) {
      guard let longer = appending(bytes[at], to: magnitude) else {
        return decimalInteger(bytes[Int(node.start)..<end])
      }
      magnitude = longer
      at += 1
    }
    return at == end ? signed(magnitude, isNegative) : decimalInteger(bytes[Int(node.start)..<end])
  }
}

/// The same for a number with a point, an exponent or very many digits.
private func decimalInteger(_ text: ArraySlice<UInt8>) -> Int64? {
  var digits: [UInt8] = []
  var exponent = 0
  var isNegative = false
  var seenPoint = false
  scan: for (offset, byte) in text.enumerated() {
    switch byte {
    case UInt8(ascii: "-"): isNegative = true
    case UInt8(ascii: "."): seenPoint = true
    case UInt8(ascii: "e"), UInt8(ascii: "E"):
      // Beyond this it makes no difference: a number has fewer digits.
      exponent += clampedExponent(text.dropFirst(offset + 1))
      break scan
    default:
      if !digits.isEmpty || byte != UInt8(ascii: "0") { digits.append(byte) }
      if seenPoint { exponent -= 1 }
    }
  }
  if digits.isEmpty { return 0 }
  while exponent < 0, digits.last == UInt8(ascii: "0") {
    digits.removeLast()
    exponent += 1
  }
  guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
  var magnitude = UInt64(0)
  for byte in digits + Array(repeating: UInt8(ascii: "0"), count: exponent) {
    guard let longer = appending(byte, to: magnitude) else { return nil }
    magnitude = longer
  }
  return signed(magnitude, isNegative)
}

private func clampedExponent(_ text: ArraySlice<UInt8>) -> Int {
  var exponent = 0
  for byte in text where isDigit(byte) { exponent = min(exponent * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000) }
  return text.first == UInt8(ascii: "-") ? -exponent : exponent
}

private func appending(_ digit: UInt8, to magnitude: UInt64) -> UInt64? {
  let (shifted, tooLarge) = magnitude.multipliedReportingOverflow(by: 10)
  let (longer, carries) = shifted.addingReportingOverflow(UInt64(digit - UInt8(ascii: "0")))
  return tooLarge || carries ? nil : longer
}

private func signed(_ magnitude: UInt64, _ isNegative: Bool) -> Int64? {
  if !isNegative { return Int64(exactly: magnitude) }
  return magnitude == Int64.min.magnitude ? .min : Int64(exactly: magnitude).map { -$0 }
}

/// The nearest Double to a JSON number that the scanner has passed. Up to 15 digits and 22 powers of ten both parts are
/// exact Doubles, so that one rounding is left (Clinger 1990); others go the library's way.
private func decimalNumber(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Double {
  var digits = UInt64(0)
  var count = 0
  var scale = 0
  var at = start
  var isNegative = false
  var seenPoint = false
  while at < end, count <= 15 {
    switch bytes[at] {
    case UInt8(ascii: "-"): isNegative = true
    case UInt8(ascii: "."): seenPoint = true
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      digits = digits * 10 + UInt64(bytes[at] - UInt8(ascii: "0"))
      if digits > 0 { count += 1 }
      if seenPoint { scale += 1 }
    default: count = .max - 1
    }
    at += 1
  }
  guard count <= 15, scale < powersOfTen.count else {
    return Double(String(decoding: bytes[start..<end], as: UTF8.self)) ?? .nan
  }
  let value = Double(digits) / powersOfTen[scale]
  return isNegative ? -value : value
}

private let powersOfTen: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
]

func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
