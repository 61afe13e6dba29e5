// SPDX-License-Identifier: Apache-2.0

import Problems
import Rhythm

/// A Standard MIDI File 1.0: each note that begins is a beat, each track with notes is a map, the tempo map gives the times.
///
/// Where a track has two to eight pitches these are its lanes, the lowest first, by their names (`c4` is number 60).
enum MIDIBeats {
  static func read(_ bytes: [UInt8], path: String) throws(Problem) -> ImportedBeats {
    let file = try MIDIFile(bytes, path: path)
    let clock = try MIDIClock(file)
    var maps: [ImportedMap] = []
    for track in file.tracks where !track.notes.isEmpty {
      let pitches = Set(track.notes.map(\.pitch)).sorted()
      let hasLanes = (2...8).contains(pitches.count)
      let times = try clock.microseconds(of: track.notes.map(\.tick))
      let beats = zip(track.notes, times).map { note, at in
        Beat(at: at, lane: hasLanes ? pitches.firstIndex(of: note.pitch) : nil)
      }
      maps.append(
        ImportedMap(
          name: track.name, lanes: hasLanes ? pitches.map(name(ofPitch:)) : [], beats: beats, tempo: clock.steadyTempo))
    }
    return ImportedBeats(title: nil, audio: nil, maps: maps)
  }

  private static func name(ofPitch pitch: UInt8) -> String {
    let names = ["c", "cs", "d", "ds", "e", "f", "fs", "g", "gs", "a", "as", "b"]
    return names[Int(pitch) % 12] + String(Int(pitch) / 12 - 1)
  }
}

/// When ticks are heard.
struct MIDIClock {
  /// From a tick on, microseconds for each beat.
  private let tempos: [(tick: Int64, beat: Int64)]
  private let path: String
  /// Ticks of a beat; nil where ticks are parts of a second.
  private let ticksOfBeat: Int64?
  /// Ticks of a second where there are no beats: a whole number, or that over 1.001.
  private let ticksOfSecond: (numerator: Int64, denominator: Int64)
  private let beatsPerBar: Int?

  init(_ file: MIDIFile) throws(Problem) {
    path = file.path
    // What holds at a tick is what is said last of it.
    tempos = [(0, 500_000)] + file.tracks.flatMap(\.tempos).sorted { $0.tick < $1.tick }
    switch file.division {
    case .beats(let ticks): (ticksOfBeat, ticksOfSecond) = (Int64(ticks), (1, 1))
    case .frames(let frames, let ticks):
      ticksOfBeat = nil
      // 29 stands for 30/1.001, as television has it.
      ticksOfSecond = frames == 29 ? (Int64(30_000 * ticks), 1_001) : (Int64(frames * ticks), 1)
    }
    let bars = Set(file.tracks.flatMap(\.bars))
    beatsPerBar = bars.isEmpty ? 4 : bars.count == 1 ? bars.first : nil
  }

  /// The tempo, where there is one from the first tick on.
  var steadyTempo: ImportedTempo? {
    let lengths = Set((tempos.dropFirst().first?.tick == 0 ? tempos.dropFirst() : tempos[...]).map(\.beat))
    guard ticksOfBeat != nil, let beatsPerBar, lengths.count == 1, let beat = lengths.first, beat > 0 else {
      return nil
    }
    return ImportedTempo(bpm: 60e6 / Double(beat), barAt: 0, beatsPerBar: beatsPerBar)
  }

  /// The times of ticks, which ascend; exact but for the last rounding.
  func microseconds(of ticks: [Int64]) throws(Problem) -> [Int64] {
    // Numerators over ticks of a beat: within a day these are far from the integers' ends.
    let divisor = ticksOfBeat ?? ticksOfSecond.numerator
    var (next, last, tempo, sum) = (0, Int64(0), Int64(500_000), Int64(0))
    func advance(to tick: Int64) throws(Problem) {
      let factor = ticksOfBeat == nil ? 1_000_000 * ticksOfSecond.denominator : tempo
      let (step, overflow) = (tick - last).multipliedReportingOverflow(by: factor)
      guard !overflow, step / divisor <= Int64(farthestBeat), (sum + step) / divisor <= Int64(farthestBeat) else {
        throw Problem(
          .invalidValue, file: path, "\(path) has a note more than a day from the beginning",
          remedy: "look at its tempo, and at what is at its end")
      }
      (sum, last) = (sum + step, tick)
    }
    var times: [Int64] = []
    times.reserveCapacity(ticks.count)
    for tick in ticks {
      while ticksOfBeat != nil, next < tempos.count, tempos[next].tick <= tick {
        try advance(to: tempos[next].tick)
        tempo = tempos[next].beat
        next += 1
      }
      try advance(to: tick)
      times.append((2 * sum + divisor) / (2 * divisor))
    }
    return times
  }
}
