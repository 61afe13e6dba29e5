// SPDX-License-Identifier: Apache-2.0

import GamePacks
import Haptics
import Problems
import Rhythm

/// A pack as it was read at one time. What began with it goes on with it, whatever is read of the pack later: voices, players,
/// chapters and plans hold it, and its memory is there until the last of them lets go.
public final class PackGeneration: Sendable {
  /// Counts what was read of packs, from 1.
  public let number: Int
  /// What was read.
  public let contents: Catalog.Pack
  /// Which problem is the first of a thing: a pack may have thousands, and what is at fault may be asked for again and again.
  private let faults: [Problem.Place.Asset: Int]

  init(_ contents: Catalog.Pack, number: Int) {
    self.contents = contents
    self.number = number
    let placed = contents.problems.enumerated().lazy.compactMap { place, problem in
      problem.where.asset.map { ($0, place) }
    }
    faults = Dictionary(placed, uniquingKeysWith: { first, _ in first })
  }

  /// The pack's name.
  public var name: String { contents.manifest.name }
  /// What the pack says of itself.
  public var manifest: PackManifest { contents.manifest }

  var waveforms: Set<String> { contents.waveforms }

  /// What one of its names is, as far as this generation goes.
  func key(_ name: String) -> AssetKey { AssetKey(pack: self.name, name: name) }

  /// What the file of something that the pack names was loaded as.
  func find<Asset>(
    _ kind: Catalog.Kind, _ name: String, in assets: KeyPath<Catalog.Pack, [String: Asset]>
  ) throws(VerbRefusal) -> Asset {
    if let asset = contents[keyPath: assets][name] { return asset }
    let place = Problem.Place.Asset(kind, name)
    let reason =
      faults[place].map { contents.problems[$0].ofAsset.description } ?? "its file could not be loaded"
    throw VerbRefusal(
      .unavailable, "\(kind.rawValue) \(key(name)) is not available: \(reason)",
      remedy: "\(method: "pack.list") tells every problem; mend the file and read the pack again")
  }
}

/// Something of a pack as it was read at one time. Of one name there may be several: what is asked for is of the latest, what
/// goes on is of its own.
public struct LoadedKey: Hashable, Sendable, CustomStringConvertible {
  /// The reading that it is of.
  public let generation: PackGeneration
  /// The name inside the pack.
  public let name: String

  init(_ generation: PackGeneration, _ name: String) {
    self.generation = generation
    self.name = name
  }

  /// What it is called, whichever reading it is of.
  public var key: AssetKey { generation.key(name) }

  /// As it is told everywhere: `pack:name`.
  public var description: String { key.description }

  /// Of the same name and the very same reading.
  public static func == (a: LoadedKey, b: LoadedKey) -> Bool { a.generation === b.generation && a.name == b.name }

  /// By the reading and the name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(generation))
    hasher.combine(name)
  }
}
