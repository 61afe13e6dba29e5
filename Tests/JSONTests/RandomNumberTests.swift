// SPDX-License-Identifier: Apache-2.0

import SeededNumbers
import Testing

@testable import JSON

/// Numbers written in every way, against long multiplication by hand.
@Suite struct RandomNumberTests {
  @Test func aNumberIsWholeWhereItsDigitsSaySo() throws {
    try search(upTo: 400) { random in
      func digits(_ count: Int) -> String { (0..<count).map { _ in String(random.next(below: 10)) }.joined() }
      let whole = random.oneIn(3) ? "0" : String(1 + random.next(below: 9)) + digits(random.next(below: 20))
      let zeros = String(repeating: "0", count: random.next(below: 6))
      let fraction = random.oneIn(2) ? nil : (random.oneIn(2) ? "" : digits(random.next(below: 6))) + zeros + "0"
      let size = random.pick([random.next(below: 5), random.next(below: 30), 400, 99_999])
      let power = random.oneIn(3) ? nil : random.oneIn(2) ? size : -size
      let sign = random.oneIn(3) ? "-" : ""
      let text = sign + whole + (fraction.map { "." + $0 } ?? "") + (power.map { "e\($0)" } ?? "")

      // Where the point is once the power is moved into it; what stands behind must be zeros.
      let all = Array((whole + (fraction ?? "")).utf8)
      let point = whole.utf8.count + (power ?? 0)
      let isWhole = all.enumerated().allSatisfy { $0.offset < point || $0.element == 0x30 }
      let before = (0..<max(0, min(point, 100_000))).map { $0 < all.count ? all[$0] : 0x30 }
      var value = Int64?.some(0)
      for digit in before.drop(while: { $0 == 0x30 }) {
        let (ten, over) = value.map { $0.multipliedReportingOverflow(by: 10) } ?? (0, true)
        // Towards the sign, so that the least number is reached.
        let one = sign == "-" ? -Int64(digit - 0x30) : Int64(digit - 0x30)
        let (sum, carries) = ten.addingReportingOverflow(one)
        value = over || carries ? nil : sum
        if value == nil { break }
      }
      let known = isWhole ? value : nil
      let read = try JSONTape(scanning: Array(text.utf8)).integer(at: 0)
      try hold(read == known, "\(text) is read as \(read as Any), not \(known as Any)")
    }
  }
}
