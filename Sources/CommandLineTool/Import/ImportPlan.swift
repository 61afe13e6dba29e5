// SPDX-License-Identifier: Apache-2.0

import CommandTable
import GamePacks
import Haptics
import ImportedBeats
import Problems
import SoundFiles

/// What becomes of each file: all that can be known of it before anything is written.
struct ImportPlan {
  /// A file, and where it goes.
  struct File {
    var source: ImportSources.File
    /// From the pack's folder on.
    var destination: String
    var content: Content

    /// What it is called by itself, without what that ends in.
    var name: String { source.stem.split(separator: "/").last.map(String.init) ?? source.stem }
    /// The folders that it is in, as they may tell what it is.
    private var folders: [String] { source.relative.split(separator: "/").dropLast().map { $0.lowercased() } }
    /// Whether its folder says that it is spoken.
    var isVoice: Bool { folders.contains { ["voice", "voices", "speech", "vo", "dialogue", "dialog"].contains($0) } }
    /// Whether its folder says that it is music, or that it is none.
    var saysMusic: Bool? {
      if folders.contains(where: { ["music", "track", "tracks", "bgm", "songs", "song"].contains($0) }) { return true }
      let isSound = folders.contains { ["sound", "sounds", "sfx", "effects", "se", "fx"].contains($0) }
      return isSound || isVoice ? false : nil
    }

    /// The sound that its beats are of, without what its name ends in.
    func audioStem(of beats: ImportedBeats) -> String {
      guard let audio = beats.audio else { return source.stem }
      let parent = source.relative.split(separator: "/").dropLast().map { $0 + "/" }.joined()
      return ImportSources.File.stem(of: parent + audio)
    }

    /// Where one map of its beats goes.
    func destination(of map: ImportedMap, among beats: ImportedBeats) -> String {
      if case .beatMap = content { return destination }
      let number = beats.maps.firstIndex(of: map) ?? 0
      let own = beats.maps.count > 1 ? "-" + (map.name.flatMap { nameForPack($0) } ?? "\(number + 1)") : ""
      return source.stem + own + ".beats.json"
    }
  }

  enum Content {
    /// What ffmpeg makes something of, or nil for what is copied.
    case sound(ForeignAudio?)
    case pattern
    case beats(ImportedBeats)
    /// A beat map as packs have them, and what it was made for, in beats a minute.
    case beatMap(ImportedBeats, bpm: Double?)

    /// Those of a file of beats, of whatever kind.
    var beats: ImportedBeats? {
      switch self {
      case .beats(let beats), .beatMap(let beats, _): beats
      case .sound, .pattern: nil
      }
    }
  }

  /// Sounds before the beats that are of them.
  private(set) var files: [File] = []

  /// Seconds from which on a sound whose folder says nothing is a track.
  static let leastOfATrack: Double = 10

  /// Looks into each file; throws the first that cannot be imported.
  init(_ sources: ImportSources, _ manner: PackImport.Manner) throws(ToolFailure) {
    // A pattern names its sounds as they are, so these stay so.
    var named: Set<String> = []
    for source in sources.files where source.kind == .pattern {
      named.formUnion(AHAPDocument.waveforms(in: try readWhole(source.path)).map(\.path))
    }
    var beats: [File] = []
    for source in sources.files {
      switch source.kind {
      case .kept where manner.target == .flac || !source.relative.lowercased().hasSuffix(".flac"):
        add(source, .sound(nil))
      case .kept where named.contains(source.relative): add(source, .sound(nil))
      case .foreign where named.contains(source.relative) && Self.isRead(source.path): add(source, .sound(nil))
      case .kept, .foreign:
        let audio = try ForeignAudio.probe(source.path, interrupt: manner.interrupt)
        add(source, .sound(audio), destination: source.stem + "." + manner.target.rawValue)
      case .pattern: add(source, .pattern)
      case .beatMap: beats.append(try Self.beatMap(source))
      case .beats(let format):
        let bytes = try readWhole(source.path, limit: ImportedBeats.maximumBytes)
        do throws(Problem) {
          let read = try ImportedBeats.read(bytes, as: format, path: source.path)
          beats.append(File(source: source, destination: source.stem + ".beats.json", content: .beats(read)))
        } catch {
          throw ToolFailure(error)
        }
      }
    }
    files += beats
    try refuseClashes()
  }

  private mutating func add(_ source: ImportSources.File, _ content: Content, destination: String? = nil) {
    files.append(File(source: source, destination: destination ?? source.relative, content: content))
  }

  /// Two files that would become one.
  private func refuseClashes() throws(ToolFailure) {
    var seen: [String: String] = [:]
    for file in files {
      var places = [file.destination]
      if let beats = file.content.beats { places = beats.maps.map { file.destination(of: $0, among: beats) } }
      for place in places {
        if let other = seen.updateValue(file.source.path, forKey: place) {
          throw ToolFailure(
            .badFile, file: file.source.path, "\(other) and \(file.source.path) would both become \(place)",
            hint: "name one of them otherwise")
        }
      }
    }
  }

  /// A beat map, whose lanes are those that it names.
  private static func beatMap(_ source: ImportSources.File) throws(ToolFailure) -> File {
    let bytes = try readWhole(source.path)
    do throws(PackFaults) {
      let map = try BeatMapFile.map(in: bytes, path: source.path)
      let bpm = try BeatMapFile.parse(bytes, path: source.path).bpm
      let beats = ImportedBeats(maps: [ImportedMap(lanes: map.lanes, beats: map.beats)])
      return File(source: source, destination: source.relative, content: .beatMap(beats, bpm: bpm))
    } catch {
      throw ToolFailure(error, in: source.path)
    }
  }

  private static func isRead(_ path: String) -> Bool {
    do throws(Problem) {
      _ = try Decoder.open(path: path)
      return true
    } catch {
      return false
    }
  }

  /// Whether a sound is one to be streamed as music: its folder says so, else beats that are of it, else its length.
  func isTrack(_ file: File, seconds: Double) -> Bool {
    if seconds > Double(LoadedSound.longestSeconds) { return true }
    if !beats(of: file).isEmpty { return true }
    return file.saysMusic ?? (seconds >= Self.leastOfATrack)
  }

  /// The tempo that all beats of a sound have in common, moved as they are.
  func tempo(of file: File, shift: Int64) -> ImportedTempo? {
    // A beat map as packs have them tells no tempo of its music.
    let imported = beats(of: file).filter { if case .beats = $0.content { true } else { false } }
    let tempos = imported.compactMap(\.content.beats).flatMap { $0.maps.map(\.tempo) }
    guard let first = tempos.first, let tempo = first, tempos.allSatisfy({ $0 == tempo }) else { return nil }
    return ImportedTempo(bpm: tempo.bpm, barAt: Double(tempo.firstBeat + shift), beatsPerBar: tempo.beatsPerBar)
  }

  private func beats(of file: File) -> [File] {
    files.filter { other in other.content.beats.map { other.audioStem(of: $0) == file.source.stem } ?? false }
  }
}
