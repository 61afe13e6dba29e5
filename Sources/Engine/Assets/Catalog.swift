// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import JSON
import Problems
import Rhythm
import Suggestions

/// Everything that can be named: the packs as loaded. What could not be loaded is missing here and told as a problem.
public struct Catalog: Sendable {
  /// One pack and what of it was loaded.
  public struct Pack: Sendable {
    /// What the pack says of itself.
    public var manifest: PackManifest
    /// The folder it was read from.
    public var path: String
    /// Tracks whose files could be opened.
    public var tracks: [String: TrackInfo] = [:]
    /// Sounds whose files could be read, with their lengths in frames of the engine's rate.
    public var sounds: [String: Int64] = [:]
    /// Patterns whose files could be read.
    public var patterns: [String: HapticPattern] = [:]
    /// The sound files that patterns name and that could be read, by their paths inside the pack.
    public var waveforms: Set<String> = []
    /// Beat maps of the chapters.
    public var beatMaps: [String: BeatMap] = [:]
    /// What could not be loaded.
    public var problems: [Problem] = []
    /// What is played as it is written, and most likely was not meant so: for authors, and not told by a daemon.
    public var warnings: [Problem] = []
    /// The folders of packs of its name that give way to it.
    public var hides: [String] = []

    /// A pack with nothing of it loaded yet.
    public init(manifest: PackManifest, path: String) {
      self.manifest = manifest
      self.path = path
    }
  }

  /// The latest reading of each pack, in the order in which they were found or first loaded.
  public private(set) var generations: [PackGeneration] = []
  /// The daemon's active pack: bare names are of it for clients that use no other.
  public var active: String?

  /// What keeps packs from being read at all.
  public var problems: [Problem] = []
  /// Packs that were found and are at fault as a whole, in the order in which they were found: nothing of them can be played.
  public var leftOut: [LeftOutPack] = []
  /// The folder of a pack that is left out and would be active: another is in its place.
  public var standsInFor: String?

  private var nextGeneration = 1

  /// A catalog of `packs`; where no pack is `active` the first of a game is.
  public init(packs: [Pack], active: String? = nil, problems: [Problem] = []) {
    for pack in packs { take(pack) }
    // Only now are all of them known: the first that was taken may have nothing but patterns.
    self.active = active ?? usual
    self.problems = problems
  }

  /// What was read of each pack last.
  public var packs: [Pack] { generations.map(\.contents) }

  /// The latest reading of the pack of that name.
  public func pack(named name: String) -> PackGeneration? { generations.first { $0.name == name } }

  /// Has a pack be what was read of it now, in place of what was read of it before.
  @discardableResult
  mutating func take(_ pack: Pack) -> PackGeneration {
    let generation = PackGeneration(pack, number: nextGeneration)
    nextGeneration += 1
    if let place = generations.firstIndex(where: { $0.name == generation.name }) {
      generations[place] = generation
    } else {
      generations.append(generation)
    }
    // What was wrong in its folder when it was last looked at is told with it now.
    problems.removeAll { $0.isIn(pack.path) }
    if active == nil { active = usual }
    comesIn(generation)
    return generation
  }

  /// Takes a pack out. Where it was the active one, another is.
  mutating func drop(_ name: String) {
    generations.removeAll { $0.name == name }
    if active == name { active = usual }
  }

  /// The pack that is active where nobody chose one: the first of a game. A pack of patterns alone serves games; it is none.
  private var usual: String? {
    (generations.first { !$0.manifest.tracks.isEmpty || !$0.manifest.sounds.isEmpty } ?? generations.first)?.name
  }

  /// The kinds of things a pack names.
  typealias Kind = Problem.Place.AssetType

  /// Finds what a client named, whose bare names are of the pack `active`, or says what is like it.
  func resolve(_ kind: Kind, _ spelling: String, active: String?) throws(VerbRefusal) -> (
    key: AssetKey, pack: PackGeneration
  ) {
    guard let key = AssetKey(spelling, active: active) else {
      throw VerbRefusal(
        .unknownName, "no \(kind.rawValue) \(excerpt(spelling)): no game pack is loaded",
        remedy: "start starlightd with --packs FOLDER, or install a pack")
    }
    let pack = try existingPack(key.pack)
    let shown = excerpt(key.description)
    // Asked for with each request: a look-up, whatever a pack holds.
    guard Self.has(kind, key.name, in: pack.manifest) else {
      if let other = Kind.allCases.first(where: { Self.has($0, key.name, in: pack.manifest) }) {
        throw VerbRefusal(
          .unknownName, "no \(kind.rawValue) \(shown): \(shown) is a \(other.rawValue)", remedy: Self.playing(other))
      }
      // The same name in another pack is a likelier meaning than another name in this one.
      let elsewhere = generations.filter { Self.has(kind, key.name, in: $0.manifest) }.map { $0.key(key.name) }
      let near = nearest(to: key.name, among: Self.names(of: kind, in: pack.manifest)).map {
        AssetKey(pack: key.pack, name: $0)
      }
      let meant = elsewhere.isEmpty ? near : Array(elsewhere.prefix(1))
      throw VerbRefusal(
        .unknownName, "no \(kind.rawValue) \(shown)\(didYouMean(oneOf: meant.map(\.description)))",
        remedy: "\(method: "pack.list") names every \(kind.rawValue)",
        candidates: (elsewhere + near).map(\.description))
    }
    return (key, pack)
  }

  /// The pack of that name, or what is like it.
  func existingPack(_ name: String) throws(VerbRefusal) -> PackGeneration {
    if let pack = pack(named: name) { return pack }
    let near = nearest(to: name, among: generations.map(\.name))
    throw VerbRefusal(
      .unknownName, "no pack \(excerpt(name))\(didYouMean(oneOf: near))",
      remedy:
        "\(method: "pack.list") names the packs; load others with \(method: "pack.load"), or start starlightd with --packs FOLDER",
      candidates: near)
  }

  /// What plays a thing of that kind.
  private static func playing(_ kind: Kind) -> Wording {
    switch kind {
    case .track: "\(method: "music.play") plays tracks"
    case .sound: "\(method: "sound.play") plays sounds"
    case .pattern: "\(method: "haptics.play") plays patterns"
    case .cue: "\(method: "cue.fire") fires cues"
    case .chapter: "\(method: "rhythm.start") begins chapters"
    case .parameter: "\(method: "parameter.set") sets parameters"
    }
  }

  private static func has(_ kind: Kind, _ name: String, in manifest: PackManifest) -> Bool {
    switch kind {
    case .track: manifest.tracks[name] != nil
    case .sound: manifest.sounds[name] != nil
    case .pattern: manifest.patterns[name] != nil
    case .cue: manifest.cues[name] != nil
    case .chapter: manifest.chapters[name] != nil
    case .parameter: manifest.parameters[name] != nil
    }
  }

  private static func names(of kind: Kind, in manifest: PackManifest) -> [String] {
    switch kind {
    case .track: Array(manifest.tracks.keys)
    case .sound: Array(manifest.sounds.keys)
    case .pattern: Array(manifest.patterns.keys)
    case .cue: Array(manifest.cues.keys)
    case .chapter: Array(manifest.chapters.keys)
    case .parameter: Array(manifest.parameters.keys)
    }
  }
}
