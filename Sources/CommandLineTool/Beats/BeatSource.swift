// SPDX-License-Identifier: Apache-2.0

import CommandTable
import Engine
import FoundationEssentials
import GamePacks
import Glibc
import Host
import ImportedBeats
import Problems
import Rhythm

/// Beats and the track that they are of, as they are named on the command line: a beat map, a sound file, `pack:chapter` or
/// `pack:track`.
struct BeatSource {
  /// For people.
  var title: String
  /// In the order of their times; none where nothing tells any.
  var beats: [Beat] = []
  /// Names of the lanes, which beats count from 0.
  var lanes: [String] = []
  /// The track's sound file; nil where nothing tells it.
  var sound: String?
  /// The track's own gain, linear.
  var gain: Double = 1

  /// Looks for what is meant by `name`; `track` is the sound file, where that was named too.
  init(_ name: String, track: String? = nil, _ tool: Tool) throws(ToolFailure) {
    title = name
    if access(name, F_OK) == 0 {
      try readFile(name)
    } else {
      try lookInPacks(name, tool)
    }
    if let track { sound = track }
  }

  /// The beats, of which there must be some.
  func someBeats() throws(ToolFailure) -> [Beat] {
    if beats.isEmpty {
      throw ToolFailure(
        "\(title) has no beats",
        hint:
          "name a beat map or a chapter; `starlight beats detect` proposes one, and `starlight beats tap` has you make one"
      )
    }
    return beats
  }

  /// The sound file, which must be known.
  func someSound() throws(ToolFailure) -> String {
    guard let sound else {
      throw .usage("the track of \(title) is not known", hint: "name its sound file: --track FILE")
    }
    return sound
  }

  // MARK: files

  private mutating func readFile(_ path: String) throws(ToolFailure) {
    let stem = ImportSources.File.stem(of: path)
    switch ImportSources.kind(path) {
    case .beatMap:
      try readBeatMap(path)
      findTrack(of: path)
    case .beats(let format):
      let bytes = try readWhole(path, limit: ImportedBeats.maximumBytes)
      do throws(Problem) {
        let read = try ImportedBeats.read(bytes, as: format, path: path)
        beats = PlayableBeats(read.maps[0].beats).beats
        lanes = read.maps[0].lanes
        let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().map { $0 + "/" }.joined()
        sound = read.audio.map { parent + $0 }.flatMap { access($0, R_OK) == 0 ? $0 : nil } ?? Self.soundBeside(stem)
      } catch {
        throw ToolFailure(error)
      }
    case .kept, .foreign, .pattern, nil:
      sound = path
      if access(stem + ".beats.json", R_OK) == 0 { try readBeatMap(stem + ".beats.json") }
    }
  }

  private mutating func readBeatMap(_ path: String) throws(ToolFailure) {
    let bytes = try readWhole(path)
    do throws(PackFaults) {
      let read = try BeatMapFile.map(in: bytes, path: path)
      (beats, lanes) = (read.beats, read.lanes)
    } catch {
      throw ToolFailure(error, in: path)
    }
  }

  /// The track of the chapter that names the beat map, in the nearest pack above it; else a sound of its name beside it.
  private mutating func findTrack(of path: String) {
    let whole = PackReloadingCommands.absolutePath(path)
    var folder = whole.split(separator: "/").dropLast()
    while !folder.isEmpty {
      let pack = "/" + folder.joined(separator: "/")
      if let bytes = try? readWhole(pack + "/pack.json"), let manifest = PackManifest.read(bytes, path: pack).manifest {
        let relative = String(whole.dropFirst(pack.utf8.count + 1))
        if let chapter = manifest.chapters.values.first(where: { $0.beats == .file(relative) }),
          let track = manifest.tracks[chapter.track]
        {
          (sound, gain) = (pack + "/" + track.file, track.gain)
          return
        }
        break
      }
      folder.removeLast()
    }
    let stem = ImportSources.File.stem(of: path)
    sound = Self.soundBeside(stem.hasSuffix(".beats") ? String(stem.dropLast(6)) : stem)
  }

  private static func soundBeside(_ stem: String) -> String? {
    ["flac", "ogg", "opus", "wav", "mp3", "m4a"].map { stem + "." + $0 }.first { access($0, R_OK) == 0 }
  }

  // MARK: packs

  /// The pack that is meant, by the daemon that answers and where this user can read it, else as a daemon started here would find it;
  /// nil where there is none of that name.
  private static func pack(
    of name: String, _ tool: Tool
  ) throws(ToolFailure) -> (pack: Catalog.Pack, key: AssetKey)? {
    let list = tool.packsOfDaemon()
    let loaded = AssetKey(name, active: list?.active)
    let folder = loaded.flatMap { list?.readableFolder(of: $0.pack) }
    let catalog = PackLoader(rate: 48_000).catalog(
      of: folder.map { PackFolders(named: [$0]) } ?? PackFolders(onDisk: tool.environment))
    guard let key = folder == nil ? AssetKey(name, active: catalog.active) : loaded else { return nil }
    if let pack = catalog.packs.first(where: { $0.manifest.name == key.pack }) { return (pack, key) }
    if folder != nil, let problem = catalog.problems.first { throw ToolFailure(problem) }
    return nil
  }

  private mutating func lookInPacks(_ name: String, _ tool: Tool) throws(ToolFailure) {
    guard let (pack, key) = try Self.pack(of: name, tool) else { throw Self.unknown(name) }
    if let chapter = pack.manifest.chapters[key.name], let map = pack.beatMaps[key.name] {
      (beats, lanes) = (map.beats, map.lanes)
      try take(chapter.track, pack)
    } else if pack.manifest.tracks[key.name] != nil {
      try take(key.name, pack)
    } else {
      // A chapter without a map is one whose map cannot be read.
      if pack.manifest.chapters[key.name] != nil, let problem = pack.problems.first { throw ToolFailure(problem) }
      let kinds = pack.manifest.kinds(of: key.name).filter { $0 != .chapters }
      let hint = "`starlight list chapters` and `starlight list tracks` name what has beats"
      throw ToolFailure.otherKind(key.description, kinds, wanted: "chapter or track", hint: hint) ?? Self.unknown(name)
    }
    title = key.description
  }

  private mutating func take(_ name: String, _ pack: Catalog.Pack) throws(ToolFailure) {
    guard let track = pack.manifest.tracks[name] else { return }
    (sound, gain) = (pack.path + "/" + track.file, track.gain)
    guard beats.isEmpty, let bpm = track.bpm, let info = pack.tracks[name] else { return }
    // What the pack says of its tempo.
    let grid = try? BeatMap.grid(
      bpm: bpm, offset: track.firstBeat.microseconds, every: 1, count: nil, lanes: [],
      length: info.frames * 1_000_000 / 48_000)
    beats = grid?.beats ?? []
  }

  private static func unknown(_ name: String) -> ToolFailure {
    ToolFailure(
      "\(name) is no file, and no chapter or track of a pack here",
      hint:
        "name a file, or a chapter or track as in lighthouse:signals; `starlight list` names them",
      kind: .unknownName)
  }
}
