import Engine
import FoundationEssentials
import GamePacks
import Haptics
import SoundFiles
import Timing

/// Reads game packs from disk: what cannot be read becomes a problem of its pack, and the rest goes on.
struct PackLoader {
  let rate: Int

  /// Everything found in `folders`, each of which holds packs as folders with a `pack.json`.
  func load(_ folders: [String], active: String?) throws(HostError) -> (catalog: Catalog, bank: SoundBank) {
    var packs: [Catalog.Pack] = []
    var problems: [String] = []
    var bank = SoundBank(rate: rate)
    for path in folders.flatMap(Self.packPaths) {
      guard let bytes = Self.read(path + "/pack.json") else {
        problems.append("cannot read \(path)/pack.json: check that the file is readable")
        continue
      }
      do throws(PackError) {
        let manifest = try PackManifest.parse(bytes, path: path + "/pack.json")
        if packs.contains(where: { $0.manifest.name == manifest.name }) { continue }
        packs.append(load(manifest, path: path, into: &bank))
      } catch {
        problems.append("\(error); the pack is left out: mend it (docs/packs.md) and restart starlightd")
      }
    }
    if let active, !packs.contains(where: { $0.manifest.name == active }) {
      throw HostError(
        "no pack \(active) in \(folders.joined(separator: ", ")); found: "
          + (packs.isEmpty ? "none" : packs.map(\.manifest.name).joined(separator: ", "))
          + problems.map { "; " + $0 }.joined())
    }
    if packs.isEmpty, problems.isEmpty, !folders.isEmpty {
      problems.append(
        "no game pack is in \(folders.joined(separator: ", ")): name with --packs a pack's folder, which has a pack.json "
          + "(docs/packs.md), or a folder of such")
    }
    // A pack of patterns alone serves games; it is none.
    let game = packs.first { !$0.manifest.tracks.isEmpty || !$0.manifest.sounds.isEmpty } ?? packs.first
    return (Catalog(packs: packs, active: active ?? game?.manifest.name, problems: problems), bank)
  }

  private func load(_ manifest: PackManifest, path: String, into bank: inout SoundBank) -> Catalog.Pack {
    var pack = Catalog.Pack(manifest: manifest, path: path)
    for (name, entry) in manifest.tracks.sorted(by: { $0.key < $1.key }) {
      do throws(SoundFileError) {
        let track = try StreamedTrack(path: path + "/" + entry.file, rate: rate, loop: TrackLoop(entry.loop))
        bank.tracks[AssetKey(pack: manifest.name, name: name)] = track
        let loop = track.loop ?? 0..<track.frames
        pack.tracks[name] = TrackInfo(
          frames: track.frames, loop: LoopRegion(start: loop.lowerBound, end: loop.upperBound),
          headFrames: track.headFrames)
      } catch {
        pack.problems.append("track \(name): \(error)")
      }
    }
    for (name, entry) in manifest.sounds.sorted(by: { $0.key < $1.key }) {
      do throws(SoundFileError) {
        let sound = try LoadedSound(path: path + "/" + entry.file, rate: rate)
        bank.sounds[AssetKey(pack: manifest.name, name: name)] = sound
        pack.sounds[name] = Int64(sound.frames)
      } catch {
        pack.problems.append("sound \(name): \(error)")
      }
    }
    for (name, entry) in manifest.patterns.sorted(by: { $0.key < $1.key }) {
      let file = path + "/" + entry.file
      do throws(AHAPError) {
        guard let bytes = Self.read(file) else {
          pack.problems.append("pattern \(name): cannot read \(file): check that the file is there and readable")
          continue
        }
        let (document, _) = try AHAPDocument.parse(bytes, name: file)
        let pattern = HapticPattern(document)
        let lengths = loadWaveforms(of: pattern, bytes, file: file, named: name, &pack, into: &bank)
        pack.patterns[name] = pattern.knowing(fileLengths: lengths)
      } catch {
        pack.problems.append("pattern \(name): \(error)")
      }
    }
    for (name, entry) in manifest.chapters.sorted(by: { $0.key < $1.key }) {
      do throws(PackError) {
        switch entry.beats {
        case .map(let map): pack.beatMaps[name] = map
        case .file(let file):
          guard let bytes = Self.read(path + "/" + file) else {
            pack.problems.append(
              "chapter \(name): cannot read \(path)/\(file): check that the file is there and readable")
            continue
          }
          pack.beatMaps[name] = try entry.beatMap(from: try BeatMapFile.parse(bytes, path: path + "/" + file))
        }
      } catch {
        pack.problems.append("chapter \(name): \(error)")
      }
    }
    return pack
  }

  /// The sound files that a pattern names, relative to the pack, as in its manifest; gives how long they last.
  private func loadWaveforms(
    of pattern: HapticPattern, _ bytes: [UInt8], file: String, named name: String, _ pack: inout Catalog.Pack,
    into bank: inout SoundBank
  ) -> [String: Interval] {
    var refused: Set<String> = []
    var lengths: [String: Interval] = [:]
    for event in pattern.audioEvents {
      guard case .waveform(let path, let loops) = event.source, !refused.contains(path) else { continue }
      let key = AssetKey(pack: pack.manifest.name, name: path)
      if !pack.waveforms.contains(path) {
        if let problem = loadWaveform(key, in: pack.path, into: &bank) {
          let position = AHAPDocument.position(ofWaveform: path, in: bytes)
          let place = file + (position.map { ":\($0.line):\($0.column)" } ?? "")
          pack.problems.append("pattern \(name): \(place): EventWaveformPath \(problem)")
          refused.insert(path)
          continue
        }
        pack.waveforms.insert(path)
      }
      lengths[path] = bank.waveforms[key].map { .seconds($0.seconds) }
      bank.dull(key, loops: loops)
    }
    return lengths
  }

  /// What keeps the file from being heard; nil when it could be loaded.
  private func loadWaveform(_ key: AssetKey, in folder: String, into bank: inout SoundBank) -> String? {
    if let refusal = refusalOfFileName(key.name) { return refusal }
    do throws(SoundFileError) {
      bank.add(try LoadedSound(path: folder + "/" + key.name, rate: rate), as: key)
      return nil
    } catch {
      return "\"\(key.name)\" is not heard: \(error)"
    }
  }

  private static func packPaths(in folder: String) -> [String] {
    if FileManager.default.fileExists(atPath: folder + "/pack.json") { return [folder] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { folder + "/" + $0 }.filter {
      FileManager.default.fileExists(atPath: $0 + "/pack.json")
    }
  }

  static func read(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { [UInt8]($0) } }
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
