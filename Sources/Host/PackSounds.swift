// SPDX-License-Identifier: Apache-2.0

import Engine
import Mixing
import SoundFiles

/// What is in memory of one reading of a pack. Never changes once it is read; its samples are there for as long as anybody
/// holds it, and so for every voice that plays them.
final class PackSounds: Sendable {
  private let tracks: [String: StreamedTrack]
  private let sounds: [String: LoadedSound]
  /// Files that patterns name, by their paths inside the pack.
  private let waveforms: [String: LoadedSound]
  /// The same at brightness 0, played once and looping.
  private let dulled: [DulledKey: DulledSound]

  fileprivate struct DulledKey: Hashable {
    var file: String
    var loops: Bool
  }

  /// What is read of a pack, as long as it is being read.
  struct Reading {
    var tracks: [String: StreamedTrack] = [:]
    var sounds: [String: LoadedSound] = [:]
    private(set) var waveforms: [String: LoadedSound] = [:]
    fileprivate private(set) var dulled: [DulledKey: DulledSound] = [:]

    /// Adds a file that a pattern names.
    mutating func add(_ sound: LoadedSound, as file: String) { waveforms[file] = sound }

    /// Makes a file ready to be less bright than it is, as patterns and clients may want it at any time.
    mutating func dull(_ file: String, loops: Bool) {
      let place = DulledKey(file: file, loops: loops)
      guard dulled[place] == nil, let sound = waveforms[file] else { return }
      dulled[place] = DulledSound(sound.source(loop: loops), rate: sound.rate)
    }
  }

  /// All that was read.
  init(_ reading: Reading) {
    (tracks, sounds) = (reading.tracks, reading.sounds)
    (waveforms, dulled) = (reading.waveforms, reading.dulled)
  }

  func track(_ name: String) -> StreamedTrack? { tracks[name] }

  /// What a voice plays; nil for what was not loaded.
  func source(ofSound name: String, loops: Bool) -> ResidentSource? { sounds[name]?.source(loop: loops) }

  /// The same of a file that patterns name.
  func source(ofWaveform file: String, _ part: SoundPart, loops: Bool) -> ResidentSource? {
    switch part {
    case .whole: waveforms[file]?.source(loop: loops)
    case .dull: dulled[DulledKey(file: file, loops: loops)]?.source
    }
  }

  /// Bytes that it keeps.
  var residentBytes: Int {
    tracks.values.reduce(0) { $0 + $1.residentBytes }
      + (Array(sounds.values) + Array(waveforms.values)).reduce(0) { $0 + $1.residentBytes }
      + dulled.values.reduce(0) { $0 + $1.residentBytes }
  }
}
