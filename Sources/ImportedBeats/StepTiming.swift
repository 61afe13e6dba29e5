// SPDX-License-Identifier: Apache-2.0

import Problems
import Rhythm

/// When the rows of a simfile are heard: tempos, stops after a row, delays before it, and warps that take no time.
struct StepTiming {
  /// Rows of a beat.
  private static let rows = 48

  /// What is said of the timing; a row's number by its beat.
  struct Source {
    var offset: Double?
    var tempos: [Change] = []
    var stops: [Change] = []
    var delays: [Change] = []
    var warps: [Change] = []
    var fakes: [Change] = []

    /// At a row: a tempo in beats a minute, a rest in seconds, or a length in rows.
    struct Change {
      var row: Int
      var value: Double
    }

    static let names = ["OFFSET", "BPMS", "STOPS", "FREEZES", "DELAYS", "WARPS", "FAKES"]

    /// Takes in what a tag says of the timing; others it passes over.
    mutating func take(_ tag: StepTag, _ text: BeatText) throws(Problem) {
      switch tag.name {
      case "OFFSET":
        guard let value = tag.values.first, !trimmed(value).isEmpty else { return }
        offset = try text.number(value, "#OFFSET")
      case "BPMS": tempos = try changes(tag, text, positive: true)
      case "STOPS", "FREEZES": stops = try changes(tag, text)
      case "DELAYS": delays = try changes(tag, text)
      case "WARPS": warps = try changes(tag, text).map { Change(row: $0.row, value: $0.value * Double(rows)) }
      case "FAKES": fakes = try changes(tag, text).map { Change(row: $0.row, value: $0.value * Double(rows)) }
      default: break
      }
    }

    /// What a chart that has a timing of its own leaves unsaid is not what stands above: but for the tempo, without
    /// which there is none, and the offset.
    mutating func fill(from common: Source) {
      if tempos.isEmpty { tempos = common.tempos }
      offset = offset ?? common.offset
    }

    private func changes(_ tag: StepTag, _ text: BeatText, positive: Bool = false) throws(Problem) -> [Change] {
      var changes: [Change] = []
      for part in (tag.values.first ?? []).split(separator: UInt8(ascii: ",")) where !trimmed(part).isEmpty {
        guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else {
          throw text.fault(
            at: trimmed(part).startIndex,
            "#\(tag.name) holds BEAT=VALUE with commas between, and not \(text.shown(trimmed(part)))")
        }
        let beat = try text.number(part[..<equals], "the beat of #\(tag.name)")
        let value = try text.number(part[(equals + 1)...], "the value of #\(tag.name)")
        guard abs(beat) <= 1e7, value > 0 || (!positive && value == 0) else {
          throw text.fault(
            at: trimmed(part).startIndex,
            abs(beat) > 1e7
              ? "a beat is 10000000 at most" : "#\(tag.name) is \(positive ? "above" : "not below") 0 here",
            remedy: abs(beat) > 1e7
              ? nil : "negative ones are how old files skip: open it in StepMania and save it as .ssc")
        }
        changes.append(Change(row: Int((beat * Double(StepTiming.rows)).rounded()), value: value))
      }
      return changes.sorted { $0.row < $1.row }
    }
  }

  private enum Kind: Int { case warp, tempo, delay, stop }

  private let events: [(row: Int, kind: Kind, value: Double)]
  private let fakes: [Source.Change]
  /// Seconds of the audio at row 0.
  private let start: Double
  private let tempos: [Source.Change]

  init(_ source: Source) {
    tempos = source.tempos.isEmpty ? [.init(row: 0, value: 60)] : source.tempos
    start = -(source.offset ?? 0)
    fakes = source.fakes
    let all =
      source.warps.map { ($0.row, Kind.warp, $0.value) } + tempos.map { ($0.row, Kind.tempo, $0.value) }
      + source.delays.map { ($0.row, Kind.delay, $0.value) } + source.stops.map { ($0.row, Kind.stop, $0.value) }
    events = all.sorted { ($0.0, $0.1.rawValue) < ($1.0, $1.1.rawValue) }
  }

  /// The tempo, where there is one alone and nothing stops the beat.
  var steadyTempo: ImportedTempo? {
    guard let first = tempos.first, tempos.allSatisfy({ $0.value == first.value }),
      events.allSatisfy({ $0.kind == .tempo })
    else { return nil }
    return ImportedTempo(bpm: first.value, barAt: start * 1e6, beatsPerBar: 4)
  }

  /// Taps, ascending by row, as beats; those that a warp or a fake segment takes away are none.
  func beats(of taps: [StepNotes.Tap]) -> [Beat] {
    var (row, seconds) = (0.0, start)
    // The first tempo holds from the beginning on.
    var tempo = tempos[0].value
    var (warpEnd, warpStart) = (-Double.infinity, Double.infinity)
    var (next, fake, pausedRow) = (0, 0, Int.min)
    func advance(to target: Double) {
      seconds += max(0, target - max(row, min(warpEnd, target))) * 60 / (tempo * Double(Self.rows))
      row = max(row, target)
    }
    var beats: [Beat] = []
    for tap in taps {
      // A stop is behind the taps of its row.
      while next < events.count,
        events[next].row < tap.row || (events[next].row == tap.row && events[next].kind != .stop)
      {
        let event = events[next]
        advance(to: Double(event.row))
        switch event.kind {
        case .warp:
          if Double(event.row) >= warpEnd { warpStart = Double(event.row) }
          warpEnd = max(warpEnd, Double(event.row) + event.value)
        case .tempo: tempo = event.value
        case .delay, .stop:
          seconds += event.value
          pausedRow = event.row
        }
        next += 1
      }
      advance(to: Double(tap.row))
      // At rest a row can be tapped, also inside a warp.
      let rests = pausedRow == tap.row || (next < events.count && events[next].row == tap.row)
      let isWarped = Double(tap.row) >= warpStart && Double(tap.row) < warpEnd && !rests
      while fake < fakes.count, Double(fakes[fake].row) + fakes[fake].value <= Double(tap.row) { fake += 1 }
      let isFake = fake < fakes.count && fakes[fake].row <= tap.row
      if isWarped || isFake { continue }
      let at = min(max(seconds * 1e6, -1e17), 1e17)
      beats.append(Beat(at: Int64(at.rounded()), lane: tap.column))
    }
    return beats
  }
}
