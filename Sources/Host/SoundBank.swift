import Engine
import Mixing
import SoundFiles

/// The sounds behind the catalog's names. Lives as long as the host, so a voice's memory is there while it plays.
struct SoundBank {
  var tracks: [AssetKey: StreamedTrack] = [:]
  var sounds: [AssetKey: LoadedSound] = [:]
  /// Files that patterns name.
  private(set) var waveforms: [AssetKey: LoadedSound] = [:]
  /// Those whose brightness a pattern leads, once and looping.
  private var splits: [SplitKey: SplitSound] = [:]
  private let tones: [SoundPart: ToneSource]
  private let rate: Int

  private struct SplitKey: Hashable {
    var key: AssetKey
    var loops: Bool
  }

  init(rate: Int) {
    self.rate = rate
    let parts = [SoundPart.whole, .dull, .bright]
    tones = Dictionary(
      uniqueKeysWithValues: parts.map { ($0, ToneSource(frequency: hapticToneFrequency, rate: rate, part: $0)) })
  }

  /// Adds a file that a pattern names.
  mutating func add(_ sound: LoadedSound, as key: AssetKey) { waveforms[key] = sound }

  /// Splits a file for a pattern that leads its brightness.
  mutating func split(_ key: AssetKey, loops: Bool) {
    let place = SplitKey(key: key, loops: loops)
    guard splits[place] == nil, let sound = waveforms[key] else { return }
    splits[place] = SplitSound(sound.source(loop: loops), rate: rate)
  }

  /// What a voice plays; nil for what was not loaded.
  func source(_ sound: ResidentSound, loops: Bool) -> ResidentSource? {
    switch sound {
    case .sound(let key): sounds[key]?.source(loop: loops)
    case .waveform(let key, .whole): waveforms[key]?.source(loop: loops)
    case .waveform(let key, .dull): splits[SplitKey(key: key, loops: loops)]?.dull
    case .waveform(let key, .bright): splits[SplitKey(key: key, loops: loops)]?.bright
    case .hapticTone(let part): tones[part]?.source
    }
  }
}
