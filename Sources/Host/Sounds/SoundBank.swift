// SPDX-License-Identifier: Apache-2.0

import Engine
import Mixing
import SoundFiles

/// The memory behind what the engine names: of each pack's latest reading, and of earlier ones for as long as the engine or a
/// voice may still play them.
///
/// A reading has come to its end when neither the engine nor a voice holds it, which control finds; the audio thread knows addresses
/// alone. The loader's thread may hold its samples for longer, which only it has to free then.
struct SoundBank {
  /// A reading and its memory. Who else holds the reading uses both, and so does a voice that holds the memory.
  struct Kept: Sendable {
    fileprivate var generation: PackGeneration
    fileprivate var sounds: PackSounds
    /// Whether all that is of it ends: it is kept until that has.
    fileprivate var isOutdated = false
  }

  /// By the latest of each pack, and of those by name.
  private var latest: [ObjectIdentifier: Kept] = [:]
  /// Those that were replaced, oldest first.
  private var earlier: [Kept] = []
  /// What each voice plays, until the mixer is done with it, and how many of its starts the mixer is not done with: one that
  /// was taken back may have been handed over anew before the mixer says that it was.
  private var playing: [VoiceID: (sounds: PackSounds, starts: Int)] = [:]
  private let tones: [SoundPart: ToneSource]

  /// Counts the files of all readings' tracks that are kept open.
  let keptFiles: KeptFiles
  /// Counts what is decoded of all readings, those that are being read among them.
  let soundRoom: SoundRoom

  init(
    rate: Int, keptFiles: KeptFiles = KeptFiles(), soundRoom: SoundRoom = SoundRoom(most: SoundRoom.ofAllPacks)
  ) {
    self.keptFiles = keptFiles
    self.soundRoom = soundRoom
    let parts = [SoundPart.whole, .dull]
    tones = Dictionary(
      uniqueKeysWithValues: parts.map { ($0, ToneSource(frequency: hapticToneFrequency, rate: rate, part: $0)) })
  }

  /// How many readings are kept that were replaced; those that came to their end among them, until they are taken.
  var earlierCount: Int { earlier.count }

  /// Those of them of which nothing was ended to make room.
  var keptGenerations: [PackGeneration] { earlier.lazy.filter { !$0.isOutdated }.map(\.generation) }

  /// Notes that all that is of a reading ends.
  mutating func noteOutdated(generation number: Int) {
    for key in latest.keys where latest[key]?.generation.number == number { latest[key]?.isOutdated = true }
    for index in earlier.indices where earlier[index].generation.number == number { earlier[index].isOutdated = true }
  }

  /// How many voices play what is in memory.
  var voiceCount: Int { playing.count }

  /// Bytes that all readings keep.
  var residentBytes: Int {
    (latest.values + earlier).reduce(0) { $0 + $1.sounds.residentBytes }
  }

  /// The active pack and its memory; nil where none is active.
  func active(of catalog: Catalog) -> LoadedPack? {
    guard let name = catalog.active, let generation = catalog.pack(named: name), let sounds = sounds(of: generation)
    else {
      return nil
    }
    return LoadedPack(pack: generation.contents, sounds: sounds)
  }

  /// Keeps the memory of a reading, in place of that of the pack's last.
  mutating func keep(_ sounds: PackSounds, of generation: PackGeneration) {
    retire(pack: generation.name)
    latest[ObjectIdentifier(generation)] = Kept(generation: generation, sounds: sounds)
  }

  /// A pack's reading is not the latest any more: it is kept for as long as somebody uses it.
  mutating func retire(pack name: String) {
    guard let old = latest.first(where: { $0.value.generation.name == name }) else { return }
    latest[old.key] = nil
    earlier.append(old.value)
  }

  /// The earlier generations that nobody uses any more, which are nobody's then: who drops them frees their memory, and all that
  /// their manifests say, which may be a hundred thousand things.
  mutating func takeUnused() -> [Kept] {
    var unused: [Kept] = []
    for index in earlier.indices.reversed()
    where isKnownUniquelyReferenced(&earlier[index].generation)
      && (isKnownUniquelyReferenced(&earlier[index].sounds) || !isPlayed(earlier[index].sounds))
    {
      unused.append(earlier.remove(at: index))
    }
    return unused
  }

  /// Whether a voice plays of it.
  private func isPlayed(_ sounds: PackSounds) -> Bool { playing.values.contains { $0.sounds === sounds } }

  /// What a voice plays, kept until it is done; nil for what was not loaded.
  mutating func source(_ sound: ResidentSound, loops: Bool, for voice: VoiceID) -> ResidentSource? {
    switch sound {
    case .sound(let key): played(key, for: voice) { $0.source(ofSound: key.name, loops: loops) }
    case .waveform(let key, let part):
      played(key, for: voice) { $0.source(ofWaveform: key.name, part, loops: loops) }
    case .hapticTone(let part): tones[part]?.source
    }
  }

  /// The track that a voice plays, kept until it is done.
  mutating func track(_ key: LoadedKey, for voice: VoiceID) -> StreamedTrack? {
    played(key, for: voice) { $0.track(key.name) }
  }

  /// The mixer is done with a start of a voice, or never heard of it.
  mutating func letGo(of voice: VoiceID) {
    guard let kept = playing[voice] else { return }
    playing[voice] = kept.starts > 1 ? (kept.sounds, kept.starts - 1) : nil
  }

  /// Whether a start of the voice is left that was not let go of.
  func holds(_ voice: VoiceID) -> Bool { playing[voice] != nil }

  private mutating func played<Found>(
    _ key: LoadedKey, for voice: VoiceID, _ find: (PackSounds) -> Found?
  ) -> Found? {
    guard let sounds = sounds(of: key.generation), let found = find(sounds) else { return nil }
    playing[voice] = (sounds, (playing[voice]?.starts ?? 0) + 1)
    return found
  }

  private func sounds(of generation: PackGeneration) -> PackSounds? {
    latest[ObjectIdentifier(generation)]?.sounds ?? earlier.first { $0.generation === generation }?.sounds
  }
}
