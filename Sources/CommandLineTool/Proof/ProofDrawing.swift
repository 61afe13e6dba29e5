// SPDX-License-Identifier: Apache-2.0

/// The pictures of a proof's page, as SVG.
enum ProofDrawing {
  private static let width = 640.0
  private static let left = 72.0
  private static let right = 16.0
  private static let top = 20.0
  private static let bottom = 30.0

  /// How often each time came up.
  static func histogram(_ row: Proof.Row) -> String {
    guard let histogram = Histogram(row.valuesUs), let most = histogram.counts.max(), most > 0 else { return "" }
    let height = 170.0
    let floor = height - bottom
    let wide = (width - left - right) / Double(histogram.counts.count)
    var body = ""
    for (index, count) in histogram.counts.enumerated() where count > 0 {
      let tall = (floor - top) * Double(count) / Double(most)
      body += """
        <rect class="bar" x="\(n(left + Double(index) * wide))" y="\(n(floor - tall))" width="\(n(max(1, wide - 1)))" \
        height="\(n(tall))"/>
        """
    }
    body += line(left, floor, width - right, floor)
    body += text(left - 6, top + 10, "\(most)", anchor: "end") + text(left - 6, floor, "0", anchor: "end")
    let end = histogram.least + histogram.step * Int64(histogram.counts.count)
    let names = [(left, histogram.least, "start"), (width - right, end, "end")]
    for (x, value, anchor) in names { body += text(x, height - 6, milliseconds(value, places: 2), anchor: anchor) }
    return svg(height, "How often \(row.what.title) took how long", body)
  }

  /// Each difference at its instant.
  static func run(_ points: [Proof.Point]) -> String {
    guard let first = points.first?.atUs, let last = points.last?.atUs, last > first,
      let low = points.map(\.differenceUs).min(), let high = points.map(\.differenceUs).max()
    else { return "" }
    let height = 214.0
    let floor = height - bottom
    // Below the unit.
    let top = top + 14
    // At least a millisecond high: what is smaller is no story.
    let room = max(Double(high - low), 1_000) * 1.1
    let base = (Double(high) + Double(low)) / 2 - room / 2
    func x(_ at: Int64) -> Double { left + (width - left - right) * Double(at - first) / Double(last - first) }
    func y(_ value: Double) -> Double { floor - (floor - top) * (value - base) / room }
    var body = line(left, floor, width - right, floor)
    for value in [low, high] {
      body += line(left, y(Double(value)), width - right, y(Double(value)))
      body += text(left - 6, y(Double(value)) + 4, fixed(Double(value) / 1_000, 1), anchor: "end")
      if high - low < 100 { break }
    }
    for point in points {
      body +=
        "<circle class=\"point\" cx=\"\(n(x(point.atUs)))\" cy=\"\(n(y(Double(point.differenceUs))))\" r=\"2.2\"/>"
    }
    body += text(left, height - 6, "0 s", anchor: "start") + text(left - 6, top - 16, "ms", anchor: "end")
    body += text(width - right, height - 6, "\(fixed(Double(last - first) / 1e6, 0)) s", anchor: "end")
    return svg(height, "How much later than told each chirp was heard", body)
  }

  private static func svg(_ height: Double, _ title: String, _ body: String) -> String {
    """
    <svg viewBox="0 0 \(n(width)) \(n(height))" role="img" aria-label="\(title)">\(body)</svg>
    """
  }

  private static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    "<line class=\"grid\" x1=\"\(n(x1))\" y1=\"\(n(y1))\" x2=\"\(n(x2))\" y2=\"\(n(y2))\"/>"
  }

  private static func text(_ x: Double, _ y: Double, _ text: String, anchor: String) -> String {
    "<text class=\"label\" x=\"\(n(x))\" y=\"\(n(y))\" text-anchor=\"\(anchor)\">\(text)</text>"
  }

  private static func n(_ value: Double) -> String { fixed(value, 1) }
}
