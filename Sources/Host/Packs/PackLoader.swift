// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Engine
import Files
import GamePacks
import Glibc
import Haptics
import Problems
import SoundFiles
import Suggestions
import Timing

/// Reads game packs from disk: what cannot be read becomes a problem of its pack, and the rest goes on.
package struct PackLoader {
  let rate: Int
  let keptFiles: KeptFiles
  /// Counts what all packs keep in memory.
  let soundRoom: SoundRoom
  /// Bytes that one of them may.
  let mostOfAPack: Int
  /// Whether anybody still wants to know: else what is left to be read is passed over, and what was read is of no use.
  let isWanted: @Sendable () -> Bool

  /// A loader for an engine of `rate` frames a second.
  package init(rate: Int) { self.init(rate: rate, keptFiles: KeptFiles()) { true } }

  /// The same, that gives up between two files once it is not wanted any more.
  init(
    rate: Int, keptFiles: KeptFiles = KeptFiles(), soundRoom: SoundRoom = SoundRoom(most: SoundRoom.ofAllPacks),
    mostOfAPack: Int = SoundRoom.ofOnePack, isWanted: @escaping @Sendable () -> Bool = { true }
  ) {
    self.rate = rate
    self.keptFiles = keptFiles
    self.soundRoom = soundRoom
    self.mostOfAPack = mostOfAPack
    self.isWanted = isWanted
  }

  /// What a daemon would have loaded of `folders`, and what it would tell of them.
  package func catalog(of folders: PackFolders) -> Catalog {
    var catalog = load(folders).catalog
    catalog.tellOfStandIn(among: folders)
    return catalog
  }

  /// Reads one folder as a pack; where it `isNew`, another may be meant if it is none.
  func read(_ path: String, isNew: Bool = false) -> FolderReading {
    var found = FolderReading(path: path, problems: [], warnings: [])
    do throws(FileRefusal) {
      let bytes = try Self.read("pack.json", of: path)
      let text = printable(path) + "/pack.json"
      let reading = PackManifest.read(bytes, path: text)
      found.warnings = reading.warnings.map(\.warning)
      found.name = reading.manifest.flatMap { $0.name.isEmpty ? nil : $0.name }
      if let faults = reading.faults {
        found.problems += faults.faults.map(\.warning)
        found.toldLeftOut = faults.leavingOutThePack(until: PackCommands.reading(folder: path))
      }
      guard let manifest = reading.manifest else { return found }
      let loaded = load(manifest, bytes, text, path: path)
      found.warnings += loaded.pack.warnings
      if reading.faults == nil {
        found.problems = loaded.pack.problems
        found.placeOfName = Self.placeOfName(in: bytes, text)
        found.loaded = loaded
        found.loaded?.pack.warnings = found.warnings
      } else {
        let said = found.problems
        let files = loaded.pack.problems.map(\.inPack).filter { told in !said.contains { $0.isAt(told) } }
        found.problems += files
        found.toldLeftOut += files
      }
    } catch {
      if isNew, let problem = error.problem.knowingPacks(near: path) {
        found.problems.append(problem)
        return found
      }
      found.problems.append(error.problem)
      found.toldLeftOut.append(error.problem.leavingOutThePack(until: PackCommands.reading(folder: path)))
    }
    return found
  }

  /// Everything found in `folders`, each of which holds packs as folders with a `pack.json`.
  func load(_ folders: PackFolders, active: String?) throws(HostError) -> (catalog: Catalog, bank: SoundBank) {
    var (catalog, sounds) = load(folders)
    var bank = SoundBank(rate: rate, keptFiles: keptFiles, soundRoom: soundRoom)
    for (generation, sounds) in zip(catalog.generations, sounds) { bank.keep(sounds, of: generation) }
    if let active {
      if catalog.pack(named: active) == nil {
        let (names, places) = (catalog.packs.map(\.manifest.name), folders.all.joined(separator: ", "))
        let found =
          names.isEmpty
          ? "no pack was found in \(places); name the folder of one with --packs"
          : "found in \(places): \(names.joined(separator: ", ")); name one of these, or the folder of another with --packs"
        throw HostError(
          "no pack is called \(active)" + didYouMean(active, among: names),
          details: Self.folderHint(active, lookedIn: folders) + catalog.problems.map(\.withoutDaemon.description) + [
            found
          ])
      }
      catalog.active = active
    } else {
      catalog.tellOfStandIn(among: folders)
    }
    // Nobody asks what they hold any more, and who mends one would have control free it.
    for place in catalog.leftOut.indices { catalog.leftOut[place].pack = nil }
    return (catalog, bank)
  }

  /// The packs, and what is in memory of each.
  private func load(_ folders: PackFolders) -> (catalog: Catalog, sounds: [PackSounds]) {
    var packs: [Catalog.Pack] = []
    var sounds: [PackSounds] = []
    var leftOut: [LeftOutPack] = []
    let search = PackSearch(folders)
    var problems = search.problems
    var ranks: [String: Int] = [:]
    for (path, rank) in search.packs {
      do throws(FileRefusal) {
        let bytes = try Self.read("pack.json", of: path)
        let text = printable(path) + "/pack.json"
        let reading = PackManifest.read(bytes, path: text)
        if let faults = reading.faults {
          let said = faults.leavingOutThePack(until: PackCommands.reading(folder: path))
          problems += said
          // What is wrong with its files is told with it; nothing of them is kept.
          guard let manifest = reading.manifest else {
            leftOut.append(LeftOutPack(path: path))
            continue
          }
          var pack = load(manifest, bytes, text, path: path).pack
          problems += pack.problems.map(\.inPack).filter { told in !said.contains { $0.isAt(told) } }
          pack.warnings += reading.warnings.map(\.warning)
          leftOut.append(LeftOutPack(path: path, name: manifest.name.isEmpty ? nil : manifest.name, pack: pack))
        } else if let manifest = reading.manifest {
          if let other = packs.firstIndex(where: { $0.manifest.name == manifest.name }) {
            if Self.isSameFolder(path, packs[other].path) { continue }
            if rank > ranks[manifest.name] ?? 0 {
              packs[other].hides.append(path)
            } else {
              let place = Self.placeOfName(in: bytes, text)
              problems.append(.nameTaken(manifest.name, in: path, by: packs[other].path, at: place))
              leftOut.append(LeftOutPack(path: path, name: manifest.name))
            }
          } else {
            ranks[manifest.name] = rank
            var loaded = load(manifest, bytes, text, path: path)
            loaded.pack.warnings += reading.warnings.map(\.warning)
            packs.append(loaded.pack)
            sounds.append(loaded.sounds)
          }
        }
      } catch {
        problems.append(error.problem.leavingOutThePack(until: PackCommands.reading(folder: path)))
        leftOut.append(LeftOutPack(path: path))
      }
    }
    let own = folders.named.isEmpty ? folders.usual : folders.named
    let isNamed = folders.named.isEmpty || search.packs.contains { $0.rank == 0 }
    if !isNamed || packs.isEmpty, problems.isEmpty, !own.isEmpty {
      problems.append(
        Problem(
          .noPack, "no game pack is in \(own.joined(separator: ", "))",
          remedy: "name with --packs a pack's folder, which has a pack.json (docs/packs.md), or a folder of such"))
    }
    var catalog = Catalog(packs: packs, problems: problems)
    catalog.leftOut = leftOut
    return (catalog, sounds)
  }

  /// Of a name that a folder has as well: most likely that was meant.
  private static func folderHint(_ name: String, lookedIn folders: PackFolders) -> [String] {
    guard folderNames(name) != nil, !folders.all.contains(where: { isSameFolder(name, $0) }) else { return [] }
    let folder = printable(quotedForShell(name))
    return ["\(printable(name)) is a folder here: --packs \(folder) has packs looked for in it"]
  }

  /// Where a manifest says what its pack is called.
  private static func placeOfName(in bytes: [UInt8], _ text: String) -> Problem.Place {
    var places = ManifestPlaces()
    places.add(Problem(.nameTaken, ""), at: "name")
    return places.problems(in: bytes, path: text).first?.where ?? .init(file: text)
  }

  private func load(
    _ manifest: PackManifest, _ bytes: [UInt8], _ text: String, path: String
  ) -> LoadedPack {
    var gathered = PackSounds.Gathered()
    var pack = Catalog.Pack(manifest: manifest, path: path)
    var (problems, warnings) = (ManifestPlaces(), ManifestPlaces())
    let command = PackCommands.reading(pack: manifest.name)
    let loading = SoundLoading(
      manifest, folder: path, rate: rate, keptFiles: keptFiles,
      room: { PackRoom(most: mostOfAPack, within: soundRoom) }, isWanted: isWanted)
    for (name, result) in loading.tracks {
      switch result {
      case .success(let track):
        gathered.tracks[name] = track
        let loop = track.loop ?? 0..<track.frames
        pack.tracks[name] = TrackInfo(
          frames: track.frames, loop: LoopRegion(start: loop.lowerBound, end: loop.upperBound),
          headFrames: track.headFrames,
          stems: (manifest.tracks[name]?.orderedStems ?? []).map { .init(name: $0.name, gain: Float($0.stem.gain)) })
        tellWhatIsBehind(track.frames, of: name, in: &pack.manifest, &problems)
        warnOfCrowding(in: loop, of: name, pack.manifest, &warnings)
      case .failure(let faults):
        for problem in faults.problems {
          add(problem.of(.init(.track, name)), of: name, in: manifest, path, &problems)
        }
      }
    }
    for (name, result) in loading.sounds {
      switch result {
      case .success(let sound):
        gathered.sounds[name] = sound
        pack.sounds[name] = Int64(sound.frames)
      case .failure(let error):
        // What names no file that could be one has its fault already; so below.
        if manifest.sounds[name]?.file.isEmpty == false {
          let problem = error.knowingFiles(
            beside: manifest.sounds[name]?.file ?? "", of: path, renderedBy: manifest.renderedBy)
          problems.add(problem.of(.init(.sound, name)), at: "sounds", name, "file")
        }
      }
    }
    for (name, entry) in manifest.patterns.sorted(by: { $0.key < $1.key }) where !entry.file.isEmpty && isWanted() {
      do throws(FileRefusal) {
        let bytes = try Self.read(entry.file, of: path)
        let file = path + "/" + entry.file
        do throws(AHAPError) {
          let (document, findings) = try AHAPDocument.parse(bytes, name: file)
          for problem in PatternFaults.problems(of: findings, file: file) {
            warnings.add(problem.of(.init(.pattern, name)))
          }
          let pattern = HapticPattern(document)
          let (lengths, refused) = loadWaveforms(
            of: pattern, bytes, file: file, &pack, into: &gathered, from: loading.pool)
          for problem in refused { problems.add(problem.of(.init(.pattern, name))) }
          pack.patterns[name] = pattern.knowing(fileLengths: lengths)
        } catch {
          problems.add(error.problem.of(.init(.pattern, name)))
        }
      } catch {
        let problem = error.problem.knowingFiles(beside: entry.file, of: path)
        problems.add(problem.of(.init(.pattern, name)), at: "patterns", name, "file")
      }
    }
    for (name, entry) in manifest.chapters.sorted(by: { $0.key < $1.key }) where isWanted() {
      switch entry.beats {
      case .map(let map): pack.beatMaps[name] = map
      case .faulty(let faults):
        for problem in faults.leavingOutTheChapter(until: command) { problems.add(problem.of(.init(.chapter, name))) }
      case .file(""): break
      case .file(let file):
        do throws(FileRefusal) {
          let bytes = try Self.read(file, of: path)
          do throws(PackFaults) {
            let read = try BeatMapFile.parse(bytes, path: path + "/" + file)
            if entry.isKnown {
              let map = try entry.beatMap(from: read)
              pack.beatMaps[name] = map
              if let warning = entry.windowWarning(for: map) {
                warnings.add(warning.of(.init(.chapter, name)), at: "chapters", name, "window")
              }
            } else if let faults = read.faults {
              throw faults
            }
          } catch {
            for problem in error.leavingOutTheChapter(until: command) {
              problems.add(problem.of(.init(.chapter, name)))
            }
          }
        } catch {
          let problem = error.problem.knowingFiles(beside: file, of: path)
          problems.add(problem.of(.init(.chapter, name)), at: "chapters", name, "beats")
        }
      }
      tellBeatsBehindTheTrack(of: entry, name, pack, &problems)
      warnOfSilence(in: entry, name, pack, &warnings)
    }
    pack.warnings = warnings.problems(in: bytes, path: text)
    let told = problems.problems(in: bytes, path: text)
    pack.problems = (manifest.missingAudio(among: told, in: printable(path)) + told).map { $0.of(pack: manifest.name) }
    return LoadedPack(pack: pack, sounds: PackSounds(gathered))
  }

  /// Adds what is wrong with a track where the manifest names the file, or the loop, that is at fault.
  private func add(
    _ problem: Problem, of name: String, in manifest: PackManifest, _ path: String, _ problems: inout ManifestPlaces
  ) {
    guard let track = manifest.tracks[name] else { return problems.add(problem) }
    func knowing(_ file: String) -> Problem {
      problem.knowingFiles(beside: file, of: path, renderedBy: manifest.renderedBy)
    }
    guard !track.file.isEmpty || problem.where.file != path + "/" else { return }
    let stem = track.orderedStems.first { problem.where.file == path + "/" + $0.stem.file }
    if let stem, problem.where.file != path + "/" + track.file {
      problems.add(
        knowing(stem.stem.file), at: "tracks", name, "stems", stem.name, "file")
    } else if problem.kind == .badLoop, case .region = track.loop {
      problems.add(problem, at: "tracks", name, "loop")
    } else {
      problems.add(knowing(track.file), at: "tracks", name, "file")
    }
  }

  /// Tells what of a track lies behind its end, and takes such markers out of the manifest: nobody could ever wait for them.
  private func tellWhatIsBehind(
    _ frames: Int64, of track: String, in manifest: inout PackManifest, _ problems: inout ManifestPlaces
  ) {
    let length = Interval.frames(frames, rate: rate)
    let command = PackCommands.reading(pack: manifest.name)
    func outside(_ what: String, _ at: Interval) -> Problem {
      Problem(
        .invalidValue, "\(what) at \(at.seconds) s is not inside the track, which lasts \(length.seconds) s",
        where: .init(asset: .init(.track, track)))
    }
    let cure = "move it into the track"
    if let entry = manifest.tracks[track], entry.bpm != nil, entry.firstBeat >= length {
      problems.add(
        outside("the first beat", entry.firstBeat).cured(by: cure, until: command, "the track has no beats"),
        at: "tracks", track, "firstBeat")
    }
    let behind = manifest.tracks[track]?.markers.filter { $0.value >= length } ?? [:]
    for (name, at) in behind.sorted(by: { $0.key < $1.key }) {
      manifest.tracks[track]?.markers[name] = nil
      problems.add(
        outside("marker \(name)", at).cured(by: cure, leavingOut: "the marker", until: command),
        at: "tracks", track, "markers", name)
    }
  }

  /// Warns of a loop that holds more markers than are told again and again.
  private func warnOfCrowding(
    in loop: Range<Int64>, of track: String, _ manifest: PackManifest, _ warnings: inout ManifestPlaces
  ) {
    guard let entry = manifest.tracks[track], entry.loop != PackTrack.Loop.none else { return }
    let region = LoopRegion(start: loop.lowerBound, end: loop.upperBound)
    guard let crowd = TrackInfo.crowd(of: entry, in: region, rate: rate) else { return }
    let length = Interval.frames(region.end - region.start, rate: rate)
    warnings.add(
      Problem(
        .invalidValue,
        "are told in the first turn of the loop alone: \(crowd.markers) lie in its \(length.seconds) s",
        remedy:
          "a loop of so many is told again and again from \(crowd.shortest.seconds) s on: remove some, or loop more",
        where: .init(asset: .init(.track, track))),
      at: "tracks", track, "markers")
  }

  /// The sound files that a pattern names, relative to the pack, as in its manifest; gives how long they last, and what is
  /// wrong with those that cannot be heard.
  private func loadWaveforms(
    of pattern: HapticPattern, _ bytes: [UInt8], file: String, _ pack: inout Catalog.Pack,
    into gathered: inout PackSounds.Gathered, from pool: SoundPool
  ) -> (lengths: [String: Interval], problems: [Problem]) {
    var refused: Set<String> = []
    var problems: [Problem] = []
    var lengths: [String: Interval] = [:]
    // Found once, where any is asked for: to find them is to read the pattern.
    var places: [String: (line: Int, column: Int)]?
    for event in pattern.audioEvents {
      guard case .waveform(let path, let loops) = event.source, !refused.contains(path) else { continue }
      if let problem = loadWaveform(path, loops: loops, into: &gathered, from: pool) {
        refused.insert(path)
        guard problems.count < Self.mostSilent else { continue }
        let named =
          places
          ?? Dictionary(
            uniqueKeysWithValues: AHAPDocument.waveforms(in: bytes).map {
              ($0.path, ($0.position.line, $0.position.column))
            })
        places = named
        let position = named[path]
        problems.append(
          Problem(
            problem.kind, "EventWaveformPath \(problem.reason)", remedy: problem.remedy,
            where: .init(file: file, line: position?.line, column: position?.column)))
        continue
      }
      pack.waveforms.insert(path)
      lengths[path] = gathered.waveforms[path].map { .seconds($0.seconds) }
    }
    if refused.count > problems.count {
      problems.append(
        Problem(
          .missing, file: file, "\(refused.count - problems.count) more of its sound files are not heard",
          remedy: "mend those that are listed, and read the pack again"))
    }
    return (lengths, problems)
  }

  /// Sound files of one pattern that are told one by one.
  private static let mostSilent = 100

  /// What keeps the file from being heard; nil when it could be loaded, or was before.
  private func loadWaveform(
    _ file: String, loops: Bool, into gathered: inout PackSounds.Gathered, from pool: SoundPool
  ) -> Problem? {
    if let refusal = refusalOfFileName(file) { return Problem(.invalidValue, refusal) }
    do throws(Problem) {
      if gathered.waveforms[file] == nil { gathered.add(try pool.sound(file), as: file) }
      try gathered.dull(file, loops: loops, in: pool.room)
      return nil
    } catch {
      return Problem(error.kind, "\"\(file)\" is not heard: \(error.reason)", remedy: error.remedy)
    }
  }

  private static func isSameFolder(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }

  /// The bytes of a file of the pack in `folder`; `name` may lead anywhere inside it.
  private static func read(_ name: String, of folder: String) throws(FileRefusal) -> [UInt8] {
    try RegularFile.open(folder + "/" + name, inside: folder).contents(atMost: largestText)
  }

  /// Larger manifests, patterns and beat maps are refused unread.
  private static let largestText = 8 << 20
}
