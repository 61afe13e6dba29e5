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
    var problems: [Problem] = []
    for path in PatternLibrary(environment: environment).packs {
      switch packOnDisk(path) {
      case .success(let pack): if !packs.contains(where: { $0.name == pack.name }) { packs.append(pack) }
      case .failure(let faults): problems += faults.problems
      }
    }
    let game = packs.first { !$0.tracks.isEmpty || !$0.sounds.isEmpty } ?? packs.first
    self.init(active: game?.name, packs: packs, problems: problems)
  }
}

/// Why there is no pack where one was looked for.
struct LeftOutPack: Error {
  var problems: [Problem]
}

/// The pack in the folder `path`, with what of it cannot be used, or why there is none; in the daemon's own words.
func packOnDisk(_ path: String) -> Result<PackList.Pack, LeftOutPack> {
  let manifestPath = path + "/pack.json"
  let bytes: [UInt8]
  do throws(FileRefusal) {
    bytes = try RegularFile.open(manifestPath, inside: path).contents(atMost: PackManifest.maximumBytes)
  } catch {
    return .failure(LeftOutPack(problems: [error.problem.leavingOutThePack]))
  }
  do throws(PackFaults) {
    return .success(PackList.Pack(try PackManifest.parse(bytes, path: manifestPath), path))
  } catch {
    return .failure(LeftOutPack(problems: error.leavingOutThePack))
  }
}

extension PackList.Pack {
  fileprivate init(_ manifest: PackManifest, _ path: String) {
    var problems: [Problem] = []
    func told(_ name: String) -> String { AssetKey(pack: manifest.name, name: name).description }
    let tracks = manifest.tracks.sorted { $0.key < $1.key }.map { name, track in
      let before = problems.count
      let duration = soundLength(track.file, in: path, .init(.track, name), &problems)
      for (_, stem) in track.orderedStems { _ = soundLength(stem.file, in: path, .init(.track, name), &problems) }
      return PackList.Track(
        name: told(name), durationUs: duration ?? 0, bpm: track.bpm, loops: track.loop != PackTrack.Loop.none,
        available: problems.count == before,
        markers: track.markers.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { marker, at in
          PackList.Marker(name: marker, positionUs: at.microseconds)
        }, stems: track.orderedStems.map(\.name))
    }
    let sounds = manifest.sounds.sorted { $0.key < $1.key }.map { name, sound in
      let duration = soundLength(sound.file, in: path, .init(.sound, name), &problems)
      return PackList.Sound(name: told(name), durationUs: duration ?? 0, available: duration != nil)
    }
    let patterns = manifest.patterns.sorted { $0.key < $1.key }.map { name, entry in
      let pattern = readPattern(entry.file, in: path, .init(.pattern, name), &problems)
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
      problems: (manifest.missingAudio(among: problems, in: path) + problems).map { $0.of(pack: manifest.name) })
  }
}

/// How long a sound file lasts, by its header, in microseconds.
private func soundLength(
  _ file: String, in folder: String, _ asset: Problem.Place.Asset, _ problems: inout [Problem]
) -> Int64? {
  do throws(Problem) {
    let decoder = try Decoder.open(path: folder + "/" + file)
    return Int64(Double(decoder.frames) / Double(max(1, decoder.rate)) * 1e6)
  } catch {
    problems.append(error.of(asset))
    return nil
  }
}

private func readPattern(
  _ file: String, in folder: String, _ asset: Problem.Place.Asset, _ problems: inout [Problem]
) -> HapticPattern? {
  let path = folder + "/" + file
  do throws(FileRefusal) {
    let bytes = try RegularFile.open(path, inside: folder).contents(atMost: PackManifest.maximumBytes)
    do throws(AHAPError) {
      return HapticPattern(try AHAPDocument.parse(bytes, name: path).document)
    } catch {
      problems.append(error.problem.of(asset))
    }
  } catch {
    problems.append(error.problem.of(asset))
  }
  return nil
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
      bytes = try RegularFile.open(folder + "/" + file, inside: folder).contents(atMost: PackManifest.maximumBytes)
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
