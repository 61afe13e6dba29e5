// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Problems
import SoundFiles
import Synchronization

/// Loads the tracks and sounds of a pack, on two threads where there are two processors.
struct SoundLoading {
  private(set) var tracks: [(name: String, result: Result<StreamedTrack, Problem>)] = []
  private(set) var sounds: [(name: String, result: Result<LoadedSound, Problem>)] = []

  private enum Loaded {
    case track(Result<StreamedTrack, Problem>)
    case sound(Result<LoadedSound, Problem>)

    var isRefused: Bool {
      switch self {
      case .track(.failure), .sound(.failure): true
      default: false
      }
    }
  }

  /// Loads what `manifest` names from the pack in `folder`; each list in order of names.
  init(_ manifest: PackManifest, folder: String, rate: Int) {
    let trackEntries = manifest.tracks.sorted { $0.key < $1.key }
    let soundEntries = manifest.sounds.sorted { $0.key < $1.key }
    let load: @Sendable (Int) -> Loaded = { index in
      if index < trackEntries.count {
        let entry = trackEntries[index].value
        return .track(
          Result { () throws(Problem) in
            try StreamedTrack(
              path: folder + "/" + entry.file, inside: folder, rate: rate, loop: TrackLoop(entry.loop),
              stems: entry.orderedStems.map { folder + "/" + $0.stem.file })
          })
      }
      let entry = soundEntries[index - trackEntries.count].value
      return .sound(
        Result { () throws(Problem) in
          try LoadedSound(path: folder + "/" + entry.file, inside: folder, rate: rate)
        })
    }
    let count = trackEntries.count + soundEntries.count
    let results = Mutex([Loaded?](repeating: nil, count: count))
    ParallelWork.run(count) { index in
      let loaded = load(index)
      results.withLock { $0[index] = loaded }
    }
    let all = results.withLock { $0 }
    for index in 0..<count {
      // libsndfile keeps the reason of a refusal for the whole process: asked again alone, it is this file's.
      let loaded = all[index].flatMap { $0.isRefused ? nil : $0 } ?? load(index)
      switch loaded {
      case .track(let result): tracks.append((trackEntries[index].key, result))
      case .sound(let result): sounds.append((soundEntries[index - trackEntries.count].key, result))
      }
    }
  }
}

extension TrackLoop {
  fileprivate init(_ loop: PackTrack.Loop) {
    switch loop {
    case .none: self = .none
    case .whole: self = .automatic
    case .region(let start, let end): self = .seconds(start: start.seconds, end: end.seconds)
    }
  }
}
