// SPDX-License-Identifier: Apache-2.0

import Engine
import GamePacks
import Problems
import Wire

/// What was read of a pack is the pack from here on, or is not, and why: between two turns of the engine.
extension Host {
  /// Takes what was read, and says what came of it; `isNamed` where somebody named the folder.
  func take(_ read: FolderReading, isNamed: Bool) -> PackReading {
    beginTurn()
    let told = put(read, isNamed: isNamed)
    carryOutActions()
    watchOtherPacks(andAnew: read.path)
    return told
  }

  /// Has what was read be the pack, unless something is wrong with it.
  private func put(_ read: FolderReading, isNamed: Bool) -> PackReading {
    if !isNamed, let taken = nameTaken(read) { return refuse(read, taken) }
    // What cannot be read at all is known by its folder.
    let before =
      read.name.flatMap(engine.catalog.pack(named:))
      ?? engine.catalog.generations.first { $0.contents.path == read.path }
    var problems = read.problems
    var taken: PackGeneration?
    // A pack that is there goes on without what it went on without before, and without nothing else; of a new one all that can
    // be had is taken, as at the start.
    // A pack whose audio is not made yet has a fault of each file.
    let known = Set((before?.contents.problems ?? problems).lazy.map(\.matter))
    if let loaded = read.loaded, problems.allSatisfy({ known.contains($0.matter) }) {
      if let refusal = refusal(of: loaded.pack) {
        problems.append(refusal)
      } else {
        let generation = take(loaded)
        taken = generation
        // A pack that calls itself otherwise now is not there twice.
        for other in engine.catalog.generations where other.contents.path == read.path && other !== generation {
          drop(pack: other.name)
          tell(PackLoading(change: .unloaded, pack: other.name, path: read.path))
        }
      }
    }
    tell(
      PackLoading(
        change: taken == nil ? .refused : .taken, pack: read.name ?? before?.name, path: read.path,
        generation: taken?.number,
        counts: taken.map { PackLoading.Counts($0.manifest) }, problems: problems.count))
    if taken == nil {
      untoldProblems += problems
      let new = problems.first { !known.contains($0.matter) }
      note(read, of: before, untakenFor: new ?? problems.first, among: problems.count)
      engine.leaveOut(
        LeftOutPack(path: read.path, name: read.name), read.toldLeftOut.isEmpty ? problems : read.toldLeftOut)
    }
    return PackReading(
      pack: read.name ?? before?.name, path: read.path, taken: taken != nil, generation: (taken ?? before)?.number,
      problems: problems,
      warnings: read.warnings, counts: taken.map { PackLoading.Counts($0.manifest) })
  }

  /// Remembers that what was read of a pack that is there does not count, and why; the log ends with it what it told of the faults.
  private func note(_ read: FolderReading, of before: PackGeneration?, untakenFor problem: Problem?, among count: Int) {
    guard let before, let problem else { return }
    untaken.note(
      UntakenReading(
        pack: before.name, path: read.path, atUs: engine.turn.clockNow.microseconds,
        problem: problem.withoutDaemon.of(pack: before.name), problemCount: count, generation: before.number))
    untoldProblems.append(
      Problem(
        problem.kind, file: read.path,
        "so \(before.name) is not taken as it stands in \(read.path) now; what was read of it before plays on"))
  }

  /// What keeps a pack out whose name one from another folder has: only who names its folder means it to take that one's place.
  private func nameTaken(_ read: FolderReading) -> Problem? {
    guard let name = read.name, let place = read.placeOfName, let other = engine.catalog.pack(named: name)?.contents,
      other.path != read.path
    else { return nil }
    return .nameTaken(name, in: read.path, by: other.path, at: place)
  }

  private func refuse(_ read: FolderReading, _ problem: Problem) -> PackReading {
    let before = engine.catalog.generations.first { $0.contents.path == read.path }
    tell(PackLoading(change: .refused, pack: read.name, path: read.path, problems: 1))
    untoldProblems.append(problem)
    note(read, of: before, untakenFor: problem, among: 1)
    engine.leaveOut(LeftOutPack(path: read.path, name: read.name), [problem])
    return PackReading(
      pack: read.name, path: read.path, taken: false, generation: before?.number, problems: [problem],
      warnings: read.warnings)
  }

  /// Why there is no room for what was read.
  private func refusal(of pack: Catalog.Pack) -> Problem? {
    if engine.catalog.pack(named: pack.manifest.name) == nil, engine.catalog.generations.count >= PackSearch.mostPacks {
      return Problem(
        .tooManyPacks, "\(PackSearch.mostPacks) packs are loaded, which is the most",
        remedy: "unload one with pack.unload")
    }
    if !engine.hasRoom(forParametersOf: pack) {
      return Problem(
        .busy, "the parameters of all packs drive more than there is room for",
        remedy: "let the parameters of this pack drive less, or unload another pack that has some with pack.unload")
    }
    // Last, for it may end what others play. It takes the place of what was read before in its folder, under whatever name, or
    // elsewhere under its name.
    let replaced = engine.catalog.generations.filter {
      $0.name == pack.manifest.name || $0.contents.path == pack.path
    }
    if !makeRoom(forEarlier: Set(replaced.map(\.name))) {
      return Problem(.busy, Self.noRoomForEarlier.reason, remedy: Self.noRoomForEarlier.remedy)
    }
    return nil
  }
}

extension PackLoading.Counts {
  fileprivate init(_ manifest: PackManifest) {
    self.init(
      tracks: manifest.tracks.count, sounds: manifest.sounds.count, patterns: manifest.patterns.count,
      cues: manifest.cues.count, chapters: manifest.chapters.count, parameters: manifest.parameters.count)
  }
}
