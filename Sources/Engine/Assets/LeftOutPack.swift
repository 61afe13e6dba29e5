// SPDX-License-Identifier: Apache-2.0

import Problems

/// A pack that was found and is at fault as a whole. It is read again with the others, and comes in once it is mended.
public struct LeftOutPack: Sendable {
  /// Its folder.
  public var path: String
  /// What it calls itself, as far as that can be read.
  public var name: String?
  /// What it holds, as far as its manifest could be read.
  public var pack: Catalog.Pack?

  /// One of that folder.
  public init(path: String, name: String? = nil, pack: Catalog.Pack? = nil) {
    self.path = path
    self.name = name
    self.pack = pack
  }
}

extension Catalog {
  /// The folders that are read again where all packs are: of those that are there, then of those that are left out.
  public var folders: [String] { packs.map(\.path) + leftOut.map(\.path) }

  /// Tells of a pack that is still left out what is wrong with it now.
  mutating func leaveOut(_ pack: LeftOutPack, _ found: [Problem]) {
    guard let place = leftOut.firstIndex(where: { $0.path == pack.path }) else { return }
    leftOut[place] = pack
    // Where it was told before.
    let told = problems.firstIndex { $0.isIn(pack.path) } ?? problems.count
    problems.removeAll { $0.isIn(pack.path) }
    problems.insert(contentsOf: found, at: min(told, problems.count))
  }

  /// A pack that was left out is not any more. One that another stands in for is active from here on, as it would have been.
  mutating func comesIn(_ generation: PackGeneration) {
    leftOut.removeAll { $0.path == generation.contents.path }
    guard standsInFor == generation.contents.path else { return }
    standsInFor = nil
    problems.removeAll(where: \.tellsOfStandIn)
    if !generation.manifest.tracks.isEmpty || !generation.manifest.sounds.isEmpty { active = generation.name }
  }
}

extension Problem {
  /// Whether it is of a file in that folder.
  func isIn(_ folder: String) -> Bool { `where`.file?.hasPrefix(folder + "/") ?? false }

  /// Whether it tells which pack is active in place of another.
  package var tellsOfStandIn: Bool { kind == .noPack && `where`.pack != nil }
}
