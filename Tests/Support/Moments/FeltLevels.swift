// SPDX-License-Identifier: Apache-2.0

/// A line of the haptic log, counted from a moment's zero.
package struct FeltLevel: Equatable {
  package var us: Int64
  package var intensity: Double
  package var sharpness: Double

  package init(us: Int64, intensity: Double, sharpness: Double) {
    self.us = us
    self.intensity = intensity
    self.sharpness = sharpness
  }
}

/// What ought to be felt, as a function of time, by the laws of docs/haptics.md: the strongest tap counts, rumbles add up,
/// sharpness is the mean by intensity.
package struct FeltLevels {
  private struct Tap {
    var from, to: Int64
    var intensity, sharpness: Double
    var driven: MomentTable.Way?
    /// Where it fades in a straight line.
    var fades: ClosedRange<Int64>?
  }

  private struct Rumble {
    var from, to: Int64
    var intensity, sharpness: (Double, Double)
    /// Where it is cut off.
    var end: Int64
    var driven: MomentTable.Way?
    /// Where it fades in a straight line.
    var fades: ClosedRange<Int64>?
  }

  private var taps: [Tap] = []
  private var rumbles: [Rumble] = []

  package init() {}

  package mutating func add(_ felt: [MomentTable.Felt], _ table: MomentTable) {
    for part in felt {
      guard let shape = table.patterns[part.pattern] else { continue }
      for turn in 0..<(part.loops ?? 1) {
        let zero = us(part.at) + Int64(turn) * us(shape.seconds ?? 0)
        add(shape, at: zero, gain: part.gain ?? 1, until: part.until.map(us) ?? .max, driven: part.driven)
      }
    }
  }

  package mutating func add(
    _ shape: MomentTable.Shape, at zero: Int64, gain: Double = 1, until end: Int64 = .max,
    fade: Int64 = 0, driven: MomentTable.Way? = nil
  ) {
    let fades = fade > 0 && end < .max ? end - fade...end : nil
    for tap in shape.taps ?? [] where zero + us(tap[0]) < end {
      let from = zero + us(tap[0])
      taps.append(
        Tap(
          from: from, to: min(end, from + 20_000), intensity: gain * tap[1], sharpness: tap[2], driven: driven,
          fades: fades))
    }
    for rumble in shape.rumbles ?? [] where zero + us(rumble[0]) < end {
      let to = zero + us(rumble[1])
      rumbles.append(
        Rumble(
          from: zero + us(rumble[0]), to: to, intensity: (gain * rumble[2], gain * rumble[3]),
          sharpness: (rumble[4], rumble[5]), end: min(end, to), driven: driven, fades: fades))
      if rumble.count > 6, to < end {
        rumbles.append(
          Rumble(
            from: to, to: to + us(rumble[6]), intensity: (gain * rumble[3], 0),
            sharpness: (rumble[5], rumble[5]), end: min(end, to + us(rumble[6])), driven: driven,
            fades: fades))
      }
    }
  }

  /// Intensity and sharpness at an instant.
  package func level(at us: Int64) -> (intensity: Double, sharpness: Double) {
    var sum = 0.0
    var weighted = 0.0
    func factor(_ driven: MomentTable.Way?, _ fades: ClosedRange<Int64>?) -> Double {
      let left = fades.map { $0.contains(us) ? Double($0.upperBound - us) / Double($0.upperBound - $0.lowerBound) : 1 }
      return (driven.map { $0(Double(us) / 1_000_000) } ?? 1) * (left ?? 1)
    }
    let sounding = taps.filter { $0.from <= us && us < $0.to }.map {
      ($0.intensity * factor($0.driven, $0.fades), $0.sharpness)
    }
    if let (intensity, sharpness) = sounding.max(by: { $0.0 < $1.0 }) {
      sum += intensity
      weighted += intensity * sharpness
    }
    for rumble in rumbles where rumble.from <= us && us < rumble.end {
      let way = Double(us - rumble.from) / Double(rumble.to - rumble.from)
      let intensity =
        (rumble.intensity.0 + (rumble.intensity.1 - rumble.intensity.0) * way) * factor(rumble.driven, rumble.fades)
      sum += intensity
      weighted += intensity * (rumble.sharpness.0 + (rumble.sharpness.1 - rumble.sharpness.0) * way)
    }
    return (min(1, sum), sum > 0 ? weighted / sum : 0)
  }

  /// What of the log is not as it ought to be, from the moment's zero to `end`, but for where it is `unsure`: a line with another level than that of its microsecond, a change
  /// of level without a line at its microsecond, or a line that stood while the level went on.
  package func faults(in log: [FeltLevel], until end: Int64, unsure: [ClosedRange<Int64>] = []) -> [String] {
    var faults: [String] = []
    func isSure(_ us: Int64) -> Bool { !unsure.contains { $0.contains(us) } }
    for (index, line) in log.enumerated() where isSure(line.us) {
      // Of several lines of one microsecond the last says what is felt.
      if index + 1 < log.count, log[index + 1].us == line.us { continue }
      let (intensity, sharpness) = level(at: line.us)
      if abs(line.intensity - intensity) > 2e-4 || intensity > 1e-4 && abs(line.sharpness - sharpness) > 1e-3 {
        faults.append("\(line.us) us: \(line.intensity)/\(line.sharpness) is felt, not \(intensity)/\(sharpness)")
      }
    }
    let changes = taps.flatMap { [$0.from, $0.to] } + rumbles.flatMap { [$0.from, $0.end] }
    for change in Set(changes).sorted() where (0..<end).contains(change) && isSure(change) {
      let (before, after) = (level(at: change - 1), level(at: change))
      guard abs(before.intensity - after.intensity) > 1e-3 else { continue }
      if !log.contains(where: { $0.us == change }) { faults.append("\(change) us: no change is felt") }
    }
    var (next, standing) = (log.startIndex, 0.0)
    for instant in stride(from: Int64(0), to: end, by: 5_000) {
      while next < log.endIndex, log[next].us <= instant {
        standing = log[next].intensity
        next += 1
      }
      guard isSure(instant) else { continue }
      if abs(standing - level(at: instant).intensity) > 0.06 {
        faults.append("\(instant) us: \(standing) still stands, not \(level(at: instant).intensity)")
      }
    }
    return faults
  }
}

package func us(_ seconds: Double) -> Int64 { Int64((seconds * 1_000_000).rounded()) }
