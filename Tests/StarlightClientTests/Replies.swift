// SPDX-License-Identifier: Apache-2.0

import IdleStatus
import Wire

@testable import StarlightClient

/// What a daemon answers to a connection that begins, and the link it answers.
enum Replies {
  static func hello(nowUs: Int64 = 0, instanceId: String = "a", clock: ClockKind = .live) -> SessionHello.Result {
    SessionHello.Result(
      protocol: 1, server: "starlightd", clock: clock, nowUs: nowUs, bootId: "b", instanceId: instanceId,
      limits: Limits(), capabilities: [])
  }

  static func status() -> EngineStatus.Result { .idle() }
}

extension Link {
  /// What waits to be written, as text.
  mutating func lines() -> [String] { takeOutbox().map { String(decoding: $0.line, as: UTF8.self) } }

  mutating func answer(_ id: Int64, _ value: some Encodable, _ nowNs: Int64 = 0) throws {
    _ = try answered(id, .success(encodeJSON(value)), nowNs)
  }

  /// Connects and answers what is asked then; the ids begin behind `lastID`.
  mutating func begin(
    after lastID: Int64 = 0, _ nowNs: Int64 = 0, hello: SessionHello.Result = Replies.hello(), topics: [Topic] = []
  ) throws {
    connected(nowNs)
    _ = lines()
    try answer(lastID + 1, hello, nowNs)
    try answer(lastID + 2, SessionUse.Result(pack: "lighthouse"), nowNs)
    try answer(
      lastID + 3, EventsSubscribe.Result(topics: topics, snapshot: Replies.status()), nowNs)
  }
}

/// Events in short.
func names(_ events: [Event]) -> [String] {
  events.map { event in
    switch event {
    case .connected(let session): "connected \(session.continuity)"
    case .disconnected(let error): "disconnected \(error.kind)"
    case .told(.rhythmBeat(let beat), let tUs): "beat \(beat.beat) \(tUs)"
    case .told: "told"
    case .packRead(let generation): "read \(generation)"
    case .answered(let answer): "answered \(answer.ticket) \(answer.method)"
    case .refused(let refusal): "refused \(refusal.ticket) \(refusal.method)"
    case .lost(let lost): "lost \(lost.notifications.values.reduce(0, +)) \(lost.refusals) \(lost.connections)"
    }
  }
}
