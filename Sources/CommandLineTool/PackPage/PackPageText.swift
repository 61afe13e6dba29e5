// SPDX-License-Identifier: Apache-2.0

import CommandTable

/// A pack for a terminal, however narrow: what there is, with a picture of each thing in characters.
struct PackPageText {
  let pack: ShownPack
  /// In characters, of what is drawn.
  let width: Int
  /// Of what is said: in a pipe lines are not broken.
  let readableWidth: Int
  let style: Style

  /// Of lanes as many are drawn.
  private static let mostLanes = 16

  func lines() -> [String] {
    var lines = [
      style.paint(visibleText(pack.title), .bold) + style.paint("  \(pack.name) \(visibleText(pack.version))", .dim)
    ]
    lines.append(style.paint(visibleText(pack.path), .dim))
    for problem in pack.problems { lines += paragraph("problem: " + problem, .bad) }
    for warning in pack.warnings { lines += paragraph("warning: " + warning, .warning) }
    lines += section("tracks", pack.tracks, drawn)
    lines += section("sounds", pack.sounds) { sound in
      row(sound.name, waveform(sound.level, columns: smallWidth, rows: 1).first, sound.details)
    }
    lines += section("patterns", pack.patterns) { pattern in
      row(pattern.name, pattern.envelope.map { sketch($0, columns: smallWidth) }, pattern.details)
    }
    lines += section("cues", pack.cues, drawn)
    lines += section("chapters", pack.chapters, drawn)
    lines += section("parameters", pack.parameters) { row($0.name, nil, $0.details) }
    return lines
  }

  private func section<Thing>(_ heading: String, _ things: [Thing], _ lines: (Thing) -> [String]) -> [String] {
    if things.isEmpty { return [] }
    return ["", style.paint(heading, .accent) + style.paint(" \(things.count)", .dim)] + things.flatMap(lines)
  }

  private func paragraph(_ text: String, _ ink: Ink) -> [String] {
    indented(visibleText(text), by: 2).map { style.paint($0, ink) }
  }

  private func indented(_ text: String, by indent: Int) -> [String] {
    broken(text, behind: indent).map { String(repeating: " ", count: indent) + $0 }
  }

  /// `text` as it fits behind so many columns.
  private func broken(_ text: String, behind columns: Int) -> [String] {
    readableWidth == .max ? [text] : wrapped(text, width: max(12, readableWidth - columns))
  }

  // MARK: - Rows

  /// Of pictures beside which something is said.
  private var smallWidth: Int { width >= 72 ? 24 : 16 }
  /// Of those with a line of their own.
  private var wideWidth: Int { max(8, min(width - 6, 96)) }

  private var nameWidth: Int {
    let names = pack.sounds.map(\.name) + pack.patterns.map(\.name) + pack.parameters.map(\.name)
    return min(names.map(\.count).max() ?? 0, 20)
  }

  /// A name, a picture and what is said, on one line where that has room.
  private func row(_ name: String, _ picture: String?, _ details: [String]) -> [String] {
    let said = details.joined(separator: ", ")
    let head = 2 + nameWidth + 2 + (picture == nil ? 0 : smallWidth + 2)
    guard name.count <= nameWidth, head + 20 <= width else {
      return ["  " + style.paint(name, .bold)] + (picture.map { ["    " + $0] } ?? [])
        + indented(said, by: 4)
    }
    let parts = broken(said, behind: head)
    let drawn = picture.map { $0 + String(repeating: " ", count: max(0, smallWidth - columnCount($0)) + 2) } ?? ""
    let first = "  " + style.paint(name, .bold) + String(repeating: " ", count: nameWidth - name.count + 2) + drawn
    return [first + (parts.first ?? "")] + parts.dropFirst().map { String(repeating: " ", count: head) + $0 }
  }

  private func drawn(_ track: ShownTrack) -> [String] {
    var lines = ["  " + style.paint(track.name, .bold)]
    lines += indented(track.details.joined(separator: ", "), by: 4)
    guard let lengthUs = track.lengthUs, lengthUs > 0, track.level != nil else { return lines }
    lines += waveform(track.level, columns: wideWidth, rows: 2).map { "    " + $0 }
    if let loop = track.loop {
      let start = column(loop.startUs, of: lengthUs, wideWidth)
      let end = max(start + 1, column(loop.endUs, of: lengthUs, wideWidth))
      let bracket = "╰" + String(repeating: "─", count: max(0, end - start - 1)) + "╯"
      lines.append("    " + style.paint(String(repeating: " ", count: start) + bracket, .dim))
    }
    return lines
  }

  private func drawn(_ cue: ShownCue) -> [String] {
    let notes = cue.details.joined(separator: ", ")
    guard cue.hasTimeline else {
      let step = cue.steps.first
      let said = [step?.text ?? "nothing", notes].filter { !$0.isEmpty }.joined(separator: ", ")
      let short = "  \(cue.name)  \(said)"
      if short.count <= readableWidth {
        return ["  " + style.paint(cue.name, .bold) + "  " + style.paint(said, ink(step?.kind))]
      }
      return ["  " + style.paint(cue.name, .bold)] + indented(said, by: 4)
    }
    var lines = ["  " + style.paint(cue.name, .bold)]
    if cue.name.count + 4 + notes.count <= readableWidth {
      lines[0] += style.paint("  " + notes, .dim)
    } else {
      lines += indented(notes, by: 4).map { style.paint($0, .dim) }
    }
    let bar = width >= 72 ? 28 : width >= 48 ? 12 : 0
    let end = max(cue.endUs, 1)
    for step in cue.steps {
      let time = length(step.atUs).rightAligned(8)
      let head = "    \(time) " + (bar == 0 ? "" : timeline(step, end: end, columns: bar) + " ")
      let parts = broken(step.text, behind: columnCount(head))
      lines.append(head + style.paint(parts.first ?? "", ink(step.kind)))
      lines += parts.dropFirst().map { String(repeating: " ", count: columnCount(head)) + $0 }
    }
    return lines
  }

  private func drawn(_ chapter: ShownChapter) -> [String] {
    var lines = ["  " + style.paint(chapter.name, .bold)]
    lines += indented(chapter.details.joined(separator: ", "), by: 4)
    guard chapter.map != nil else { return lines }
    let labels = chapter.lanes.isEmpty ? [""] : chapter.lanes
    let labelWidth = min(labels.map(\.count).max() ?? 0, 12)
    let columns = max(8, wideWidth - (labelWidth == 0 ? 0 : labelWidth + 1))
    let margin = "    " + String(repeating: " ", count: labelWidth == 0 ? 0 : labelWidth + 1)
    for (label, counts) in zip(labels, chapter.beatCounts(columns: columns)).prefix(Self.mostLanes) {
      let head = labelWidth == 0 ? "" : label.cut(to: labelWidth).padded(labelWidth) + " "
      var row = Canvas(width: columns, height: 1)
      for (column, beats) in counts.enumerated() {
        let mark = beats == 0 ? "·" : beats == 1 ? "│" : beats < 4 ? "┃" : "█"
        row.put(mark, row: 0, column: column, beats == 0 ? .dim : .accent)
      }
      lines += row.lines(style).map { "    " + head + $0 }
    }
    if labels.count > Self.mostLanes { lines.append("    and \(count(labels.count - Self.mostLanes, "more lane"))") }
    let (from, to) = ("0", clockTime(chapter.lengthUs))
    lines.append(
      margin + style.paint(from + String(repeating: " ", count: max(1, columns - from.count - to.count)) + to, .dim))
    return lines
  }

  // MARK: - Pictures

  private func column(_ time: Int64, of length: Int64, _ columns: Int) -> Int {
    min(max(Int(Double(time) / Double(length) * Double(columns)), 0), columns - 1)
  }

  private func ink(_ kind: ShownStep.Kind?) -> Ink {
    switch kind {
    case .sound: .accent
    case .touch: .sharpness(0.7)
    case .music: .good
    case .stop: .bad
    case .parameter: .warning
    case .faulty, nil: .dim
    }
  }

  /// When a step is, and how long what it plays lasts, between the cue and its end.
  private func timeline(_ step: ShownStep, end: Int64, columns: Int) -> String {
    let start = column(step.atUs, of: end, columns)
    let last = column(step.atUs + (step.lengthUs ?? 0), of: end, columns + 1)
    var row = Canvas(width: columns, height: 1)
    row.put(String(repeating: "·", count: columns), row: 0, column: 0, .dim)
    if step.goesOn {
      row.put(String(repeating: "━", count: columns - start - 1) + "▶", row: 0, column: start, ink(step.kind))
    } else {
      row.put(String(repeating: "█", count: max(1, last - start)), row: 0, column: start, ink(step.kind))
    }
    return row.lines(style).first ?? ""
  }

  private func waveform(_ level: ShownLevel?, columns: Int, rows: Int) -> [String] {
    guard let level, !level.waveform.isEmpty else { return [] }
    var canvas = Canvas(width: columns, height: rows)
    for column in 0..<columns {
      let part = level.waveform[slice(column, columns, of: level.waveform.count)]
      let shape = area(Double((part.max() ?? 0) / level.scale), rows: rows)
      canvas.stack(shape, from: rows - 1, column: column, .accent)
    }
    return canvas.lines(style)
  }

  private func sketch(_ envelope: Envelope, columns: Int) -> String {
    var canvas = Canvas(width: columns, height: 1)
    for column in 0..<columns {
      let part = envelope.columns[slice(column, columns, of: envelope.columns.count)]
      guard let strongest = part.max(by: { max($0.body, $0.spike ?? 0) < max($1.body, $1.spike ?? 0) }) else {
        continue
      }
      let shape = area(max(strongest.body, strongest.spike ?? 0), rows: 1)
      canvas.stack(shape, from: 0, column: column, .sharpness(strongest.sharpness))
    }
    return canvas.lines(style).first ?? ""
  }

  /// The places of `count` that one of `columns` stands for; one at least.
  private func slice(_ column: Int, _ columns: Int, of count: Int) -> Range<Int> {
    let start = min(column * count / columns, count - 1)
    return start..<max(start + 1, (column + 1) * count / columns)
  }
}
