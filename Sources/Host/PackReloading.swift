// SPDX-License-Identifier: Apache-2.0

import Engine
import Files
import GamePacks
import Problems
import Timing
import Wire

/// Packs that are read while the engine runs: beside what plays, and taken between two of its turns.
extension Host {
  /// The most earlier generations that are kept for what still plays of them.
  static let mostEarlierGenerations = 16

  /// The methods whose replies wait for a folder to be read.
  public static let readingMethods: Set<String> = [PackLoad.name, PackReload.name]

  func registerPacks(on router: inout Router<RequestContext>) {
    router.on(PackLoad.self) { [unowned self] params, context throws(RPCError) in
      try checkOwner(context, PackLoad.name)
      guard params.path.first == "/" else {
        throw RPCError(
          .invalidParams, "path \(printable(params.path)) does not begin at /",
          hint: "name the pack's folder from / on: the daemon has a working folder of its own")
      }
      let readings = try read([params.path], context)
      guard let reading = readings.first else { throw RPCError(.internal, "nothing was read") }
      return reading
    }
    router.on(PackReload.self) { [unowned self] params, context throws(RPCError) in
      try checkOwner(context, PackReload.name)
      if let name = params.pack {
        return PackReload.Result(packs: try read([try engine.folder(ofPack: name)], context))
      }
      return PackReload.Result(packs: try read(engine.catalog.packs.map(\.path), context))
    }
    router.on(PackUnload.self) { [unowned self] params, context throws(RPCError) in
      try checkOwner(context, PackUnload.name)
      let path = try engine.folder(ofPack: params.pack)
      beginTurn()
      engine.drop(pack: params.pack)
      bank.retire(pack: params.pack)
      tell(PackLoading(change: .unloaded, pack: params.pack, path: path))
      carryOutActions()
      watchOtherPacks()
      return Empty()
    }
  }

  /// Reads all packs again, as soon as can be.
  public func reloadPacks() { ask(for: engine.catalog.packs.map(\.path), nil) }

  /// Takes in what was read, and lets go of what nobody plays any more: between two turns of the engine.
  func followReading() {
    if let done = loader?.takeDone() { endRound(done) }
    // What was not taken of it is freed there, too: nobody here holds it any more.
    loader?.letGo()
    guard bank.earlierCount > 0 else { return }
    engine.forgetPast()
    let unused = bank.takeUnused()
    if !unused.isEmpty { loader?.free(unused) }
  }

  /// Only who could read a folder as well may have the daemon read it.
  private func checkOwner(_ context: RequestContext, _ method: String) throws(RPCError) {
    guard context.cause.user == configuration.owner else {
      throw RPCError(
        .notPermitted, "\(method) is for clients of the daemon's own user alone",
        hint: "ask as that user, or have the daemon's packs read again with SIGHUP")
    }
  }

  /// What comes of reading folders: at once where nothing else waits for control, else when the loader has read them.
  private func read(_ folders: [String], _ context: RequestContext) throws(RPCError) -> [PackReading] {
    guard let errand = context.errand, loader != nil, !folders.isEmpty else {
      return takeAll(folders.map(PackLoader(rate: configuration.rate).read))
    }
    return try errand.awaited { ask(for: folders, errand) }
  }

  /// Has folders read with the next round.
  func ask(for folders: [String], _ errand: Errand?) {
    guard loader != nil else {
      _ = takeAll(folders.map(PackLoader(rate: configuration.rate).read))
      return
    }
    reading.add(ReadingQueue.Waiting(folders: folders, errand: errand))
    beginReading()
  }

  private func beginReading() {
    guard let loader, let folders = reading.begin() else { return }
    for folder in folders {
      let pack = engine.catalog.generations.first { $0.contents.path == folder }
      tell(PackLoading(change: .reading, pack: pack?.name, path: folder))
    }
    let rate = configuration.rate
    loader.begin { folders.map(PackLoader(rate: rate).read) }
  }

  /// The round is over: takes what it read, and tells who waits for it.
  private func endRound(_ done: [FolderReading]) {
    let told = takeAll(done)
    let byFolder = Dictionary(zip(done.map(\.path), told)) { $1 }
    for waiting in reading.end()?.waiting ?? [] {
      waiting.errand?.finish(with: waiting.folders.compactMap { byFolder[$0] })
    }
    beginReading()
  }

  private func takeAll(_ done: [FolderReading]) -> [PackReading] {
    beginTurn()
    let told = done.map(take)
    carryOutActions()
    watchOtherPacks()
    return told
  }

  /// Has what was read be the pack, unless something is wrong with it.
  private func take(_ read: FolderReading) -> PackReading {
    // What cannot be read at all is known by its folder.
    let before =
      read.name.flatMap(engine.catalog.pack(named:))
      ?? engine.catalog.generations.first { $0.contents.path == read.path }
    var problems = read.problems
    var taken: PackGeneration?
    // A pack that is there goes on without what it went on without before, and without nothing else; of a new one all that can
    // be had is taken, as at the start.
    let known = before?.contents.problems ?? problems
    if let loaded = read.loaded, problems.allSatisfy({ problem in known.contains { $0.isSame(as: problem) } }) {
      if let refusal = refusal(of: loaded.pack) {
        problems.append(refusal)
      } else {
        let generation = engine.take(loaded.pack)
        bank.keep(loaded.sounds, of: generation)
        taken = generation
        // A pack that calls itself otherwise now is not there twice.
        for other in engine.catalog.generations where other.contents.path == read.path && other !== generation {
          engine.drop(pack: other.name)
          bank.retire(pack: other.name)
          tell(PackLoading(change: .unloaded, pack: other.name, path: read.path))
        }
      }
    }
    tell(
      PackLoading(
        change: taken == nil ? .refused : .taken, pack: read.name ?? before?.name, path: read.path,
        generation: taken?.number,
        counts: taken.map { PackLoading.Counts($0.manifest) }, problems: problems.count))
    if taken == nil { untoldProblems += problems }
    return PackReading(
      pack: read.name ?? before?.name, path: read.path, taken: taken != nil, generation: (taken ?? before)?.number,
      problems: problems,
      warnings: read.warnings)
  }

  /// Why there is no room for what was read.
  private func refusal(of pack: Catalog.Pack) -> Problem? {
    if engine.catalog.pack(named: pack.manifest.name) == nil, engine.catalog.generations.count >= PackSearch.mostPacks {
      return Problem(
        .tooManyPacks, "\(PackSearch.mostPacks) packs are loaded, which is the most",
        remedy: "take one out with pack.unload")
    }
    if bank.earlierCount >= Self.mostEarlierGenerations {
      return Problem(
        .busy, "\(bank.earlierCount) earlier generations of packs are still played, which is the most",
        remedy: "stop what plays of them, and read the pack again")
    }
    if !engine.hasRoom(forParametersOf: pack) {
      return Problem(
        .busy, "more tracks, sounds and patterns are led by parameters than there is room for",
        remedy: "restart starlightd")
    }
    return nil
  }

  private func tell(_ loading: PackLoading) {
    notifications.append(OutgoingNotification(loading, tUs: now.microseconds))
  }
}

extension PackLoading.Counts {
  fileprivate init(_ manifest: PackManifest) {
    self.init(
      tracks: manifest.tracks.count, sounds: manifest.sounds.count, patterns: manifest.patterns.count,
      cues: manifest.cues.count, chapters: manifest.chapters.count, parameters: manifest.parameters.count)
  }
}
