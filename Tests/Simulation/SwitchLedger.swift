// SPDX-License-Identifier: Apache-2.0

import Wire

/// When the switches of sound and haptics were on: what begins and what is skipped is held against it.
struct SwitchLedger {
  private struct State {
    var atUs: Int64
    var sound: Bool
    var haptics: Bool
  }

  /// A switch acts at the first instant that an output can still be told of.
  private static let lead: Int64 = 40_000
  private var states: [State] = [State(atUs: .min, sound: true, haptics: true)]
  /// Requests that were answered as skipped, by the instants of their replies.
  private var skippedSounds: [Int64] = []
  private var skippedPlayers: [Int64] = []

  mutating func hear(_ told: SettingsChanged, at tUs: Int64) {
    states.append(State(atUs: tUs, sound: told.settings.sound, haptics: told.settings.haptics))
  }

  /// While the engine stands now is the last instant before, and what a switch does then is told of the next.
  mutating func noteSkippedSound(at nowUs: Int64) { skippedSounds.append(nowUs + 1) }

  mutating func noteSkippedPlayer(at nowUs: Int64) { skippedPlayers.append(nowUs + 1) }

  /// Whether sound was on at an instant; nil where that is too near to a change to tell.
  func sound(at us: Int64) -> Bool? { value(at: us, \.sound) }

  /// Whether sound was on all the time.
  func sound(at span: ClosedRange<Int64>) -> Bool {
    let before = states.last { $0.atUs <= span.lowerBound - Self.lead }
    let meanwhile = states.filter { $0.atUs > span.lowerBound - Self.lead && $0.atUs <= span.upperBound }
    return before?.sound ?? true && meanwhile.allSatisfy(\.sound)
  }

  /// How late a sound may begin where its switch is turned on and on before it.
  static let patienceUs: Int64 = 2_000

  /// Whether the switch of sound was turned so often, shortly before an instant, that not all could be taken back and let come.
  func isTurnedOnAndOn(before us: Int64) -> Bool {
    states.count { $0.atUs > us - Self.lead && $0.atUs <= us + Self.lead } >= 10
  }

  /// Whether haptics were on at an instant, likewise.
  func haptics(at us: Int64) -> Bool? { value(at: us, \.haptics) }

  private func value(at us: Int64, _ key: KeyPath<State, Bool>) -> Bool? {
    var value = true
    for state in states {
      if state.atUs > us { break }
      // What was set shortly before may act before or after.
      if state.atUs >= us - Self.lead, state[keyPath: key] != value { return nil }
      value = state[keyPath: key]
    }
    return value
  }

  /// All has been told.
  func settle() throws {
    for us in skippedSounds { try ensure(sound(at: us) != true, "a sound was skipped at \(us), while sound was on") }
    for us in skippedPlayers {
      try ensure(haptics(at: us) != true, "a player was skipped at \(us), while haptics were on")
    }
  }
}
