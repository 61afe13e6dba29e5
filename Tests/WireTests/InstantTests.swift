// SPDX-License-Identifier: Apache-2.0

import Testing
import Wire

/// Which fields are instants that a pause moves: held against the names of all fields that end in `Us`.
@Suite struct InstantTests {
  /// Fields that say how long, how much later or where in a track, or are counters.
  private static let lengths: Set = [
    "judgingOffsetUs", "deviceLeadUs",
    "leaseUs", "startPositionUs", "overUs",
    "lateUs", "fadeUs", "crossfadeUs", "fadeInUs", "fadeOutUs", "keepAfterDisconnectUs", "positionUs", "durationUs",
    "loopEndUs", "offsetUs", "cooldownUs", "afterUs",
    "timeUs", "agoUs", "windowUs", "spawnLeadUs", "errorUs", "medianErrorUs", "meanErrorUs", "spreadUs", "lengthUs",
    "leadUs", "uptimeUs", "cpuUs", "correctionUs", "skewUs", "graceUs", "futureToleranceUs", "movedUs",
    "readWithinUs",
  ]
  /// Instants of the clock itself, which no pause moves.
  private static let ofTheClock: Set = ["nowUs", "toUs", "instantUs", "resumedUs"]
  /// What the host tells by itself, moved or the clock's.
  private static let toldByTheHost: Set = [
    "engine.status", "events.subscribe", "engine.pause", "engine.resume",
    "trace.explain", "trace.read", "engine.stats",
  ]

  /// Every whole number of `schema` by its name, and a value that has them all.
  private func value(of schema: Schema, number: inout Int64) -> JSONValue {
    switch schema {
    case .any: return .null
    case .boolean: return .bool(true)
    case .integer:
      number += 1
      return .integer(number)
    case .number: return .number(0.5)
    case .string: return .string("text")
    case .choice(let names): return .string(names[0])
    case .array(let element): return .array([value(of: element, number: &number)])
    case .object(let fields):
      return .object(
        Dictionary(fields.map { ($0.name, value(of: $0.schema, number: &number)) }) { first, _ in first })
    }
  }

  /// The names of whole numbers in `before` that are another in `after`, and of those that are not.
  private func compare(
    _ before: JSONValue, _ after: JSONValue, name: String = "", _ moved: inout Set<String>, _ kept: inout Set<String>
  ) {
    switch (before, after) {
    case (.object(let one), .object(let other)):
      for (key, value) in one { compare(value, other[key] ?? .null, name: key, &moved, &kept) }
    case (.array(let one), .array(let other)):
      for (value, next) in zip(one, other) { compare(value, next, name: name, &moved, &kept) }
    default: if name.hasSuffix("Us") { if before == after { kept.insert(name) } else { moved.insert(name) } }
    }
  }

  private func check<Value: Codable>(
    _ type: Value.Type, of owner: String, _ move: (inout Value) -> Void
  ) throws {
    var number: Int64 = 1_000
    let made = value(of: Schema(of: type), number: &number)
    guard case .object(let members) = made, !members.isEmpty else { return }
    var decoded = try decodeJSON(Value.self, from: try encodeJSON(made)[...])
    let before = try decodeJSON(JSONValue.self, from: try encodeJSON(decoded)[...])
    move(&decoded)
    let after = try decodeJSON(JSONValue.self, from: try encodeJSON(decoded)[...])
    var (moved, kept): (Set<String>, Set<String>) = ([], [])
    compare(before, after, &moved, &kept)
    #expect(moved.isDisjoint(with: Self.lengths.union(Self.ofTheClock)), "\(owner) moves \(moved)")
    let missed = kept.subtracting(Self.lengths).subtracting(Self.ofTheClock)
    #expect(missed.isEmpty || Self.toldByTheHost.contains(owner), "\(owner) does not move \(missed)")
  }

  private func check<Method: WireMethod>(_ method: Method.Type) throws {
    try check(Method.Params.self, of: Method.name) { Method.moveInstants(of: &$0) { $0 + 1_000_000 } }
    try check(Method.Result.self, of: Method.name) { Method.moveInstants(in: &$0) { $0 + 1_000_000 } }
  }

  private func check<Payload: WireNotification>(_ payload: Payload.Type) throws {
    try check(Payload.self, of: Payload.name) { $0.moveInstants { $0 + 1_000_000 } }
  }

  @Test func everyInstantMovesAndNoLengthDoes() throws {
    for method in allMethods { try check(method) }
    for notification in allNotifications { try check(notification) }
  }

  @Test func whatTakesAnInstantMayAnswerThatTheEngineIsPaused() {
    for method in allMethods {
      #expect(method.kindsOfErrors.contains(.paused) == method.takesInstants, "\(method.name)")
    }
    #expect(
      MusicPlay.takesInstants && RhythmTap.takesInstants && !SettingsSet.takesInstants && !ClockStep.takesInstants)
  }

  @Test func aNotificationThatWaitsIsMadeAnewForLater() {
    let spawn = OutgoingNotification(
      RhythmSpawn(beat: 1, lane: nil, beatUs: 500), tUs: 300, sendAtUs: 300, uselessAfterUs: 600, group: "rhythm")
    let later = spawn.moved(byUs: 70)
    #expect(later.tUs == 370 && later.sendAtUs == 370 && later.uselessAfterUs == 670 && later.group == "rhythm")
    #expect(
      String(decoding: later.line(seq: 1), as: UTF8.self)
        == String(decoding: spawn.line(seq: 1), as: UTF8.self).replacing("300", with: "370").replacing(
          "500", with: "570")
    )
  }

  /// Paused before 50 for 10: what lies behind that has moved, what was before has not.
  private static func moved(_ us: Int64) -> Int64 { us < 50 ? us : us + 10 }

  @Test(arguments: [(100, nil, 10), (nil, 60, 10), (nil, 40, 0), (nil, nil, 0)] as [(Int64?, Int64?, Int64)])
  func aRunsBeginningGoesWithWhatIsStillToComeOfIt(endUs: Int64?, pausedUs: Int64?, startUs: Int64) {
    let score = Score(
      hits: 0, misses: 0, ghosts: 0, remaining: 1, assisted: false, medianErrorUs: nil, meanErrorUs: nil, spreadUs: nil)
    var status = RhythmStatus.Result(chapter: "one", running: true, score: score, positionUs: 0, run: 1)
    (status.startUs, status.endUs, status.pausedUs) = (0, endUs, pausedUs)
    status.moveInstants(Self.moved)
    #expect(status.startUs == startUs)
    #expect(status.endUs == endUs.map(Self.moved) && status.pausedUs == pausedUs.map(Self.moved))
  }
}
