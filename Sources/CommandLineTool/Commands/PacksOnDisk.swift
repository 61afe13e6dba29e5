// SPDX-License-Identifier: Apache-2.0

import Files
import FoundationEssentials
import GamePacks
import Haptics
import Problems
import SoundFiles
import Wire

extension PackList.Result {
  /// The packs that a daemon started here would load, read by this program itself. The first with music or sounds would
  /// be the active one.
  init(onDisk environment: [String: String]) {
    var packs: [PackList.Pack] = []
    for path in PatternLibrary(environment: environment).packs {
      guard let pack = PackList.Pack(onDisk: path), !packs.contains(where: { $0.name == pack.name }) else { continue }
      packs.append(pack)
    }
    let game = packs.first { !$0.tracks.isEmpty || !$0.sounds.isEmpty } ?? packs.first
    self.init(active: game?.name, packs: packs)
  }
}

extension PackList.Pack {
  /// The pack in the folder `path`; where its manifest cannot be read it has the folder's name, and that as its problem.
  fileprivate init?(onDisk path: String) {
    let manifestPath = path + "/pack.json"
    let bytes = (try? readFile(manifestPath, atMost: PackManifest.maximumBytes)) ?? []
    let manifest: PackManifest
    do throws(PackFaults) {
      manifest = try PackManifest.parse(bytes, path: manifestPath)
    } catch {
      let folder = path.split(separator: "/").last.map(String.init) ?? path
      self.init(
        name: folder, title: folder, path: path, tracks: [], sounds: [], patterns: [], cues: [], chapters: [],
        parameters: [],
        problems: error.faults.map(\.problem))
      return
    }
    var problems: [Problem] = []
    func told(_ name: String) -> String { AssetKey(pack: manifest.name, name: name).description }
    let tracks = manifest.tracks.sorted { $0.key < $1.key }.map { name, track in
      let duration = soundLength(path + "/" + track.file, .init(.track, name), &problems)
      return PackList.Track(
        name: told(name), durationUs: duration ?? 0, bpm: track.bpm, loops: track.loop != PackTrack.Loop.none,
        available: duration != nil)
    }
    let sounds = manifest.sounds.sorted { $0.key < $1.key }.map { name, sound in
      let duration = soundLength(path + "/" + sound.file, .init(.sound, name), &problems)
      return PackList.Sound(name: told(name), durationUs: duration ?? 0, available: duration != nil)
    }
    let patterns = manifest.patterns.sorted { $0.key < $1.key }.map { name, entry in
      let pattern = readPattern(path + "/" + entry.file, .init(.pattern, name), &problems)
      return PackList.Pattern(
        name: told(name), durationUs: pattern?.duration.microseconds ?? 0, events: pattern?.eventCount ?? 0,
        available: pattern != nil)
    }
    let chapters = manifest.chapters.sorted { $0.key < $1.key }.map { name, chapter in
      PackList.Chapter(
        name: told(name), title: chapter.title, track: told(chapter.track),
        beats: beatCount(chapter, in: path, .init(.chapter, name), &problems), lanes: chapter.lanes,
        lengthUs: chapter.rules.length)
    }
    self.init(
      name: manifest.name, title: manifest.title, path: path, tracks: tracks, sounds: sounds, patterns: patterns,
      cues: manifest.cues.keys.sorted().map(told), chapters: chapters,
      parameters: manifest.parameters.keys.sorted().map(told),
      problems: problems.map { $0.of(pack: manifest.name) })
  }
}

/// How long a sound file lasts, by its header, in microseconds.
private func soundLength(_ path: String, _ asset: Problem.Place.Asset, _ problems: inout [Problem]) -> Int64? {
  do throws(Problem) {
    let decoder = try Decoder.open(path: path)
    return Int64(Double(decoder.frames) / Double(max(1, decoder.rate)) * 1e6)
  } catch {
    problems.append(error.of(asset))
    return nil
  }
}

private func readPattern(_ path: String, _ asset: Problem.Place.Asset, _ problems: inout [Problem]) -> HapticPattern? {
  guard let bytes = FileManager.default.contents(atPath: path) else {
    problems.append(
      Problem(.unreadable, file: path, "cannot read \(path)", remedy: "check that the file is there and readable").of(
        asset))
    return nil
  }
  do throws(AHAPError) {
    return HapticPattern(try AHAPDocument.parse([UInt8](bytes), name: path).document)
  } catch {
    problems.append(error.problem.of(asset))
    return nil
  }
}

private func beatCount(
  _ chapter: PackChapter, in folder: String, _ asset: Problem.Place.Asset, _ problems: inout [Problem]
) -> Int {
  switch chapter.beats {
  case .map(let map): return map.beats.count
  case .faulty(let faults):
    problems += faults.leavingOutTheChapter.map { $0.of(asset) }
    return 0
  case .file(let file):
    let bytes: [UInt8]
    do throws(FileRefusal) {
      bytes = try readFile(folder + "/" + file, atMost: PackManifest.maximumBytes)
    } catch {
      problems.append(error.problem.of(asset))
      return 0
    }
    do throws(PackFaults) {
      let map = try chapter.beatMap(from: BeatMapFile.parse(bytes, path: folder + "/" + file))
      return map.beats.count
    } catch {
      problems += error.leavingOutTheChapter.map { $0.of(asset) }
      return 0
    }
  }
}
