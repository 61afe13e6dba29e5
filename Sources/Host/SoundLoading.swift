// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Problems
import SoundFiles
import Synchronization

/// Loads the tracks and sounds of a pack, on two threads where there are two processors.
struct SoundLoading {
  private(set) var tracks: [(name: String, result: Result<StreamedTrack, TrackFaults>)] = []
  private(set) var sounds: [(name: String, result: Result<LoadedSound, Problem>)] = []

  private enum Loaded {
    case track(Result<StreamedTrack, TrackFaults>)
    case sound(Result<LoadedSound, Problem>)

    var isRefused: Bool {
      switch self {
      case .track(.failure), .sound(.failure): true
      default: false
      }
    }
  }

  /// Loads what `manifest` names from the pack in `folder`; each list in order of names. Once it is not wanted any more there is
  /// nothing in them.
  init(
    _ manifest: PackManifest, folder: String, rate: Int, keptFiles: KeptFiles,
    isWanted: @escaping @Sendable () -> Bool
  ) {
    let trackEntries = manifest.tracks.sorted { $0.key < $1.key }
    let soundEntries = manifest.sounds.sorted { $0.key < $1.key }
    let load: @Sendable (Int) -> Loaded = { index in
      if index < trackEntries.count {
        let entry = trackEntries[index].value
        return .track(Self.loadTrack(entry, folder: folder, rate: rate, keptFiles))
      }
      let entry = soundEntries[index - trackEntries.count].value
      return .sound(
        Result { () throws(Problem) in
          try LoadedSound(path: folder + "/" + entry.file, inside: folder, rate: rate, isWanted: isWanted)
        })
    }
    let count = trackEntries.count + soundEntries.count
    let results = Mutex([Loaded?](repeating: nil, count: count))
    ParallelWork.run(count) { index in
      guard isWanted() else { return }
      let loaded = load(index)
      results.withLock { $0[index] = loaded }
    }
    guard isWanted() else { return }
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

/// All that keeps a track from being played: what is wrong with its file, or with stems.
struct TrackFaults: Error {
  var problems: [Problem]
}

extension SoundLoading {
  private static func loadTrack(
    _ entry: PackTrack, folder: String, rate: Int, _ keptFiles: KeptFiles
  ) -> Result<StreamedTrack, TrackFaults> {
    let stems = entry.orderedStems.map { folder + "/" + $0.stem.file }
    do throws(Problem) {
      return .success(
        try StreamedTrack(
          path: folder + "/" + entry.file, inside: folder, rate: rate, loop: TrackLoop(entry.loop), stems: stems,
          keptFiles: keptFiles))
    } catch {
      // The first of them ends the reading; the others are looked at so that all are told at once.
      guard let own = try? StreamedTrack(path: folder + "/" + entry.file, inside: folder, rate: rate, loop: .none)
      else {
        return .failure(TrackFaults(problems: [error] + stems.compactMap { fault(of: $0, folder, rate, beside: nil) }))
      }
      let others = stems.filter { $0 != error.where.file }.compactMap { fault(of: $0, folder, rate, beside: own) }
      return .failure(TrackFaults(problems: [error] + others))
    }
  }

  /// What is wrong with the stem at `path`, held against its track where that can be read.
  private static func fault(of path: String, _ folder: String, _ rate: Int, beside track: StreamedTrack?) -> Problem? {
    do throws(Problem) {
      if let track {
        _ = try StreamedTrack(path: track.path, inside: folder, rate: rate, loop: .none, stems: [path])
      } else {
        _ = try StreamedTrack(path: path, inside: folder, rate: rate, loop: .none)
      }
      return nil
    } catch {
      return error
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
