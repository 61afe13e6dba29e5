// SPDX-License-Identifier: Apache-2.0

import Engine
import Files
import GamePacks
import Problems

extension Catalog {
  /// Tells where a pack is active only because one that comes before it is left out: bare names would be of another game
  /// than its author thinks.
  mutating func tellOfStandIn(among folders: PackFolders) {
    guard let active, let standIn = packs.first(where: { $0.manifest.name == active }) else { return }
    let before = PackSearch(folders).packs.map(\.path).prefix { $0 != standIn.path }
    let meant = before.first { path in
      let isFaulty = problems.contains { $0.kind != .nameTaken && $0.where.file == printable(path) + "/pack.json" }
      // One of patterns alone would not be active.
      let read = leftOut.first { $0.path == path }?.pack?.manifest
      return isFaulty && read.map { !$0.tracks.isEmpty || !$0.sounds.isEmpty } ?? true
    }
    guard let meant else { return }
    standsInFor = meant
    problems.append(
      Problem(
        .noPack, "active in place of \(printable(meant)), which is left out",
        remedy: "mend that pack, or choose one with --pack", where: .init(pack: active)))
  }
}
