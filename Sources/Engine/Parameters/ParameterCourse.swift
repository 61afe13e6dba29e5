// SPDX-License-Identifier: Apache-2.0

import Timing

/// The value of a parameter over time: the fold of what it was set to, in the order of instants and, at the same one, of asking.
struct ParameterCourse {
  /// One setting of it.
  struct Setting {
    var id: PlanID
    var at: Instant
    var over: Interval
    var value: Double
    var cause: Cause
    /// The cue that it is part of.
    var cue: PlanID?
    /// What it takes of its client's share: a step for each thing that it drives.
    var steps = 1
    /// How long after its client has gone it may still come.
    var keepAfterDisconnect = Interval.zero
  }

  /// A straight way from one value to another, where it then stays.
  struct Line {
    var from: Double
    var to: Double
    var start: Instant
    var over: Interval

    var end: Instant { start + over }

    func value(at instant: Instant) -> Double {
      if instant >= end { return to }
      if instant <= start { return from }
      return from + (to - from) * Double((instant - start).nanoseconds) / Double(over.nanoseconds)
    }
  }

  /// A stretch within which it moves steadily or stands.
  struct Stretch {
    var start: Instant
    var end: Instant
    var from: Double
    var to: Double

    func value(at instant: Instant) -> Double {
      if from == to || end <= start { return to }
      return from + (to - from) * Double((instant - start).nanoseconds) / Double((end - start).nanoseconds)
    }
  }

  /// What became of it last.
  private(set) var line: Line
  /// What is to come, by instant and order of asking.
  private(set) var settings: [Setting] = []

  init(_ value: Double) { line = Line(from: value, to: value, start: .distantPast, over: .zero) }

  /// Whether anybody set it.
  private var wasSet: Bool { line.start > .distantPast }

  /// Goes on as an earlier one did: what that was set to stays, and what is to come does; where nobody set it, it is what it is by
  /// itself until then.
  mutating func goOn(from earlier: ParameterCourse) {
    if earlier.wasSet { line = earlier.line }
    settings = earlier.settings
  }

  mutating func insert(_ setting: Setting) {
    let place = settings.lastIndex { $0.at <= setting.at }.map { $0 + 1 } ?? 0
    settings.insert(setting, at: place)
  }

  /// Drops what `isMeant` picks of what is to come.
  mutating func cancel(where isMeant: (Setting) -> Bool) -> [Setting] {
    let dropped = settings.filter(isMeant)
    if !dropped.isEmpty { settings.removeAll(where: isMeant) }
    return dropped
  }

  /// Lets the settings up to and including `now` come; answers them.
  mutating func settle(at now: Instant) -> [Setting] {
    let come = settings.prefix { $0.at <= now }
    for setting in come { line = Self.line(after: line, setting) }
    settings.removeFirst(come.count)
    return Array(come)
  }

  /// Its value at an instant that is not before what has come.
  func value(at instant: Instant) -> Double {
    settings.prefix { $0.at <= instant }.reduce(line, Self.line).value(at: instant)
  }

  /// The stretches of `start..<end`, which is not empty.
  func stretches(from start: Instant, to end: Instant) -> [Stretch] {
    var stretches: [Stretch] = []
    var current = line
    var cursor = start
    func add(until limit: Instant) {
      if cursor < current.end, current.start < current.end {
        let turn = min(current.end, limit)
        if cursor < turn {
          stretches.append(
            Stretch(start: cursor, end: turn, from: current.value(at: cursor), to: current.value(at: turn)))
          cursor = turn
        }
      }
      if cursor < limit { stretches.append(Stretch(start: cursor, end: limit, from: current.to, to: current.to)) }
      cursor = max(cursor, limit)
    }
    for setting in settings {
      if setting.at >= end { break }
      if setting.at > cursor { add(until: setting.at) }
      current = Self.line(after: current, setting)
    }
    add(until: end)
    return stretches
  }

  /// Whether it moves in `start..<end`.
  func isMoving(from start: Instant, to end: Instant) -> Bool {
    line.end > start || settings.first.map { $0.at < end } ?? false
  }

  /// Whether it moves, or is to, at `instant` or later.
  func isMoving(from instant: Instant) -> Bool { !settings.isEmpty || line.end > instant }

  private static func line(after line: Line, _ setting: Setting) -> Line {
    Line(from: line.value(at: setting.at), to: setting.value, start: setting.at, over: setting.over)
  }
}
