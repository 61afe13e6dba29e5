// SPDX-License-Identifier: Apache-2.0

import Engine
import GamePacks
import Mixing
import SoundFiles

/// The sounds behind the catalog's names. Lives as long as the host, so a voice's memory is there while it plays.
struct SoundBank {
  var tracks: [AssetKey: StreamedTrack] = [:]
  var sounds: [AssetKey: LoadedSound] = [:]
  /// Files that patterns name.
  private(set) var waveforms: [AssetKey: LoadedSound] = [:]
  /// The same at brightness 0, played once and looping.
  private var dulled: [DulledKey: DulledSound] = [:]
  private let tones: [SoundPart: ToneSource]
  private let rate: Int

  private struct DulledKey: Hashable {
    var key: AssetKey
    var loops: Bool
  }

  init(rate: Int) {
    self.rate = rate
    let parts = [SoundPart.whole, .dull]
    tones = Dictionary(
      uniqueKeysWithValues: parts.map { ($0, ToneSource(frequency: hapticToneFrequency, rate: rate, part: $0)) })
  }

  /// Adds a file that a pattern names.
  mutating func add(_ sound: LoadedSound, as key: AssetKey) { waveforms[key] = sound }

  /// Makes a file ready to be less bright than it is, as patterns and clients may want it at any time.
  mutating func dull(_ key: AssetKey, loops: Bool) {
    let place = DulledKey(key: key, loops: loops)
    guard dulled[place] == nil, let sound = waveforms[key] else { return }
    dulled[place] = DulledSound(sound.source(loop: loops), rate: rate)
  }

  /// What a voice plays; nil for what was not loaded.
  func source(_ sound: ResidentSound, loops: Bool) -> ResidentSource? {
    switch sound {
    case .sound(let key): sounds[key]?.source(loop: loops)
    case .waveform(let key, .whole): waveforms[key]?.source(loop: loops)
    case .waveform(let key, .dull): dulled[DulledKey(key: key, loops: loops)]?.source
    case .hapticTone(let part): tones[part]?.source
    }
  }
}
