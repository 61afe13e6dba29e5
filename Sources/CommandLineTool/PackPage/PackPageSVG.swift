// SPDX-License-Identifier: Apache-2.0

/// The small pictures of a pack's page: as wide as there is room, coloured by the page's style.
enum PackPageSVG {
  /// So many colours stand for sharpness.
  static let sharpnessSteps = 8

  /// A waveform, with the loop and the markers of its track; nothing where nothing was measured.
  static func waveform(_ level: ShownLevel?, _ track: ShownTrack? = nil) -> String {
    guard let level, !level.waveform.isEmpty else { return "" }
    let columns = level.waveform.count
    let heights = level.waveform.map { max(1, Int(($0 / level.scale * 48).rounded())) }
    var path = "M0 50"
    for height in heights { path += "V\(50 - height)h1" }
    for height in heights.reversed() { path += "V\(50 + height)h-1" }
    var behind = ""
    var before = ""
    if let track, let lengthUs = track.lengthUs, lengthUs > 0 {
      func place(_ time: Int64) -> String { fixed(Double(time) / Double(lengthUs) * Double(columns), 2) }
      if let loop = track.loop {
        behind =
          "<rect class=\"loop\" x=\"\(place(loop.startUs))\" y=\"0\" "
          + "width=\"\(place(max(0, loop.endUs - loop.startUs)))\" height=\"100\"/>"
      }
      for marker in track.markers {
        before += "<path class=\"mark\" d=\"M\(place(marker.positionUs)) 0V100\"/>"
      }
    }
    return svg("wave", columns, 100, behind + "<path class=\"sound\" d=\"\(path)z\"/>" + before)
  }

  /// A pattern: intensity as height, sharpness as colour, taps as lines.
  static func pattern(_ envelope: Envelope) -> String {
    var content = ""
    var run = 0..<0
    func colour(_ sharpness: Double) -> Int { min(max(Int(sharpness * Double(sharpnessSteps)), 0), sharpnessSteps - 1) }
    func endRun() {
      guard let first = run.first, envelope.columns[first].body > 0 else { return }
      var path = "M\(first) 100"
      for index in run { path += "V\(fixed(100 - envelope.columns[index].body * 96, 0))h1" }
      content += "<path class=\"s\(colour(envelope.columns[first].bodySharpness))\" d=\"\(path)V100z\"/>"
    }
    for (index, column) in envelope.columns.enumerated() {
      let isSame =
        run.last.map { last in
          let before = envelope.columns[last]
          return (before.body > 0) == (column.body > 0) && colour(before.bodySharpness) == colour(column.bodySharpness)
        } ?? true
      if !isSame {
        endRun()
        run = index..<index
      }
      run = (run.isEmpty ? index : run.lowerBound)..<(index + 1)
    }
    endRun()
    for (index, column) in envelope.columns.enumerated() {
      guard let spike = column.spike, spike > 0 else { continue }
      let top = fixed(100 - spike * 96, 0)
      content += "<path class=\"t\(colour(column.spikeSharpness))\" d=\"M\(index).5 100V\(top)\"/>"
    }
    return svg("feel", envelope.columns.count, 100, content)
  }

  /// The beats of a lane, darker where several fall into one place.
  static func beats(_ counts: [Int]) -> String {
    var paths: [String] = ["", "", ""]
    for (index, count) in counts.enumerated() where count > 0 { paths[min(count, 3) - 1] += "M\(index) 0V10" }
    let drawn = paths.enumerated().filter { !$0.element.isEmpty }.map {
      "<path class=\"b\($0.offset)\" d=\"\($0.element)\"/>"
    }
    return svg("beats", counts.count, 10, drawn.joined())
  }

  private static func svg(_ kind: String, _ width: Int, _ height: Int, _ content: String) -> String {
    "<svg class=\"\(kind)\" viewBox=\"0 0 \(width) \(height)\" preserveAspectRatio=\"none\">\(content)</svg>"
  }
}
