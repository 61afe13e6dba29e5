// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
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
    public var tracks: [String: TrackInfo]
    /// Sounds whose files could be read, with their lengths in frames of the engine's rate.
    public var sounds: [String: Int64]
    /// Patterns whose files could be read.
    public var patterns: [String: HapticPattern]
    /// The sound files that patterns name and that could be read, by their paths inside the pack.
    public var waveforms: Set<String>
    /// Beat maps of the chapters.
    public var beatMaps: [String: BeatMap]
    /// What could not be loaded.
    public var problems: [Problem]
    /// What is played as it is written, and most likely was not meant so: for authors, and not told by a daemon.
    public var warnings: [Problem] = []
    /// The folders of packs of its name that give way to it.
    public var hides: [String] = []

    /// A pack with nothing of it loaded yet.
    public init(manifest: PackManifest, path: String) {
      self.manifest = manifest
      self.path = path
      tracks = [:]
      sounds = [:]
      patterns = [:]
      waveforms = []
      beatMaps = [:]
      problems = []
    }
  }

  /// The packs, in the order they were found.
  public var packs: [Pack]
  /// The daemon's active pack: bare names are of it for clients that use no other.
  public var active: String?

  /// What keeps packs from being read at all.
  public var problems: [Problem]
  /// Packs whose manifests are at fault, as far as they could be read: nothing of them can be played.
  public var leftOut: [Pack] = []

  /// A catalog of `packs`.
  public init(packs: [Pack], active: String?, problems: [Problem] = []) {
    self.packs = packs
    self.active = active
    self.problems = problems
  }

  /// The pack of that name.
  public func pack(named name: String) -> Pack? { packs.first { $0.manifest.name == name } }

  /// The kinds of things a pack names.
  typealias Kind = Problem.Place.AssetType

  /// Finds what a client named, whose bare names are of the pack `active`, or says what is like it.
  func resolve(_ kind: Kind, _ spelling: String, active: String?) throws(Refusal) -> (key: AssetKey, pack: Pack) {
    guard let key = AssetKey(spelling, active: active) else {
      throw Refusal(
        .unknownName, "no \(kind.rawValue) \(spelling): no game pack is loaded",
        remedy: "start starlightd with --packs FOLDER, or install a pack")
    }
    let pack = try existingPack(key.pack)
    let names = Self.names(of: kind, in: pack)
    guard names.contains(key.name) else {
      // The same name in another pack is a likelier meaning than another name in this one.
      let elsewhere = packs.filter { Self.names(of: kind, in: $0).contains(key.name) }.map {
        AssetKey(pack: $0.manifest.name, name: key.name)
      }
      let near = nearest(to: key.name, among: names).map { AssetKey(pack: key.pack, name: $0) }
      let meant = elsewhere.isEmpty ? near : Array(elsewhere.prefix(1))
      throw Refusal(
        .unknownName, "no \(kind.rawValue) \(key)\(didYouMean(oneOf: meant.map(\.description)))",
        remedy: "\(method: "pack.list") names every \(kind.rawValue)",
        candidates: (elsewhere + near).map(\.description))
    }
    return (key, pack)
  }

  /// The pack of that name, or what is like it.
  func existingPack(_ name: String) throws(Refusal) -> Pack {
    if let pack = pack(named: name) { return pack }
    let known = packs.map(\.manifest.name)
    throw Refusal(
      .unknownName, "no pack \(name)\(didYouMean(name, among: known))",
      remedy: "\(method: "pack.list") names the packs", candidates: nearest(to: name, among: known))
  }

  /// What the file of something that a pack names was loaded as.
  func find<Asset>(
    _ kind: Kind, _ key: AssetKey, in assets: KeyPath<Pack, [String: Asset]>
  ) throws(Refusal) -> (key: AssetKey, asset: Asset, pack: Pack) {
    let pack = try existingPack(key.pack)
    guard let asset = pack[keyPath: assets][key.name] else {
      let asset = Problem.Place.Asset(kind, key.name)
      let reason =
        pack.problems.first { $0.where.asset == asset }?.ofAsset.description ?? "its file could not be loaded"
      throw Refusal(
        .unavailable, "\(kind.rawValue) \(key) is not available: \(reason)",
        remedy: "\(method: "pack.list") tells every problem; mend the file and restart starlightd")
    }
    return (key, asset, pack)
  }

  private static func names(of kind: Kind, in pack: Pack) -> [String] {
    switch kind {
    case .track: pack.manifest.tracks.keys.sorted()
    case .sound: pack.manifest.sounds.keys.sorted()
    case .pattern: pack.manifest.patterns.keys.sorted()
    case .cue: pack.manifest.cues.keys.sorted()
    case .chapter: pack.manifest.chapters.keys.sorted()
    case .parameter: pack.manifest.parameters.keys.sorted()
    }
  }
}
