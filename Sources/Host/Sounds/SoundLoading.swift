// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Problems
import SoundFiles
import Synchronization

/// Loads the tracks and sounds of a pack, on two threads where there are two processors.
struct SoundLoading {
  private(set) var tracks: [(name: String, result: Result<StreamedTrack, TrackFaults>)] = []
  private(set) var sounds: [(name: String, result: Result<LoadedSound, Problem>)] = []
  /// What was decoded, for whoever names the same files.
  private(set) var pool: SoundPool

  private enum Loaded {
    case track(Result<StreamedTrack, TrackFaults>)
    case sound(Result<LoadedSound, Problem>)

    var problems: [Problem] {
      switch self {
      case .track(.failure(let faults)): faults.problems
      case .sound(.failure(let problem)): [problem]
      default: []
      }
    }

    var findsNoRoom: Bool { problems.contains { $0.kind == .tooLarge || $0.kind == .noMemory } }
  }

  /// Loads what `manifest` names from the pack in `folder`; each list in order of names. Once it is not wanted any more there is
  /// nothing in them. Each time it begins it takes another `room`.
  init(
    _ manifest: PackManifest, folder: String, rate: Int, keptFiles: KeptFiles, room: () -> PackRoom,
    isWanted: @escaping @Sendable () -> Bool
  ) {
    let trackEntries = manifest.tracks.sorted { $0.key < $1.key }
    let soundEntries = manifest.sounds.sorted { $0.key < $1.key }
    let count = trackEntries.count + soundEntries.count
    let files = trackEntries.reduce(0) { $0 + 1 + $1.value.orderedStems.count }
    let headSeconds = HeadLength.seconds(of: files, rate: rate)
    let load: @Sendable (Int, SoundPool) -> Loaded = { index, pool in
      if index < trackEntries.count {
        let entry = trackEntries[index].value
        return .track(Self.loadTrack(entry, folder: folder, rate: rate, headSeconds, keptFiles, pool.room))
      }
      let entry = soundEntries[index - trackEntries.count].value
      return .sound(Result { () throws(Problem) in try pool.sound(entry.file) })
    }
    pool = SoundPool(folder: folder, rate: rate, room: room(), isWanted: isWanted)
    var all = Self.loadTogether(count, pool, isWanted, load)
    if all == nil {
      // Who is refused for want of room must not hang on which thread came first: begun again one by one, in order of names.
      pool = SoundPool(folder: folder, rate: rate, room: room(), isWanted: isWanted)
      all = (0..<count).map { isWanted() ? load($0, pool) : nil }
    }
    guard let all, isWanted() else { return }
    for index in 0..<count {
      // libsndfile keeps the reason of a refusal for the whole process: asked again alone, it is this file's.
      let loaded = all[index].flatMap { $0.problems.isEmpty || $0.findsNoRoom ? $0 : nil } ?? load(index, pool)
      switch loaded {
      case .track(let result): tracks.append((trackEntries[index].key, result))
      case .sound(let result): sounds.append((soundEntries[index - trackEntries.count].key, result))
      }
    }
  }

  /// What came of each on two threads; nil, and nothing is kept, where there was no room for all.
  private static func loadTogether(
    _ count: Int, _ pool: SoundPool, _ isWanted: @escaping @Sendable () -> Bool,
    _ load: @escaping @Sendable (Int, SoundPool) -> Loaded
  ) -> [Loaded?]? {
    let results = Mutex<[Loaded?]?>([Loaded?](repeating: nil, count: count))
    ParallelWork.run(count) { index in
      guard isWanted(), results.withLock({ $0 != nil }) else { return }
      let loaded = load(index, pool)
      results.withLock { results in
        if loaded.findsNoRoom { results = nil } else { results?[index] = loaded }
      }
    }
    return results.withLock { $0 }
  }
}

/// All that keeps a track from being played: what is wrong with its file, or with stems.
struct TrackFaults: Error {
  var problems: [Problem]
}

extension SoundLoading {
  private static func loadTrack(
    _ entry: PackTrack, folder: String, rate: Int, _ headSeconds: Double, _ keptFiles: KeptFiles, _ room: PackRoom
  ) -> Result<StreamedTrack, TrackFaults> {
    let stems = entry.orderedStems.map { folder + "/" + $0.stem.file }
    do throws(Problem) {
      return .success(
        try StreamedTrack(
          path: folder + "/" + entry.file, inside: folder, rate: rate, loop: TrackLoop(entry.loop),
          headSeconds: headSeconds, stems: stems, keptFiles: keptFiles, room: room))
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
