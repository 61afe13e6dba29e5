import Mixing

/// The sound effects that were started and are not over: name, and who asked for them.
struct SoundBoard {
  private struct Entry {
    var sound: AssetKey
    var client: ClientID
  }

  private var entries: [VoiceID: Entry] = [:]
  private var counts: [ClientID: Int] = [:]

  /// Every voice that may still sound.
  var voices: [VoiceID] { entries.keys.sorted { $0.rawValue < $1.rawValue } }

  /// How many sounds of a client are planned or playing.
  func count(of client: ClientID) -> Int { counts[client] ?? 0 }

  mutating func add(_ voice: VoiceID, _ sound: AssetKey, of client: ClientID) {
    entries[voice] = Entry(sound: sound, client: client)
    counts[client, default: 0] += 1
  }

  /// Forgets a voice; tells which sound it was.
  mutating func remove(_ voice: VoiceID) -> AssetKey? {
    guard let entry = entries.removeValue(forKey: voice) else { return nil }
    counts[entry.client] = count(of: entry.client) > 1 ? count(of: entry.client) - 1 : nil
    return entry.sound
  }

  func contains(_ voice: VoiceID) -> Bool { entries[voice] != nil }
}
