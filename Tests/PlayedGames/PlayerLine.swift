// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// What a player saw or did, by its own log: derived from what is drawn, never from what was asked of the daemon.
struct PlayerLine: Decodable {
  /// The daemon's instant, in microseconds.
  var atUs: Int64
  /// The moment, by the game's word for it.
  var what: String
  /// How often it happened at once; once where missing.
  var count: Int?
  /// Which of them, where there are several: a chapter's number, a level's.
  var number: Int?
  /// A track, a word, a button.
  var name: String?
  /// How far something was moved.
  var value: Double?
  /// Whether a switch is on from here on.
  var isOn: Bool?

  /// All that was written; a last line without its end is one that a player died over.
  static func read(_ path: String) throws -> [PlayerLine] {
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    return try data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map {
      try JSONDecoder().decode(PlayerLine.self, from: Data($0))
    }
  }
}
