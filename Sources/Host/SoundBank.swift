import Engine
import Mixing
import SoundFiles

/// The sounds behind the catalog's names. Lives as long as the host, so a voice's memory is there while it plays.
struct SoundBank {
  var tracks: [AssetKey: StreamedTrack] = [:]
  var sounds: [AssetKey: LoadedSound] = [:]
  /// Files that patterns name.
  var waveforms: [AssetKey: LoadedSound] = [:]
  let hapticTone: ToneSource

  init(rate: Int) { hapticTone = ToneSource(frequency: hapticToneFrequency, rate: rate) }

  /// What a voice plays; nil for what was not loaded.
  func source(_ sound: ResidentSound, loops: Bool) -> ResidentSource? {
    switch sound {
    case .sound(let key): sounds[key]?.source(loop: loops)
    case .waveform(let key): waveforms[key]?.source(loop: loops)
    case .hapticTone: hapticTone.source
    }
  }
}
