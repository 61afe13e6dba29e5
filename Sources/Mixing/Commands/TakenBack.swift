// SPDX-License-Identifier: Apache-2.0

/// Voices of which what is planned is taken back together: by one look at all that is planned, however many they are.
struct TakenBack {
  private struct Entry: BitwiseCopyable {
    var voice: UInt64 = 0
    /// From which frame on.
    var frame: Int64 = 0
    var hasStart = false
  }

  private let entries: UnsafeMutablePointer<Entry>
  private(set) var count = 0

  /// Room for as many as there may be commands.
  init(capacity: Int) {
    entries = .allocate(capacity: capacity)
    entries.initialize(repeating: Entry(), count: capacity)
  }

  func deallocate() { entries.deallocate() }

  /// Adds a voice behind those before it; false where it is not a later one than the last, and is to be taken back by itself.
  @_noLocks mutating func add(_ voice: VoiceID, from frame: Int64) -> Bool {
    if count > 0 && entries[count - 1].voice >= voice.rawValue { return false }
    entries[count] = Entry(voice: voice.rawValue, frame: frame)
    count &+= 1
    return true
  }

  /// Whether a command is taken back; notes whose start is.
  @_noLocks func takes(_ command: MixerCommand) -> Bool {
    guard let voice = command.voice else { return false }
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) / 2
      if entries[middle].voice < voice.rawValue { low = middle &+ 1 } else { high = middle }
    }
    if low == count || entries[low].voice != voice.rawValue || command.frame < entries[low].frame { return false }
    if case .start = command { entries[low].hasStart = true }
    return true
  }

  /// The voice at a place, where its start was taken back.
  @_noLocks func unbegun(_ place: Int) -> VoiceID? {
    entries[place].hasStart ? VoiceID(rawValue: entries[place].voice) : nil
  }

  @_noLocks mutating func clear() { count = 0 }
}
