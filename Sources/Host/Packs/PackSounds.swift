// SPDX-License-Identifier: Apache-2.0

import Engine
import Mixing
import Problems
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

  /// By the sound itself: it may have several names.
  fileprivate struct DulledKey: Hashable {
    var sound: ObjectIdentifier
    var loops: Bool

    init(_ sound: LoadedSound, loops: Bool) { (self.sound, self.loops) = (ObjectIdentifier(sound), loops) }
  }

  /// What is read of a pack, as long as it is being read.
  struct Gathered {
    var tracks: [String: StreamedTrack] = [:]
    var sounds: [String: LoadedSound] = [:]
    private(set) var waveforms: [String: LoadedSound] = [:]
    fileprivate private(set) var dulled: [DulledKey: DulledSound] = [:]

    /// Adds a file that a pattern names.
    mutating func add(_ sound: LoadedSound, as file: String) { waveforms[file] = sound }

    /// Makes a file ready to be less bright than it is, as patterns and clients may want it at any time. Throws where there is
    /// no `room` for that.
    mutating func dull(_ file: String, loops: Bool, in room: PackRoom) throws(Problem) {
      guard let sound = waveforms[file] else { return }
      let place = DulledKey(sound, loops: loops)
      guard dulled[place] == nil else { return }
      dulled[place] = try DulledSound(sound.source(loop: loops), rate: sound.rate, of: sound.path, in: room)
    }
  }

  /// All that was read.
  init(_ gathered: Gathered) {
    (tracks, sounds) = (gathered.tracks, gathered.sounds)
    (waveforms, dulled) = (gathered.waveforms, gathered.dulled)
  }

  func track(_ name: String) -> StreamedTrack? { tracks[name] }

  /// What a voice plays; nil for what was not loaded.
  func source(ofSound name: String, loops: Bool) -> ResidentSource? { sounds[name]?.source(loop: loops) }

  /// The same of a file that patterns name.
  func source(ofWaveform file: String, _ part: SoundPart, loops: Bool) -> ResidentSource? {
    switch part {
    case .whole: waveforms[file]?.source(loop: loops)
    case .dull: waveforms[file].flatMap { dulled[DulledKey($0, loops: loops)]?.source }
    }
  }

  /// Bytes that it keeps, of each sound once.
  var residentBytes: Int {
    var seen: Set<ObjectIdentifier> = []
    let loaded = (Array(sounds.values) + Array(waveforms.values)).filter { seen.insert(ObjectIdentifier($0)).inserted }
    return tracks.values.reduce(0) { $0 + $1.residentBytes }
      + loaded.reduce(0) { $0 + $1.residentBytes }
      + dulled.values.reduce(0) { $0 + $1.residentBytes }
  }
}
