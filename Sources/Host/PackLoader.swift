// SPDX-License-Identifier: Apache-2.0

import Engine
import Files
import GamePacks
import Haptics
import Problems
import SoundFiles
import Timing

/// Reads game packs from disk: what cannot be read becomes a problem of its pack, and the rest goes on.
struct PackLoader {
  let rate: Int

  /// Everything found in `folders`, each of which holds packs as folders with a `pack.json`.
  func load(_ folders: [String], active: String?) throws(HostError) -> (catalog: Catalog, bank: SoundBank) {
    var packs: [Catalog.Pack] = []
    var bank = SoundBank(rate: rate)
    let search = PackSearch(folders)
    var problems = search.problems
    for path in search.packs {
      do throws(FileRefusal) {
        let bytes = try Self.read("pack.json", of: path)
        do throws(PackFaults) {
          let manifest = try PackManifest.parse(bytes, path: printable(path) + "/pack.json")
          if packs.contains(where: { $0.manifest.name == manifest.name }) { continue }
          packs.append(load(manifest, path: path, into: &bank))
        } catch {
          problems += error.leavingOutThePack
        }
      } catch {
        problems.append(error.problem.leavingOutThePack)
      }
    }
    if let active, !packs.contains(where: { $0.manifest.name == active }) {
      throw HostError(
        "no pack \(active) in \(folders.joined(separator: ", ")); found: "
          + (packs.isEmpty ? "none" : packs.map(\.manifest.name).joined(separator: ", "))
          + problems.map { "; \($0)" }.joined())
    }
    if packs.isEmpty, problems.isEmpty, !folders.isEmpty {
      problems.append(
        Problem(
          .noPack, "no game pack is in \(folders.joined(separator: ", "))",
          remedy: "name with --packs a pack's folder, which has a pack.json (docs/packs.md), or a folder of such"))
    }
    // A pack of patterns alone serves games; it is none.
    let game = packs.first { !$0.manifest.tracks.isEmpty || !$0.manifest.sounds.isEmpty } ?? packs.first
    return (Catalog(packs: packs, active: active ?? game?.manifest.name, problems: problems), bank)
  }

  private func load(_ manifest: PackManifest, path: String, into bank: inout SoundBank) -> Catalog.Pack {
    var pack = Catalog.Pack(manifest: manifest, path: path)
    var problems: [Problem] = []
    let loading = SoundLoading(manifest, folder: path, rate: rate)
    for (name, result) in loading.tracks {
      switch result {
      case .success(let track):
        bank.tracks[AssetKey(pack: manifest.name, name: name)] = track
        let loop = track.loop ?? 0..<track.frames
        pack.tracks[name] = TrackInfo(
          frames: track.frames, loop: LoopRegion(start: loop.lowerBound, end: loop.upperBound),
          headFrames: track.headFrames,
          stems: (manifest.tracks[name]?.orderedStems ?? []).map { .init(name: $0.name, gain: Float($0.stem.gain)) })
        problems += leaveOutMarkers(behind: track.frames, of: name, in: &pack.manifest)
      case .failure(let error): problems.append(error.of(.init(.track, name)))
      }
    }
    for (name, result) in loading.sounds {
      switch result {
      case .success(let sound):
        bank.sounds[AssetKey(pack: manifest.name, name: name)] = sound
        pack.sounds[name] = Int64(sound.frames)
      case .failure(let error): problems.append(error.of(.init(.sound, name)))
      }
    }
    for (name, entry) in manifest.patterns.sorted(by: { $0.key < $1.key }) {
      do throws(FileRefusal) {
        let bytes = try Self.read(entry.file, of: path)
        let file = path + "/" + entry.file
        do throws(AHAPError) {
          let (document, _) = try AHAPDocument.parse(bytes, name: file)
          let pattern = HapticPattern(document)
          let (lengths, refused) = loadWaveforms(of: pattern, bytes, file: file, &pack, into: &bank)
          problems += refused.map { $0.of(.init(.pattern, name)) }
          pack.patterns[name] = pattern.knowing(fileLengths: lengths)
        } catch {
          problems.append(error.problem.of(.init(.pattern, name)))
        }
      } catch {
        problems.append(error.problem.of(.init(.pattern, name)))
      }
    }
    for (name, entry) in manifest.chapters.sorted(by: { $0.key < $1.key }) {
      switch entry.beats {
      case .map(let map): pack.beatMaps[name] = map
      case .faulty(let faults): problems += faults.leavingOutTheChapter.map { $0.of(.init(.chapter, name)) }
      case .file(let file):
        do throws(FileRefusal) {
          let bytes = try Self.read(file, of: path)
          do throws(PackFaults) {
            pack.beatMaps[name] = try entry.beatMap(from: try BeatMapFile.parse(bytes, path: path + "/" + file))
          } catch {
            problems += error.leavingOutTheChapter.map { $0.of(.init(.chapter, name)) }
          }
        } catch {
          problems.append(error.problem.of(.init(.chapter, name)))
        }
      }
    }
    problems = manifest.missingAudio(among: problems, in: printable(path)) + problems
    pack.problems = problems.map { $0.of(pack: manifest.name) }
    return pack
  }

  /// Takes the markers of a track that lie behind its end out of the manifest: nobody could ever wait for them.
  private func leaveOutMarkers(behind frames: Int64, of track: String, in manifest: inout PackManifest) -> [Problem] {
    let length = Interval.frames(frames, rate: rate)
    let behind = manifest.tracks[track]?.markers.filter { $0.value >= length } ?? [:]
    return behind.sorted { $0.key < $1.key }.map { name, at in
      manifest.tracks[track]?.markers[name] = nil
      return Problem(
        .invalidValue, "marker \(name) at \(at.seconds) s is not inside the track, which lasts \(length.seconds) s",
        remedy: "the marker is left out: move it, and restart starlightd", where: .init(asset: .init(.track, track)))
    }
  }

  /// The sound files that a pattern names, relative to the pack, as in its manifest; gives how long they last, and what is
  /// wrong with those that cannot be heard.
  private func loadWaveforms(
    of pattern: HapticPattern, _ bytes: [UInt8], file: String, _ pack: inout Catalog.Pack, into bank: inout SoundBank
  ) -> (lengths: [String: Interval], problems: [Problem]) {
    var refused: Set<String> = []
    var problems: [Problem] = []
    var lengths: [String: Interval] = [:]
    for event in pattern.audioEvents {
      guard case .waveform(let path, let loops) = event.source, !refused.contains(path) else { continue }
      let key = AssetKey(pack: pack.manifest.name, name: path)
      if !pack.waveforms.contains(path) {
        if let problem = loadWaveform(key, in: pack.path, into: &bank) {
          let position = AHAPDocument.position(ofWaveform: path, in: bytes)
          problems.append(
            Problem(
              problem.kind, "EventWaveformPath \(problem.reason)", remedy: problem.remedy,
              where: .init(file: file, line: position?.line, column: position?.column)))
          refused.insert(path)
          continue
        }
        pack.waveforms.insert(path)
      }
      lengths[path] = bank.waveforms[key].map { .seconds($0.seconds) }
      bank.dull(key, loops: loops)
    }
    return (lengths, problems)
  }

  /// What keeps the file from being heard; nil when it could be loaded.
  private func loadWaveform(_ key: AssetKey, in folder: String, into bank: inout SoundBank) -> Problem? {
    if let refusal = refusalOfFileName(key.name) { return Problem(.invalidValue, refusal) }
    do throws(Problem) {
      bank.add(try LoadedSound(path: folder + "/" + key.name, inside: folder, rate: rate), as: key)
      return nil
    } catch {
      return Problem(error.kind, "\"\(key.name)\" is not heard: \(error.reason)", remedy: error.remedy)
    }
  }

  /// The bytes of a file of the pack in `folder`; `name` may lead anywhere inside it.
  private static func read(_ name: String, of folder: String) throws(FileRefusal) -> [UInt8] {
    try RegularFile.open(folder + "/" + name, inside: folder).contents(atMost: largestText)
  }

  /// Larger manifests, patterns and beat maps are refused unread.
  private static let largestText = 8 << 20
}
