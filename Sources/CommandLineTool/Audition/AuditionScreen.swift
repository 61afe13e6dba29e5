// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Haptics
import Timing

/// What an audition shows: the pattern's name and figures, its picture, and what there is to say.
struct AuditionScreen {
  private let name: String
  private let figures: String
  private let document: AHAPDocument
  private let out: Terminal
  private let wantedHeight: Int
  /// For the columns last drawn, since looking at a pattern at every column takes its time.
  private var envelope: Envelope?

  /// `place` tells where in a folder it stands: "2 of 5".
  init(title: String, document: AHAPDocument, tool: Tool, place: String? = nil) {
    self.document = document
    out = tool.out
    wantedHeight = tool.invocation[AuditionCommand.height] ?? 8
    let rate = tool.invocation[AuditionCommand.rate] ?? 1
    name = (place.map { tool.out.style.paint($0 + "  ", .dim) } ?? "") + tool.out.style.paint(title, .bold)
    figures = auditionFigures(document, rate: rate)
  }

  /// Its rows. `below` stands under the picture; what plays is drawn up to `playhead`.
  mutating func lines(playhead: Interval? = nil, below: [String] = []) -> [String] {
    let size = out.size
    let columns = max(10, min(size.columns, 120) - EnvelopePicture.margin - EnvelopePicture.endMargin)
    if envelope?.columns.count != columns { envelope = Envelope(document, columns: columns) }
    guard let envelope else { return heading }
    var picture = EnvelopePicture(envelope: envelope, style: out.style)
    let room = size.rows - EnvelopePicture.frameRows - picture.sharpnessHeight - 1 - heading.count - below.count
    picture.height = max(2, out.isInteractive ? min(wantedHeight, room) : wantedHeight)
    picture.playhead = playhead
    return heading + picture.lines() + below
  }

  /// On one line where there is room.
  private var heading: [String] {
    let line = name + "  " + figures
    return columnCount(line) <= out.width ? [line] : [name] + wrapped(figures, width: max(10, out.width))
  }
}

/// "2.35 s, 8 transients, 2 continuous, peak 0.90".
func auditionFigures(_ document: AHAPDocument, rate: Double) -> String {
  let pattern = HapticPattern(document)
  let transients = document.events.count { $0.type == .transient }
  let continuous = document.events.count { $0.type == .continuous }
  let audio = document.events.count - transients - continuous
  var parts = [length(pattern.duration.microseconds)]
  if transients > 0 { parts.append(count(transients, "transient")) }
  if continuous > 0 { parts.append("\(continuous) continuous") }
  if audio > 0 { parts.append("\(audio) audio") }
  parts.append("peak \(fixed(pattern.peak, 2))")
  if rate != 1 { parts.append("played at \(fixed(rate, 2)) of its speed") }
  return parts.joined(separator: ", ")
}
