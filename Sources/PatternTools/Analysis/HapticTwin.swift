// SPDX-License-Identifier: Apache-2.0

import Glibc
import Haptics

/// The haptic twin of a sound: its envelope becomes intensity, its brightness sharpness, its onsets transients.
///
/// - **Intensity** is the root mean square of each 10 ms, relative to the loudest, raised to 0.6: between loudness as heard
///   (0.6 of amplitude in decibels' place, after Stevens) and the narrower range of actuators. Below -40 dB is silence.
/// - **Sharpness** is the spectral centroid, 100 Hz to 6 kHz mapped to 0...1 evenly by ratio.
/// - **Onsets** are rises of at least 0.2 in intensity within 30 ms, at least 60 ms apart; the transient is put at the
///   first sample that reaches half of what follows.
/// - Silences of 50 ms or more part the sound into continuous events, each at most 30 s, shaped by curves of at most 16
///   points (Core Haptics takes no more) that keep within 0.03 of what was measured.
public enum HapticTwin {
  /// Seconds between measurements.
  public static let hop = 0.01
  static let silence = 0.01
  static let exponent = 0.6
  static let brightness = 100.0...6_000.0
  static let onsetRise = 0.2
  static let onsetSpacing = 6
  static let tolerance = 0.03
  static let mostPoints = 16

  /// The document for `samples`, mono, at `rate` frames a second; no events where there is no sound.
  public static func document(of samples: [Float], rate: Int) -> AHAPDocument {
    let rate = max(rate, 1_000)
    var measures = measure(samples, rate: rate)
    var document = AHAPDocument()
    for index in onsets(measures) {
      document.events.append(onset(at: index, samples, rate: rate))
      // A hit in the last of the 10 ms is felt at its strength all the same.
      if index + 1 < measures.count {
        measures[index].intensity = max(measures[index].intensity, measures[index + 1].intensity)
      }
    }
    for part in sounding(measures) { add(part, measures, to: &document) }
    document.events.sort { $0.time < $1.time }
    return document
  }

  struct Measure {
    var intensity: Double
    var sharpness: Double
  }

  private static func measure(_ samples: [Float], rate: Int) -> [Measure] {
    let step = Int((hop * Double(rate)).rounded())
    let count = (samples.count + step - 1) / step
    let levels = (0..<count).map { index in
      let part = samples[(index * step)..<min((index + 1) * step, samples.count)]
      let power = part.reduce(0.0) { $0 + ($1.isFinite ? Double($1) * Double($1) : 0) }
      return sqrt(power / Double(max(part.count, 1)))
    }
    let loudest = levels.max() ?? 0
    guard loudest > 1e-6 else { return [] }
    // 20 to 40 ms of sound, whatever the rate.
    var spectrum = Spectrum(bits: max(6, Int(log2(0.04 * Double(rate)))))
    var sharpness = 0.5
    return levels.enumerated().map { index, level in
      let relative = level / loudest
      guard relative >= silence else { return Measure(intensity: 0, sharpness: sharpness) }
      if let hertz = spectrum.centroid(samples, around: index * step + step / 2, rate: rate) {
        sharpness = unitClamp(
          log(hertz / brightness.lowerBound) / log(brightness.upperBound / brightness.lowerBound))
      }
      return Measure(intensity: pow(relative, exponent), sharpness: sharpness)
    }
  }

  /// The stretches between silences of five measures or more.
  private static func sounding(_ measures: [Measure]) -> [Range<Int>] {
    let longest = Int(AHAPLimits.continuousDuration / hop)
    var parts: [Range<Int>] = []
    for (index, measure) in measures.enumerated() where measure.intensity > 0 {
      if let last = parts.last, index - last.upperBound < 5, index - last.lowerBound < longest {
        parts[parts.count - 1] = last.lowerBound..<index + 1
      } else {
        parts.append(index..<index + 1)
      }
    }
    return parts
  }

  private static func add(_ part: Range<Int>, _ measures: [Measure], to document: inout AHAPDocument) {
    let start = seconds(part.lowerBound)
    document.events.append(
      AHAPEvent(
        .continuous, time: start, duration: seconds(part.count), parameters: [.intensity: 1, .sharpness: 0.5]))
    addCurves(.intensity, part.map { ($0, measures[$0].intensity) }, to: &document)
    addCurves(.sharpness, part.map { ($0, measures[$0].sharpness - 0.5) }, to: &document)
  }

  private static func addCurves(
    _ parameter: AHAPDynamicParameter, _ values: [(Int, Double)], to document: inout AHAPDocument
  ) {
    var points = thinned(values, within: tolerance)[...]
    while let first = points.first {
      let curve = points.prefix(mostPoints)
      document.controls.append(
        AHAPControl(
          parameter, time: seconds(first.0),
          points: curve.map { AHAPControl.Point(time: rounded(seconds($0.0 - first.0)), value: rounded($0.1)) }))
      // The next curve takes over at the last point of this one.
      points = points.dropFirst(curve.count == points.count ? curve.count : curve.count - 1)
    }
  }

  private static func onsets(_ measures: [Measure]) -> [Int] {
    var found: [Int] = []
    for index in measures.indices {
      func intensity(_ place: Int) -> Double { measures.indices.contains(place) ? measures[place].intensity : 0 }
      let peak = max(intensity(index), intensity(index + 1))
      let rise = peak - min(intensity(index - 1), intensity(index - 2))
      let begins = intensity(index) - intensity(index - 1) > onsetRise / 4
      if rise >= onsetRise, begins, index - (found.last ?? -onsetSpacing) >= onsetSpacing { found.append(index) }
    }
    return found
  }

  /// At full strength and half sharp, as what it lies on: the curves bring both to those of the sound.
  private static func onset(at index: Int, _ samples: [Float], rate: Int) -> AHAPEvent {
    let step = hop * Double(rate)
    let stretch = samples[
      min(Int(Double(index) * step), samples.count)..<min(Int(Double(index + 2) * step), samples.count)]
    let height = stretch.reduce(Float(0)) { max($0, abs($1)) }
    let place = stretch.firstIndex { abs($0) >= height / 2 } ?? stretch.startIndex
    return AHAPEvent(
      .transient, time: rounded(Double(place) / Double(rate)),
      parameters: [.intensity: 1, .sharpness: 0.5])
  }

  private static func seconds(_ measures: Int) -> Double { Double(measures) / 100 }
  private static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}

/// As few of `points` as keep the lines through them within `tolerance` of all (Ramer, Douglas and Peucker).
private func thinned(_ points: [(Int, Double)], within tolerance: Double) -> [(Int, Double)] {
  guard points.count > 2 else { return points }
  var isKept = Array(repeating: false, count: points.count)
  isKept[0] = true
  isKept[points.count - 1] = true
  var spans = [(0, points.count - 1)]
  while let (low, high) = spans.popLast() {
    let slope = (points[high].1 - points[low].1) / Double(points[high].0 - points[low].0)
    var (farthest, distance) = (low, tolerance)
    for index in low..<high {
      let line = points[low].1 + slope * Double(points[index].0 - points[low].0)
      if abs(points[index].1 - line) > distance { (farthest, distance) = (index, abs(points[index].1 - line)) }
    }
    if farthest == low { continue }
    isKept[farthest] = true
    spans += [(low, farthest), (farthest, high)]
  }
  return points.indices.filter { isKept[$0] }.map { points[$0] }
}
