// SPDX-License-Identifier: Apache-2.0

import Wire

/// What a front end makes of `engine.paused` and `engine.resumed`: a time that stands while the engine does. In it an instant
/// that was told never moves, so that what was promised before a pause can be held against what comes after it.
struct GameTime {
  /// From where on nothing moves, and where it goes on; on the daemon's clock.
  private(set) var pauses: [(from: Int64, until: Int64?)] = []

  var isPaused: Bool { pauses.last.map { $0.until == nil } ?? false }

  /// Whether the engine stands at an instant of the daemon's clock.
  func stands(at us: Int64) -> Bool { pauses.contains { us >= $0.from && us < $0.until ?? .max } }

  mutating func pause(at us: Int64) throws {
    try ensure(!isPaused, "the engine was paused twice")
    if let last = pauses.last?.until {
      try ensure(us >= last, "the engine is paused at \(us), before it went on at \(last)")
    }
    pauses.append((us, nil))
  }

  mutating func resume(at us: Int64, movedUs: Int64) throws {
    guard let last = pauses.last, last.until == nil else { throw SimulationFailure("the engine went on twice") }
    try ensure(movedUs >= 0 && us == last.from + movedUs, "paused at \(last.from), on at \(us), moved by \(movedUs)")
    pauses[pauses.count - 1].until = us
  }

  /// An instant that was told, as of what is known of pauses now.
  func game(_ us: Int64) -> Int64 {
    var moved: Int64 = 0
    for pause in pauses where us >= pause.from {
      guard let until = pause.until else { break }
      if us < until { return pause.from - moved - 1 }
      moved += until - pause.from
    }
    return us.subtractingReportingOverflow(moved).overflow ? us : us - moved
  }

  /// Now, which stands.
  func now(_ us: Int64) -> Int64 {
    guard let last = pauses.last, last.until == nil, us >= last.from else { return game(us) }
    return game(last.from) - 1
  }

  /// What was told, with its instants in game time.
  func read<Payload: WireNotification>(_ type: Payload.Type, _ params: ArraySlice<UInt8>) throws -> Payload {
    var payload = try decodeJSON(type, from: params)
    payload.moveInstants(game)
    return payload
  }

  /// How far game time is behind the daemon's clock at an instant of its own.
  func behind(_ game: Int64) -> Int64 { clock(game) - game }

  /// When it is on the daemon's clock.
  func clock(_ game: Int64) -> Int64 {
    var moved: Int64 = 0
    for pause in pauses where game >= pause.from - moved { moved += (pause.until ?? pause.from) - pause.from }
    return game + moved
  }
}
