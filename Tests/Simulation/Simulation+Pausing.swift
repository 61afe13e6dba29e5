// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// Pauses: any client asks for them, several at once, and leaves with its own.
extension Simulation {
  /// One client pauses or resumes, alone: whatever was told before is told in the time of before.
  mutating func pauseOrResume(_ client: Int) throws {
    try settle()
    let method = random.oneIn(2) ? "engine.pause" : "engine.resume"
    try ask(client, method, "{}")
    try settle()
    try checkPause(client, isHeld: method == "engine.pause")
    // What comes at once after it must not be caught up with before it.
    if random.oneIn(3) {
      try ask(client, method == "engine.pause" ? "engine.resume" : "engine.pause", "{}")
      try settle()
    }
  }

  private func checkPause(_ client: Int, isHeld: Bool) throws {
    let paused = host.status().paused
    try ensure(
      (paused != nil) == ledger.time.isPaused, "told as \(ledger.time.pauses), and the status is \(paused as Any)")
    if isHeld, ledger.time.isPaused { try ensure((paused?.clients ?? 0) > 0, "\(paused as Any) is held by nobody") }
  }

  /// Lets go of the first client's pause, where it is the only client left.
  mutating func goOn() throws {
    try ask(0, "engine.resume", "{}")
    try settle()
    try ensure(!ledger.time.isPaused && host.status().paused == nil, "nobody pauses the engine, and it stands")
  }

  private static let mostLinesASecond = 2_200

  /// Nothing was felt while the engine stood, and nothing told without end.
  func checkFelt(_ log: String) throws {
    struct Line: Decodable {
      var tUs: Int64
      var intensity: Double
    }
    let lines = try log.split(separator: "\n").map { try decodeJSON(Line.self, from: Array($0.utf8)[...]) }
    for (one, next) in zip(lines, lines.dropFirst()) {
      try ensure(one.tUs <= next.tUs, "\(next) is felt after \(one)")
    }
    // A thousand that were saved up, one a millisecond, and what commands change.
    for (one, later) in zip(lines, lines.dropFirst(Self.mostLinesASecond)) {
      try ensure(later.tUs - one.tUs >= 1_000_000, "\(Self.mostLinesASecond) lines within a second of \(one)")
    }
    for pause in ledger.time.pauses {
      let until = pause.until ?? .max
      let before = lines.last { $0.tUs <= pause.from && $0.tUs < until }
      if until > pause.from, let before {
        try ensure(before.intensity == 0, "\(before) is felt on from \(pause.from), when the engine stood")
      }
      let meanwhile = lines.first { $0.tUs > pause.from && $0.tUs < until && $0.intensity > 0 }
      if let meanwhile { throw SimulationFailure("\(meanwhile) is felt while the engine stood, \(pause)") }
    }
  }
}
