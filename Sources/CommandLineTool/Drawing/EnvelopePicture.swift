// SPDX-License-Identifier: Apache-2.0

import Timing

/// An envelope drawn in characters: intensity as an area, transients as spikes, sharpness as colour and in rows below.
///
/// A pure function of its properties: the same in any terminal, at any time.
struct EnvelopePicture {
  var envelope: Envelope
  /// Rows for intensity.
  var height = 8
  /// Rows for sharpness.
  var sharpnessHeight = 2
  /// How far playback has come, if it plays; what is still to come is drawn faint.
  var playhead: Interval?
  var style = Style.plain

  /// Columns that the scale on the left takes.
  static let margin = 7
  /// Columns kept free on the right, for the label of the last time.
  static let endMargin = 4
  /// Rows beside those for intensity and sharpness: the playhead's, two axes, and the times.
  static let frameRows = 4

  /// The picture's rows, top first.
  func lines() -> [String] {
    let count = envelope.columns.count
    var canvas = Canvas(width: Self.margin + count + Self.endMargin, height: Self.frameRows + height + sharpnessHeight)
    drawScales(&canvas)
    for (index, column) in envelope.columns.enumerated() { draw(column, at: index, on: &canvas) }
    drawTimes(&canvas)
    drawPlayhead(&canvas)
    return canvas.lines(style)
  }

  private var intensityAxis: Int { 1 + height }
  private var sharpnessAxis: Int { intensityAxis + 1 + sharpnessHeight }

  private func drawScales(_ canvas: inout Canvas) {
    for row in 1..<sharpnessAxis { canvas.put("│", row: row, column: Self.margin - 1, .dim) }
    canvas.put("  1.0 ┤", row: 1, column: 0, .dim)
    if height >= 4 { canvas.put("  0.5 ┤", row: 1 + height / 2, column: 0, .dim) }
    if sharpnessHeight > 0 { canvas.put("sharp │", row: intensityAxis + 1, column: 0, .dim) }
    let line = String(repeating: "─", count: envelope.columns.count)
    canvas.put("    0 ├" + line, row: intensityAxis, column: 0, .dim)
    canvas.put("      └" + line, row: sharpnessAxis, column: 0, .dim)
  }

  private func draw(_ column: Envelope.Column, at index: Int, on canvas: inout Canvas) {
    let x = Self.margin + index
    let dimmed = isAhead(index)
    let body = Ink.sharpness(column.bodySharpness, dimmed: dimmed)
    canvas.stack(area(column.body, rows: height), from: intensityAxis - 1, column: x, body)
    if let spike = column.spike {
      let ink = Ink.sharpness(column.spikeSharpness, dimmed: dimmed)
      canvas.stack(spikeShape(spike, rows: height), from: intensityAxis - 1, column: x, ink)
      canvas.put("┸", row: intensityAxis, column: x, .dim)
    }
    if column.body > 0 || column.spike != nil {
      let ink = Ink.sharpness(column.sharpness, dimmed: dimmed)
      let shape = area(max(column.sharpness, 0.01), rows: sharpnessHeight)
      canvas.stack(shape, from: sharpnessAxis - 1, column: x, ink)
    }
  }

  /// Marks on the time axis where whole steps fall, with their seconds below, as many as have room.
  private func drawTimes(_ canvas: inout Canvas) {
    let seconds = envelope.span.seconds
    let columns = Double(envelope.columns.count)
    let step = timeStep(seconds: seconds, most: columns / 8)
    for index in 0...Int((seconds / step.seconds + 1e-9).rounded(.down)) {
      let time = Double(index) * step.seconds
      let column = Self.margin + min(Int(time / seconds * columns), envelope.columns.count - 1)
      canvas.put("┬", row: sharpnessAxis, column: column, .dim)
      let label = index == 0 ? "0 s" : fixed(time, step.places)
      canvas.put(label, row: sharpnessAxis + 1, column: column, .dim)
    }
  }

  private func drawPlayhead(_ canvas: inout Canvas) {
    guard let column = playheadColumn else { return }
    let x = Self.margin + column
    canvas.put("▼", row: 0, column: x, .bold)
    for row in 1..<sharpnessAxis where canvas.character(row: row, column: x) == " " {
      canvas.put("┊", row: row, column: x, .normal)
    }
  }

  private var playheadColumn: Int? {
    guard let playhead, playhead >= .zero, playhead < envelope.span else { return nil }
    return Int(playhead.seconds / envelope.span.seconds * Double(envelope.columns.count))
  }

  private func isAhead(_ index: Int) -> Bool {
    guard playhead != nil, playhead ?? .zero < envelope.span else { return false }
    return index > playheadColumn ?? -1
  }
}

/// The characters of a column from the bottom up whose area is `value` (0...1) of `rows`; never nothing above zero.
func area(_ value: Double, rows: Int) -> [Character] {
  if value <= 0 || rows == 0 { return [] }
  let eighths = max(1, Int((min(value, 1) * Double(rows * 8)).rounded()))
  let parts: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇"]
  return Array(repeating: "█", count: eighths / 8) + (eighths % 8 > 0 ? [parts[eighths % 8 - 1]] : [])
}

/// A vertical line from the bottom up, to half a character; never nothing.
private func spikeShape(_ value: Double, rows: Int) -> [Character] {
  let halves = max(1, Int((min(max(value, 0), 1) * Double(rows * 2)).rounded()))
  return Array(repeating: "┃", count: halves / 2) + (halves % 2 > 0 ? ["╻"] : [])
}

/// The smallest of 1, 2, 5, 10, ... (and fractions) that gives at most `most` steps in `seconds`.
private func timeStep(seconds: Double, most: Double) -> (seconds: Double, places: Int) {
  for places in [3, 2, 1] {
    for factor in [1.0, 2, 5] {
      let step = factor * [0, 0.1, 0.01, 0.001][places]
      if seconds / step <= max(1, most) { return (step, places) }
    }
  }
  var step = 1.0
  while true {
    for factor in [1.0, 2, 5] where seconds / (step * factor) <= max(1, most) { return (step * factor, 0) }
    step *= 10
  }
}
