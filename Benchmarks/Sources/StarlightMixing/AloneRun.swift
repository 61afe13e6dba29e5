// SPDX-License-Identifier: Apache-2.0

@_spi(Measuring) import Mixing

/// What of the mixer is measured, and from which sources.
enum Way: String {
  case whole, alone, int16

  /// By the words that follow the row; nil for what is no way.
  init?(_ words: ArraySlice<String>) {
    if words.isEmpty {
      self = .whole
    } else if words.count == 1, let way = words.first.flatMap(Way.init(rawValue:)), way != .whole {
      self = way
    } else {
      return nil
    }
  }

  /// Its name in the tables.
  var engine: String {
    switch self {
    case .whole: "starlight"
    case .alone: "starlight-alone"
    case .int16: "starlight-s16"
    }
  }
}

/// One row of the tables, by the rules of `measure` in Peers/harness.h.
func runAlone(_ voices: Int, _ row: Row, _ way: Way) {
  let sources = makeSources(voices, peak: peak(row, voices: voices), asIntegers: way == .int16)
  var mixer = MixerOnBench(
    sources, fadeIn: row == .ramped ? Fade(frames: Int32(seconds * rate)) : .none, pitch: row.pitch,
    loopFrames: row.loopFrames, alone: way == .alone)
  var slices: [Double] = []
  var (middle, end) = (0.0, 0.0)
  var reduced = 0
  let count = periods / slice
  for index in 0..<count {
    slices.append(mixer.timeSlice())
    let power = mixer.power
    if abs(2 * index + 1 - count) < 40 { middle += power }
    if index >= count - 40 { end += power }
    if mixer.controller.readStatistics().limiterGain < 1 { reduced += 1 }
  }
  precondition((reduced > count / 10) == (row == .limited), "the limiter has to work in its own row, and only there")
  let samples = Double(40 * 2 * period)
  print(
    way.engine, row.rawValue, "\(voices)", text(median(slices) / Double(slice * period * voices)),
    text(slices.reduce(0, +) / Double(periods * period * voices)), text((middle / samples).squareRoot()),
    text((end / samples).squareRoot()), separator: ",")
}
