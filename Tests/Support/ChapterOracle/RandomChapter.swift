// SPDX-License-Identifier: Apache-2.0

import SeededNumbers

/// A chapter that is drawn: its beats and rules, and what may happen to a run of it. Instants are microseconds.
public struct RandomChapter: Sendable {
  /// A beat in song time.
  public struct Beat: Equatable, Sendable {
    public var at: Int64
    public var lane: Int?
  }

  public private(set) var beats: [Beat] = []
  public let isLaned: Bool
  public private(set) var laneCount: Int
  public let window: Int64
  /// A window's half-width once there is help.
  public let wide: Int64
  public let grace: Int64
  /// How many misses bring help.
  public let misses: Int
  public let length: Int64
  /// The narrowest first.
  public private(set) var grades: [Int64] = []
  /// Where in the song a run begins.
  public private(set) var position: Int64 = 0
  public private(set) var rate = 1.0
  /// When the song begins.
  public var start: Int64 = 0
  public let spawnLead: Int64

  /// From its start, at its own speed and without grades where it `isPlain`: some microseconds from beat to beat.
  public init(using generator: inout SeededRandom, isPlain: Bool = true) {
    // Two beats stay two at any rate.
    self.init(using: &generator, unit: 1, isPlain: isPlain, gaps: (isPlain ? 1 : 2)...50, most: 14)
  }

  /// Some tens of milliseconds from beat to beat, as a daemon takes it.
  public static func playable(using generator: inout SeededRandom) -> RandomChapter {
    RandomChapter(using: &generator, unit: 1_000, isPlain: false, gaps: 20...60, most: 8)
  }

  private init(
    using generator: inout SeededRandom, unit: Int64, isPlain: Bool, gaps: ClosedRange<Int64>, most: Int
  ) {
    func length(_ units: ClosedRange<Int64>) -> Int64 {
      .random(in: units.lowerBound * unit...units.upperBound * unit, using: &generator)
    }
    isLaned = Bool.random(using: &generator)
    laneCount = isLaned ? Int.random(in: 1...3, using: &generator) : 1
    window = length(1...20)
    wide = window + length(0...20)
    grace = length(1...30)
    spawnLead = 40 * unit
    misses = .random(in: 1...3, using: &generator)
    var at = length(0...30)
    for _ in 0..<Int.random(in: 1...most, using: &generator) {
      beats.append(Beat(at: at, lane: isLaned ? Int.random(in: 0..<laneCount, using: &generator) : nil))
      at += length(gaps)
    }
    self.length = beats[beats.count - 1].at + length(0...80) + (unit > 1 ? 1 : 0)
    // A map declares every lane up to the highest its beats use.
    if isLaned { laneCount = (beats.compactMap(\.lane).max() ?? 0) + 1 }
    if isPlain { return }
    if Bool.random(using: &generator) { position = .random(in: 0...max(0, self.length - 1), using: &generator) }
    if Bool.random(using: &generator) { rate = Double(Int.random(in: 500...1500, using: &generator)) / 1000 }
    start = length(0...100)
    var edge: Int64 = 0
    for _ in 0..<Int.random(in: 0...3, using: &generator) where edge < window {
      edge += .random(in: 1...(window - edge), using: &generator)
      grades.append(edge)
    }
  }

  /// Two at most, apart.
  public func stalls(using generator: inout SeededRandom) -> [ClosedRange<Int64>] {
    let first = Int64.random(in: -40...length, using: &generator)
    let firstEnd = first + .random(in: 1...150, using: &generator)
    let second = firstEnd + .random(in: 1...60, using: &generator)
    let both = [first...firstEnd, second...(second + .random(in: 1...90, using: &generator))]
    return Array(both.prefix(Int.random(in: 1...2, using: &generator)))
  }

  /// Some in the song's time, some of them in the count-in of another.
  public func pauses(using generator: inout SeededRandom) -> [Pause] {
    var pauses: [Pause] = []
    var at = start - 30
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let asked = at + .random(in: 1...120, using: &generator)
      let from = asked + .random(in: 1...10, using: &generator)
      let to = from + .random(in: 0...150, using: &generator)
      pauses.append(
        Pause(
          asked: asked, from: from, to: to,
          countIn: Bool.random(using: &generator) ? 0 : .random(in: 0...60, using: &generator)))
      at = to
    }
    return pauses
  }

  /// Taps delivered in order of time: some stamped a little ahead, most a little back, some far back.
  public func deliveries(using generator: inout SeededRandom) -> [Delivery] {
    var deliveries: [Delivery] = []
    var now: Int64 = -50
    while now < length + 100 {
      now += .random(in: 0...12, using: &generator)
      let delay = Int64.random(in: 0...3, using: &generator) == 0 ? Int64(60) : 12
      deliveries.append(
        Delivery(
          stamp: now - .random(in: -8...delay, using: &generator),
          lane: isLaned ? Int.random(in: 0..<laneCount, using: &generator) : nil, now: now))
      // Stretches without taps, so that there are misses.
      if Int.random(in: 0...5, using: &generator) == 0 { now += .random(in: 20...90, using: &generator) }
    }
    return deliveries
  }
}
