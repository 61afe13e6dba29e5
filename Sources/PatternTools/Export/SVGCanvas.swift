// SPDX-License-Identifier: Apache-2.0

import Glibc
import Haptics

/// The drawing of haptic pictures: where things are and what they look like.
struct SVGCanvas {
  private static let left = 56.0
  private static let right = 20.0
  private static let top = 52.0
  private static let intensityHeight = 180.0
  private static let gap = 26.0
  private static let sharpnessHeight = 56.0
  private static let bottom = 36.0

  /// What is drawn with, on light paper and on dark: a viewer says which it wants.
  private static let style = """
    <style>
    .paper{fill:#ffffff}.title{fill:#1f2733}.label{fill:#5b6472}.grid{stroke:#dfe4ea}
    .edge{fill:none;stroke:#5b6472}.mark{fill:#5b6472}
    @media (prefers-color-scheme:dark){
    .paper{fill:#14181f}.title{fill:#e8ecf2}.label{fill:#a3adba}.grid{stroke:#2b323d}
    .edge{fill:none;stroke:#c3ccd8}.mark{fill:#c3ccd8}}
    </style>

    """

  private let width: Double
  private let title: String
  private let seconds: Double
  private var body = ""

  /// A picture at least 200 ms wide: a single tap is a spike with room behind it.
  init(width: Int, title: String, seconds: Double) {
    self.width = Double(max(width, 240))
    self.title = title
    self.seconds = max(seconds, 0.2)
  }

  private var height: Double { Self.sharpnessTop + Self.sharpnessHeight + Self.bottom }
  private static var floor: Double { top + intensityHeight }
  private static var sharpnessTop: Double { floor + gap }

  private func x(_ time: Double) -> Double { Self.left + time / seconds * (width - Self.left - Self.right) }
  private func y(_ intensity: Double) -> Double { Self.floor - intensity * Self.intensityHeight }
  private func low(_ sharpness: Double) -> Double {
    Self.sharpnessTop + Self.sharpnessHeight * (1 - sharpness)
  }
  private func n(_ value: Double) -> String { fixed(value, 1) }

  /// Round is deep blue, crisp is bright orange.
  static func colour(_ sharpness: Double) -> String {
    let stops: [(Double, Double, Double)] = [(46, 74, 168), (142, 68, 173), (224, 64, 90), (250, 150, 40)]
    let place = unitClamp(sharpness) * Double(stops.count - 1)
    let index = min(Int(place), stops.count - 2)
    let part = place - Double(index)
    func channel(_ of: KeyPath<(Double, Double, Double), Double>) -> String {
      let value = stops[index][keyPath: of] * (1 - part) + stops[index + 1][keyPath: of] * part
      let hex = String(Int(value.rounded()), radix: 16)
      return hex.count < 2 ? "0" + hex : hex
    }
    return "#" + channel(\.0) + channel(\.1) + channel(\.2)
  }

  mutating func axes() {
    let (from, to) = (n(Self.left), n(width - Self.right))
    for (value, label) in [(0.0, "0"), (0.5, "0.5"), (1, "1")] {
      line(from, n(y(value)), to, n(y(value)))
      write(Self.left - 8, y(value) + 4, label, "end")
    }
    for value in [0.0, 1] { line(from, n(low(value)), to, n(low(value))) }
    write(Self.left - 8, low(1) + 8, "1", "end")
    write(Self.left - 8, low(0) + 4, "0", "end")
    write(Self.left, Self.top - 8, "intensity", "start")
    write(Self.left, Self.sharpnessTop - 6, "sharpness", "start")
    let step = tick
    var index = 0
    while Double(index) * step <= seconds * 1.000_001 {
      let time = Double(index) * step
      line(n(x(time)), n(Self.top), n(x(time)), n(Self.sharpnessTop + Self.sharpnessHeight))
      let text = fixed(time, 3) + (index == 0 ? " s" : "")
      write(x(time), Self.sharpnessTop + Self.sharpnessHeight + 18, text, "middle")
      index += 1
    }
  }

  /// Six to twelve ticks at round times.
  private var tick: Double {
    var step = 0.01
    for factor in [2, 2.5, 2].cycled(12) where seconds / step > 12 { step *= factor }
    return step
  }

  /// The colours of sharpness from left to right, where anything is felt.
  mutating func gradient(_ outline: HapticOutline) {
    let felt = outline.body.filter { $0.intensity > 0 }
    let every = max(1, felt.count / 96)
    var stops = ""
    for (index, corner) in felt.enumerated() where index % every == 0 || index == felt.count - 1 {
      stops += "<stop offset=\"\(fixed(corner.time / seconds, 4))\" stop-color=\"\(Self.colour(corner.sharpness))\"/>"
    }
    if stops.isEmpty { stops = "<stop offset=\"0\" stop-color=\"\(Self.colour(0.5))\"/>" }
    body += "<defs><linearGradient id=\"feel\" gradientUnits=\"userSpaceOnUse\" x1=\"\(n(Self.left))\" y1=\"0\" "
    body += "x2=\"\(n(width - Self.right))\" y2=\"0\">\(stops)</linearGradient></defs>\n"
  }

  /// The steady part: `colour` fills it and draws its edge, or sharpness fills it where there is none.
  mutating func area(_ outline: HapticOutline, colour: String? = nil) {
    guard outline.body.contains(where: { $0.intensity > 0 }), let last = outline.body.last else { return }
    let points = outline.body.map { n(x($0.time)) + "," + n(y($0.intensity)) }.joined(separator: " ")
    let (first, end) = (n(x(0)) + "," + n(y(0)), n(x(last.time)) + "," + n(y(0)))
    let (fill, opacity) = colour.map { ($0, "0.3") } ?? ("url(#feel)", "0.9")
    body += "<polygon points=\"\(first) \(points) \(end)\" fill=\"\(fill)\" fill-opacity=\"\(opacity)\"/>\n"
    body += "<polyline points=\"\(points)\" \(edge(colour)) stroke-width=\"1.2\"/>\n"
  }

  /// How an edge is drawn: in its colour, or in that of the paper's ink.
  private func edge(_ colour: String?) -> String {
    colour.map { "fill=\"none\" stroke=\"\($0)\"" } ?? "class=\"edge\""
  }

  mutating func spike(_ spike: HapticOutline.Corner, colour: String) {
    let (at, peak) = (n(x(spike.time)), n(y(spike.intensity)))
    body +=
      "<line x1=\"\(at)\" y1=\"\(n(y(0)))\" x2=\"\(at)\" y2=\"\(peak)\" stroke=\"\(colour)\" stroke-width=\"2.5\"/>"
    body += "<circle cx=\"\(at)\" cy=\"\(peak)\" r=\"4\" fill=\"\(colour)\"/>\n"
  }

  /// Sharpness as a line of its own.
  mutating func sharpness(_ outline: HapticOutline, colour: String? = nil) {
    // Silence has no sharpness: the line is broken there.
    for part in outline.body.split(whereSeparator: { $0.intensity == 0 }) where part.count > 1 {
      let points = part.map { n(x($0.time)) + "," + n(low($0.sharpness)) }.joined(separator: " ")
      body += "<polyline points=\"\(points)\" \(edge(colour)) stroke-width=\"1.6\"/>\n"
    }
    for spike in outline.spikes {
      let at = (n(x(spike.time)), n(low(spike.sharpness)))
      body +=
        "<circle cx=\"\(at.0)\" cy=\"\(at.1)\" r=\"2.5\" \(colour.map { "fill=\"\($0)\"" } ?? "class=\"mark\"")/>\n"
    }
  }

  /// Which colour is whose.
  mutating func legend(_ entries: [(name: String, colour: String)]) {
    var at = width - Self.right
    for entry in entries.reversed() {
      let room = Double(entry.name.count) * 7 + 24
      at -= room
      body += "<rect x=\"\(n(at))\" y=\"\(n(Self.top - 18))\" width=\"11\" height=\"11\" fill=\"\(entry.colour)\"/>"
      write(at + 16, Self.top - 8, entry.name, "start")
    }
  }

  /// What the colours mean: sharpness from 0 to 1.
  mutating func sharpnessLegend() {
    let (length, right) = (96.0, width - Self.right - 44)
    let stops = (0...3).map { stop in
      "<stop offset=\"\(fixed(Double(stop) / 3, 4))\" stop-color=\"\(Self.colour(Double(stop) / 3))\"/>"
    }
    body += "<defs><linearGradient id=\"scale\">\(stops.joined())</linearGradient></defs>\n"
    write(right - length - 6, Self.top - 8, "sharpness: 0 round", "end")
    body += "<rect x=\"\(n(right - length))\" y=\"\(n(Self.top - 17))\" width=\"\(n(length))\" height=\"9\" rx=\"2\" "
    body += "fill=\"url(#scale)\"/>\n"
    write(right + 6, Self.top - 8, "1 crisp", "start")
  }

  func text() -> String {
    var text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(n(width))\" height=\"\(n(height))\" "
    text += "viewBox=\"0 0 \(n(width)) \(n(height))\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n"
    text += Self.style + "<rect width=\"100%\" height=\"100%\" rx=\"8\" class=\"paper\"/>\n"
    if !title.isEmpty {
      text += "<text x=\"\(n(Self.left))\" y=\"20\" font-size=\"15\" font-weight=\"600\" class=\"title\">"
      text += xmlText(title) + "</text>\n"
    }
    return text + body + "</svg>\n"
  }

  private mutating func line(_ x1: String, _ y1: String, _ x2: String, _ y2: String) {
    body += "<line x1=\"\(x1)\" y1=\"\(y1)\" x2=\"\(x2)\" y2=\"\(y2)\" class=\"grid\"/>\n"
  }

  private mutating func write(_ x: Double, _ y: Double, _ text: String, _ anchor: String) {
    body += "<text x=\"\(n(x))\" y=\"\(n(y))\" text-anchor=\"\(anchor)\" class=\"label\">\(xmlText(text))</text>\n"
  }
}

extension [Double] {
  /// The elements over and over, `count` in all.
  fileprivate func cycled(_ count: Int) -> [Double] { (0..<count).map { self[$0 % self.count] } }
}
