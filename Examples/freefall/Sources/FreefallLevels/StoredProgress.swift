// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import FreefallRules

/// What is stored of a player, as JSON: `{"completed":["W1L1"],"music":true,…}`. Its keys are a contract with files that
/// players already have.
public struct StoredProgress: Sendable {
  /// The player to go on with.
  public let progress: Progress
  /// One sentence to be said, where what was stored could not be read and the game begins anew.
  public let notice: String?

  private struct Fields: Codable {
    var completed: [String]
    var music: Bool
    var effects: Bool
    var haptics: Bool
    var worldScores: [Int]
    var totalScore: Int
  }

  /// Reads what was stored. Nil bytes are a first start, of which there is nothing to say; bytes that cannot be read
  /// begin anew and say so. Store the progress then: so it is said once.
  public init(reading bytes: Data?, rules: WorldRules) {
    guard let bytes else {
      progress = Progress(rules: rules)
      notice = nil
      return
    }
    if let stored = Self.progress(bytes, rules: rules) {
      progress = stored
      notice = nil
    } else {
      progress = Progress(rules: rules)
      notice = "What was stored of Freefall could not be read; it begins anew."
    }
  }

  /// The bytes to store.
  public static func bytes(_ progress: Progress) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return try encoder.encode(
      Fields(
        completed: progress.completed.sorted().map(\.text), music: progress.switches.isMusicOn,
        effects: progress.switches.areEffectsOn, haptics: progress.switches.areHapticsOn,
        worldScores: progress.worldScores, totalScore: progress.totalScore))
  }

  private static func progress(_ bytes: Data, rules: WorldRules) -> Progress? {
    guard bytes.count <= mostBytes, let fields = try? JSONDecoder().decode(Fields.self, from: bytes) else { return nil }
    let completed = fields.completed.compactMap { LevelName($0) }
    guard completed.count == fields.completed.count else { return nil }
    return Progress(
      completed: completed,
      switches: Switches(isMusicOn: fields.music, areEffectsOn: fields.effects, areHapticsOn: fields.haptics),
      worldScores: fields.worldScores, totalScore: fields.totalScore, rules: rules)
  }

  private static let mostBytes = 16 * 1024
}
