// SPDX-License-Identifier: Apache-2.0

import CommandTable
import GamePacks

/// What is said of a thing beside its picture: the same in the terminal and on the page.
extension ShownTrack {
  var details: [String] {
    guard let lengthUs else { return [unavailable] }
    var parts = [length(lengthUs)]
    if let bpm {
      parts.append("\(decimalText(bpm)) bpm in \(beatsPerBar)")
      if firstBeatUs > 0 { parts.append("first beat at \(length(firstBeatUs))") }
    }
    if let loop {
      let isWhole = loop.startUs == 0 && loop.endUs == lengthUs
      parts.append(isWhole ? "loops whole" : "loops from \(clockTime(loop.startUs)) to \(clockTime(loop.endUs))")
    } else {
      parts.append("ends")
    }
    parts += level?.details("LUFS") ?? []
    if gain != 1 { parts.append("gain \(decimalText(gain))") }
    for stem in stems {
      parts.append("stem \(stem.name)" + (stem.gain == 1 ? "" : " at gain \(decimalText(stem.gain))"))
    }
    for marker in markers { parts.append("\(marker.name) at \(clockTime(marker.positionUs))") }
    return parts
  }
}

extension ShownLevel {
  /// What a waveform is drawn by: its highest part is as high as the picture.
  var scale: Float { max(waveform.max() ?? 1, 0.001) }

  /// How loud it is, and how high its wave goes.
  fileprivate func details(_ unit: String) -> [String] {
    [
      loudness.map { "\(fixed($0, 1)) \(unit)" } ?? (peakDb == nil ? "silent" : ""),
      peakDb.map { "peak \(fixed($0, 1)) dB" } ?? "",
    ].filter { !$0.isEmpty }
  }
}

extension ShownSound {
  var details: [String] {
    guard let lengthUs else { return [unavailable] }
    var parts = [length(lengthUs)] + (level?.details("LUFS at most") ?? [])
    if gain != 1 { parts.append("gain \(decimalText(gain))") }
    if bus != "sound" { parts.append("bus \(bus)") }
    return parts
  }
}

extension ShownPattern {
  var details: [String] { lengthUs.map { [length($0), count(events, "event")] } ?? [unavailable] }
}

extension ShownCue {
  var details: [String] {
    [
      steps.count > 1 ? "\(steps.count) steps" + (endUs > 0 ? " in \(length(endUs))" : "") : "",
      align.map { "align \($0)" } ?? "",
      cooldownUs > 0 ? "\(length(cooldownUs)) apart at least" : "",
    ].filter { !$0.isEmpty }
  }

  /// Whether there is a time to be drawn: one thing at once needs no picture.
  var hasTimeline: Bool { steps.count > 1 || (steps.first?.atUs ?? 0) > 0 }
}

extension ShownChapter {
  var details: [String] {
    [
      visibleText(title), length(lengthUs), map == nil ? "left out: see the problems" : count(beats, "beat"),
      "music \(track)",
      "window \(length(windowUs))",
    ]
  }

  /// How many beats fall into each of `count` equal parts of the chapter, for each lane; one where there are none.
  func beatCounts(columns count: Int) -> [[Int]] {
    var counts = Array(repeating: Array(repeating: 0, count: count), count: max(1, lanes.count))
    for beat in map ?? [] where counts.indices.contains(beat.lane) {
      let column = Int(Double(beat.atUs) / Double(max(1, lengthUs)) * Double(count))
      counts[beat.lane][min(max(column, 0), count - 1)] += 1
    }
    return counts
  }
}

extension ShownParameter {
  var details: [String] { ["\(decimalText(standard)) until it is set"] + drives }
}
