// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Mixing
import Timing

/// Something that parameters drive, of the mixer or of what is felt.
struct ParameterTarget {
  /// Where it is told.
  enum Place {
    case mixer([DrivenTarget])
    case haptics(HapticFamilyID, HapticDrivenValue)
  }

  /// Between two instants, a straight way that its parameters come to.
  struct Piece {
    var start: Instant
    var end: Instant
    var from: Double
    var to: Double
  }

  /// A bend this near to the one before it may be left out, where that changes the value by less than `tolerance`: nobody hears
  /// or feels it.
  static let nearest = Interval.milliseconds(1)
  static let tolerance = 5e-4
  /// How often it is told where it follows no straight line, and where it moves by steps.
  static let spacing = Interval.milliseconds(5)
  static let spacingOfSteps = Interval.milliseconds(2)

  var place: Place
  /// Several multiply.
  var drivers: [(parameter: Int, curve: ParameterCurve)]
  /// Whether what they come to are octaves, which add up where others multiply.
  var isInOctaves: Bool
  /// Whether it is told as steps.
  var isStepped: Bool
  /// What it was driven to last; nothing where that was taken back.
  var told: Double?
  /// From which output frame on the mixer is where its parameters have it: it may be on its way there before, as after its curve was
  /// another.
  var joinedFrom = Int64.min

  /// What it is where nothing drives it.
  var neutral: Double { isInOctaves ? 0 : 1 }

  /// Whether it is, or was told to be, anything else.
  var isDriven: Bool { !drivers.isEmpty || told != neutral }

  /// What values of its parameters, in the order of its drivers, come to.
  func driven(_ values: [Double]) -> Double {
    let driven = zip(drivers, values).map { $0.curve($1) }
    return isInOctaves ? driven.reduce(0, +) : driven.reduce(1, *)
  }

  /// Its `pieces` for who is elsewhere at their beginning: one straight way to where they are at `cut`, and on from there.
  static func joining(_ pieces: [Piece], at cut: Instant) -> [Piece] {
    guard let first = pieces.first, let last = pieces.last else { return pieces }
    guard let place = pieces.firstIndex(where: { $0.end > cut }) else {
      return [Piece(start: first.start, end: last.end, from: first.from, to: last.to)]
    }
    let cutting = pieces[place]
    let share =
      Double((cut - cutting.start).nanoseconds) / Double((cutting.end - cutting.start).nanoseconds)
    let value = cutting.from + (cutting.to - cutting.from) * min(max(share, 0), 1)
    return [Piece(start: first.start, end: cut, from: first.from, to: value)]
      + [Piece(start: cut, end: cutting.end, from: value, to: cutting.to)] + pieces[(place + 1)...]
  }

  /// What its drivers do between two instants.
  private struct Ways {
    var ways: [[ParameterCourse.Stretch]]
    /// What a driver comes to that stands all the while: most do, and are not looked up again for each bend of another.
    var standing: [Double?]
  }

  /// What its drivers come to at `instant`, by the stretches of `time`.
  private func value(at instant: Instant, by time: Instant, _ ways: Ways) -> Double {
    var value = isInOctaves ? 0.0 : 1.0
    for index in drivers.indices {
      let driven =
        ways.standing[index] ?? drivers[index].curve(Self.stretch(at: time, of: ways.ways[index]).value(at: instant))
      value = isInOctaves ? value + driven : value * driven
    }
    return value
  }

  /// The last stretch that begins by `instant`, or else the first.
  private static func stretch(at instant: Instant, of way: [ParameterCourse.Stretch]) -> ParameterCourse.Stretch {
    way[max(way.partitioned { $0.start <= instant }, 1) - 1]
  }

  /// What its parameters come to in `start..<end`, which is not empty.
  func pieces(of parameters: [ParameterBoard.Parameter], from start: Instant, to end: Instant) -> [Piece] {
    let ways = drivers.map { parameters[$0.parameter].course.stretches(from: start, to: end) }
    let known = Ways(
      ways: ways,
      standing: zip(ways, drivers).map { way, driver in
        way.count == 1 && way[0].from == way[0].to ? driver.curve(way[0].to) : nil
      })
    var turns: Set<Instant> = [start, end]
    var bends: Set<Instant> = []
    for (way, driver) in zip(ways, drivers) {
      for stretch in way {
        turns.insert(stretch.start)
        guard stretch.from != stretch.to else { continue }
        let length = Double((stretch.end - stretch.start).nanoseconds)
        for point in driver.curve.points {
          let share = (point.value - stretch.from) / (stretch.to - stretch.from)
          if share > 0, share < 1 { bends.insert(stretch.start + .nanoseconds(share * length)) }
        }
        guard isStepped || drivers.count > 1 else { continue }
        var next = stretch.start
        while next < stretch.end {
          bends.insert(next)
          next += isStepped ? Self.spacingOfSteps : Self.spacing
        }
      }
    }
    let instants = thinned(turns.union(bends).filter { $0 >= start }.sorted(), keeping: turns, known)
    return zip(instants, instants.dropFirst()).map { from, to in
      // Both ends by the stretches of its beginning, so that a leap comes between two pieces.
      Piece(start: from, end: to, from: value(at: from, by: from, known), to: value(at: to, by: from, known))
    }
  }

  /// Leaves out bends that follow another within `nearest` where a straight line past them is off by less than `tolerance`.
  private func thinned(
    _ instants: [Instant], keeping turns: Set<Instant>, _ ways: Ways
  ) -> [Instant] {
    func value(at instant: Instant) -> Double { self.value(at: instant, by: instant, ways) }
    var kept: [Instant] = []
    var left: [Instant] = []
    for (index, instant) in instants.enumerated() {
      if let last = kept.last, !turns.contains(instant), instant - last < Self.nearest, index + 1 < instants.count {
        let next = instants[index + 1]
        let (from, to) = (value(at: last), value(at: next))
        left.append(instant)
        let isSame = left.allSatisfy { instant in
          let share = Double((instant - last).nanoseconds) / Double((next - last).nanoseconds)
          return abs(value(at: instant) - from - (to - from) * share) < Self.tolerance
        }
        if isSame { continue }
      }
      kept.append(instant)
      left = []
    }
    return kept
  }
}
